import { RegistryNotContacted, RegistryUnavailable } from '../../../application/ports/registry/registry-errors';
import { assertWithinTimeLimit } from '../../../application/ports/registry/command-limit';

export interface JsonClientSettings {
  /** The vendor's name, for messages. */
  readonly vendor: string;
  /** Base of all paths, such as `https://api.example.com`. */
  readonly url: string;
  /** Sent with every request. May hold secrets: never logged, and never part of an error. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Largest accepted response, in bytes; 8 MiB if absent. */
  readonly maxBytes?: number;
}

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With a leading slash. Encode names and ids with `encodeURIComponent`. */
  readonly path: string;
  /** Undefined values are left out; an array repeats the parameter. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Names the vendor's rate limit that counts this request; by default `read` for GET, and `write` for other methods. A 429 stops
   * further requests with the same limit only: name one for searches, so that they do not stop commands.
   */
  readonly limit?: string;
}

/** A response with a status from 200 to 499 and a JSON body. The adapter decides by status and code. */
export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the body is empty. */
  readonly body: unknown;
}

const MAX_BYTES = 8 * 1_024 * 1_024;

/** Failures before a request is sent: the name does not resolve, nothing listens, or the TLS handshake fails. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.+|CERT_.+|UNABLE_TO_.+|SELF_SIGNED_.+|DEPTH_ZERO_.+|ERR_SSL_.+)$/;

/**
 * JSON over HTTPS for vendors with a REST interface. Sends each request once and follows no redirect, so that credentials
 * reach the configured address only. After a 429 it rejects further requests with the same limit until the time that the vendor asks for.
 */
export class JsonClient {
  private readonly settings: Required<JsonClientSettings>;
  /** Until when each limit blocks, by `performance.now()`: the clock may be set back. */
  private readonly blockedUntil = new Map<string, number>();

  constructor(settings: JsonClientSettings) {
    this.settings = { maxBytes: MAX_BYTES, ...settings };
  }

  /**
   * @throws RegistryNotContacted if this request was not sent (also after the time limit of its command) or not accepted
   *   (429, 401), RegistryUnavailable if its outcome is unknown (no response, 5xx, a redirect, no JSON). Errors name the
   *   vendor, the method and the status only
   */
  async send(request: JsonRequest): Promise<JsonResponse> {
    assertWithinTimeLimit();
    const limit = request.limit ?? (request.method === 'GET' ? 'read' : 'write');
    const waitMs = (this.blockedUntil.get(limit) ?? 0) - performance.now();
    if (waitMs > 0)
      throw new RegistryNotContacted(`${this.settings.vendor} limits the rate of requests`, Math.ceil(waitMs / 1_000));
    const response = await this.fetch(request);
    if (response.status === 429) throw this.limited(limit, response);
    if (response.status === 401) {
      await response.body?.cancel();
      throw new RegistryNotContacted(`${this.settings.vendor} rejected the credentials (HTTP 401)`, 60);
    }
    if (response.status >= 500 || response.status < 200 || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw this.unknown(`responded with HTTP ${response.status} to ${request.method}`, response);
    }
    return { status: response.status, headers: response.headers, body: await this.read(request, response) };
  }

  private async fetch({ method, path, query = {}, body, headers = {} }: JsonRequest): Promise<Response> {
    const url = new URL(`${this.settings.url.replace(/\/$/, '')}${path}`);
    for (const [name, value] of Object.entries(query))
      for (const part of Array.isArray(value) ? (value as readonly string[]) : [value])
        if (part !== undefined) url.searchParams.append(name, String(part));
    try {
      return await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
          ...this.settings.headers,
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.settings.timeoutMs),
      });
    } catch (error) {
      const code = codeOf(error);
      const options = { cause: new Error(`${method} failed: ${code ?? 'no response'}`) };
      if (code !== undefined && NOT_SENT.test(code))
        throw new RegistryNotContacted(`${this.settings.vendor} cannot be reached (${code})`, undefined, options);
      throw new RegistryUnavailable(`${this.settings.vendor} did not respond`, undefined, options);
    }
  }

  private async read({ method }: JsonRequest, response: Response): Promise<unknown> {
    const text = await this.readText(method, response);
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw this.unknown(`sent no valid JSON with HTTP ${response.status} to ${method}`, response);
    }
  }

  private async readText(method: string, response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of response.body ?? []) {
        size += chunk.byteLength;
        if (size > this.settings.maxBytes) break;
        chunks.push(chunk);
      }
    } catch {
      throw this.unknown(`broke off its response to ${method}`, response);
    }
    if (size > this.settings.maxBytes) throw this.unknown(`sent more than ${this.settings.maxBytes} bytes`, response);
    return Buffer.concat(chunks).toString('utf8');
  }

  private limited(limit: string, response: Response): RegistryNotContacted {
    void response.body?.cancel().catch(() => undefined);
    const seconds = retryAfterSeconds(response.headers, Date.now());
    this.blockedUntil.set(limit, performance.now() + seconds * 1_000);
    return new RegistryNotContacted(`${this.settings.vendor} limits the rate of requests`, seconds);
  }

  private unknown(what: string, { headers }: Response): RegistryUnavailable {
    const seconds = headers.has('retry-after') ? retryAfterSeconds(headers, Date.now()) : undefined;
    return new RegistryUnavailable(`${this.settings.vendor} ${what}`, seconds);
  }
}

/** For a request of a command whose earlier request has been sent: the outcome is unknown although this one was not sent. */
export function asUnknownOutcome(error: unknown): unknown {
  return error instanceof RegistryNotContacted
    ? new RegistryUnavailable(error.details, error.retryAfterSeconds, { cause: error })
    : error;
}

/** The code of a failed `fetch`, which is that of its cause or of the cause's first error. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors, cause } = error as {
    readonly code?: unknown;
    readonly errors?: readonly unknown[];
    readonly cause?: unknown;
  };
  if (typeof code === 'string' && code !== '') return code;
  return codeOf(errors?.[0] ?? cause);
}

const BY_DEFAULT = 5;
/** A vendor that asks for more is asked again after this time. */
const MAX_RETRY_AFTER_SECONDS = 3_600;

/**
 * The seconds to wait after a 429 or 503: Retry-After (RFC 9110 section 10.2.3, seconds or a date), else X-RateLimit-Reset
 * (seconds, or a Unix time). From 1 to 3,600; 5 without a valid header.
 */
function retryAfterSeconds(headers: Headers, nowMs: number): number {
  const seconds =
    fromRetryAfter(headers.get('retry-after'), nowMs) ?? fromReset(headers.get('x-ratelimit-reset'), nowMs);
  return seconds === undefined ? BY_DEFAULT : Math.min(Math.max(1, Math.ceil(seconds)), MAX_RETRY_AFTER_SECONDS);
}

function fromRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : (at - nowMs) / 1_000;
}

function fromReset(value: string | null, nowMs: number): number | undefined {
  if (value === null || !/^\d{1,10}$/.test(value.trim())) return undefined;
  const seconds = Number(value);
  return seconds > 1_000_000_000 ? seconds - nowMs / 1_000 : seconds;
}
