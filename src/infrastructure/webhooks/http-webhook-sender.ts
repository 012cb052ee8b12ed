import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { WebhookMessage, WebhookSender } from '../../application/ports/access/webhooks';
import type { AttemptResult } from '../../domain/access/webhooks/delivery';
import { fixedLookup, NoReceiverAddress, type ReceiverAddresses } from './receiver-addresses';

const TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 1_024;
/** For the body of a response whose status has come. */
const BODY_WITHIN_MS = 2_000;
const MAX_HEADER_BYTES = 16_384;
const USER_AGENT = 'Namewright-Webhooks/1';

interface SenderOptions {
  readonly timeoutMs?: number;
  /** Trusted besides those of Node.js. */
  readonly ca?: string;
}

/** Posts to the checked addresses of receivers, with a new connection each time. */
export class HttpWebhookSender implements WebhookSender {
  readonly allowsHttp: boolean;

  constructor(
    private readonly addresses: ReceiverAddresses,
    private readonly options: SenderOptions = {},
  ) {
    this.allowsHttp = addresses.allowsHttp;
  }

  async send(message: WebhookMessage, stopping: AbortSignal): Promise<AttemptResult | undefined> {
    const startedAt = performance.now();
    const ms = (): number => Math.round(performance.now() - startedAt);
    // Not AbortSignal.any: `stopping` lives as long as the process, and would remember each signal that was made of it.
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const timer = setTimeout(end, this.options.timeoutMs ?? TIMEOUT_MS);
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
    try {
      const response = await this.post(message, ending.signal);
      const body = await firstKilobyte(response);
      const retryAfterMs = parseRetryAfter(response.headers['retry-after']);
      return { status: response.statusCode ?? 0, body, ms: ms(), ...(retryAfterMs !== undefined && { retryAfterMs }) };
    } catch (error) {
      if (stopping.aborted) return undefined;
      return { error: ending.signal.aborted ? 'no response within 10 seconds' : reasonOf(error), ms: ms() };
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener('abort', end);
    }
  }

  /** Until the headers of the response. */
  private async post({ url, headers, body }: WebhookMessage, signal: AbortSignal): Promise<IncomingMessage> {
    const target = new URL(url);
    const addresses = await unlessAborted(this.addresses.of(target), signal);
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const request: ClientRequest = send(target, {
        method: 'POST',
        agent: false,
        lookup: fixedLookup(addresses),
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
        ...(this.options.ca !== undefined && { ca: this.options.ca }),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': USER_AGENT,
          accept: '*/*',
          connection: 'close',
          ...headers,
        },
      });
      request.on('error', reject);
      request.on('response', resolve);
      // Without a response or an error, if the receiver answers with another protocol (101 and `Upgrade`).
      request.on('close', () => reject(new ClosedWithoutResponse()));
      request.end(body);
    });
  }
}

class ClosedWithoutResponse extends Error {
  readonly code = 'ECONNRESET';
}

/** What has come of the body within the time, cut to a kilobyte; then the connection is closed. */
async function firstKilobyte(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, BODY_WITHIN_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    response.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= MAX_BODY_BYTES) end();
    });
    response.on('end', end);
    response.on('error', end);
    response.on('close', end);
  });
  response.destroy();
  return Buffer.concat(pieces).subarray(0, MAX_BODY_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function parseRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,8}$/.test(text.trim())) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    if (signal.aborted) reject(new Error('aborted'));
  });
  return Promise.race([work, aborted]);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before a response',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the connection was not established in time',
};

/** In words of ours: the message of an error can have the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof NoReceiverAddress) return error.message;
  const code = codeOf(error);
  return REASONS[code] ?? `the connection failed (${code})`;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown';
}
