import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NamewrightError, ServiceUnreachable, WriteProposed } from './errors.ts';

export interface RetryOptions {
  /** Repetitions of a call that fails for a while; 4 by default. */
  readonly retries?: number;
  /** Milliseconds to wait for one response; 60,000 by default. */
  readonly timeoutMs?: number;
  /** The longest `Retry-After` that a call waits for, in seconds; 60 by default. Beyond it, the call throws the error at once. */
  readonly longestWait?: number;
  readonly fetch?: typeof fetch;
  /** Waits between two attempts, such as that of a test. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;
const UNAVAILABLE = new Set([429, 502, 503, 504]);
const READS = new Set(['GET', 'HEAD']);

type Failure = NamewrightError | ServiceUnreachable | WriteProposed;

/**
 * A `fetch` that gives each write an Idempotency-Key and repeats the same request: after a lost connection, after 429, 502, 503 and 504,
 * and whenever the response has `Retry-After`. It throws what is not a success, and what is only proposed.
 */
export function fetchWithRetries(options: RetryOptions = {}): typeof fetch {
  const { retries = 4, timeoutMs = 60_000, longestWait = 60 } = options;
  const send = options.fetch ?? fetch;
  const wait = options.sleep ?? ((ms, signal) => sleep(ms, undefined, signal && { signal }));

  return async (input, init = {}) => {
    const caller = init.signal ?? undefined;
    const headers = new Headers(init.headers);
    if (!READS.has(init.method ?? 'GET') && !headers.has('idempotency-key'))
      headers.set('Idempotency-Key', randomUUID());
    for (let attempt = 0; ; attempt += 1) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = caller ? AbortSignal.any([caller, timeout]) : timeout;
      let failure: Failure;
      try {
        const response = await send(input, { ...init, headers, signal });
        const proposal = proposalOf(response);
        if (proposal === undefined && (response.ok || response.status === 304)) return response;
        failure = proposal === undefined ? await errorOf(response) : new WriteProposed(proposal);
      } catch (error) {
        if (caller?.aborted) throw error;
        failure = new ServiceUnreachable(urlOf(input), error);
      }
      const seconds = waitBefore(failure, attempt);
      if (attempt >= retries || seconds === undefined || seconds > longestWait) throw failure;
      await wait(seconds * 1000, caller);
    }
  };
}

/** The path of the proposal that a write became. */
function proposalOf({ status, headers }: Response): string | undefined {
  const location = headers.get('location') ?? '';
  return status === 202 && location.startsWith('/api/proposals/') ? location : undefined;
}

/** Seconds until the next attempt; nothing if another one would fail, too. */
function waitBefore(failure: Failure, attempt: number): number | undefined {
  const backOff = (Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_BACK_OFF_MS) / 1000) * (0.5 + Math.random() / 2);
  if (failure instanceof WriteProposed) return undefined;
  if (failure instanceof ServiceUnreachable) return backOff;
  if (failure.retryAfter !== undefined) return failure.retryAfter;
  return UNAVAILABLE.has(failure.status) ? backOff : undefined;
}

/** A proxy may respond in the place of the service, with another body. */
async function errorOf(response: Response): Promise<NamewrightError> {
  const text = await response.text();
  const { code, message, details } = envelopeOf(text) ?? {
    code: 'UNKNOWN_RESPONSE',
    message: `HTTP status ${response.status}`,
  };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new NamewrightError(
    code,
    message,
    response.status,
    details,
    response.headers.get('x-request-id') ?? undefined,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

interface ErrorMembers {
  readonly code: string;
  readonly message: string;
  readonly details?: string;
}

function envelopeOf(text: string): ErrorMembers | undefined {
  try {
    return (JSON.parse(text) as { error?: ErrorMembers }).error;
  } catch {
    return undefined;
  }
}

function urlOf(input: Parameters<typeof fetch>[0]): string {
  return new URL(input instanceof Request ? input.url : input).origin;
}
