import { createClient, OPERATIONS, type Client, type OperationContext, type Ops } from './api.ts';
import { fetchWithRetries, type RetryOptions } from './retries.ts';

export interface ConnectOptions extends RetryOptions {
  /** Of the service, such as `https://names.example.com`; without `/api`. */
  readonly url: string;
  /** An API key. */
  readonly key: string;
}

/** Every operation of the interface as a method; lists also have `.items(…)` and `.pages(…)`, which read page after page. */
export type Namewright = Client<Ops, OperationContext>;

/**
 * Connects to a service. Each call is repeated until it succeeds or cannot: a write keeps its Idempotency-Key, so nothing is done or
 * charged twice. A call that fails throws a `NamewrightError`, or `ServiceUnreachable` if the service did not respond.
 */
export function connect({ url, key, ...retries }: ConnectOptions): Namewright {
  return createClient<Ops>(OPERATIONS, {
    serverUrl: url.replace(/\/+$/, ''),
    auth: { bearer: key },
    clientHeader: false,
    fetch: fetchWithRetries(retries),
  });
}
