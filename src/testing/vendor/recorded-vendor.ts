import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillRecordedResponse, type RecordedResponse } from './recorded-responses';
import { VendorDocument, type OpenApiDocument, type ReceivedRequest } from './vendor-document';
import { VendorFaults, type VendorFault } from './vendor-faults';
import { VendorState } from './vendor-state';

/** A request that the vendor's document describes. */
export interface VendorRequest extends Omit<ReceivedRequest, 'path'> {
  /** The document's `operationId`. */
  readonly operation: string;
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface VendorResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type VendorHandler = (request: VendorRequest, vendor: RecordedVendor) => VendorResponse;

export interface RecordedVendorOptions {
  /** The vendor's OpenAPI 3 document. */
  readonly document: OpenApiDocument;
  /** By operation id. A request to another operation gets its recorded response as it is, or 501. */
  readonly handlers: Readonly<Record<string, VendorHandler>>;
  /** By operation id. The document's examples stand in for what was not recorded. */
  readonly recordings?: Readonly<Record<string, readonly RecordedResponse[]>>;
  /** Whether a request has valid credentials; all have if absent. */
  readonly isAuthenticated?: (headers: ReceivedRequest['headers']) => boolean;
  /** Lower-case name of the header whose repetition returns the first response. */
  readonly idempotencyHeader?: string;
  /** Whether the stand-in's own responses must satisfy the document. Not for a vendor whose recordings deviate from it. */
  readonly validateResponses?: boolean;
  /** The name that a request is about, for faults, if neither its path, query nor body contains it. */
  readonly nameOf?: (request: VendorRequest, state: VendorState) => string | undefined;
  readonly state?: VendorState;
}

/** A request that was served. */
interface ServedRequest {
  readonly operation: string;
  readonly status: number;
  /** Method, path, query and body. */
  readonly text: string;
}

const MAX_BODY = 1_000_000;

/**
 * A stateful stand-in for a vendor's REST interface, on a loopback port. Validates every request against the vendor's
 * document, builds responses from recorded ones, and injects faults. Its state outlives a restart of the adapter.
 */
export class RecordedVendor {
  readonly faults = new VendorFaults();
  /** Requests so far, oldest first. */
  readonly served: ServedRequest[] = [];
  /** One line for each way in which a request, or a response of the stand-in, violates the vendor's document. */
  readonly violations: string[] = [];
  /** What GET requests about these names see. */
  private readonly lagging = new Map<string, VendorState>();
  private visible: VendorState;
  private readonly document: VendorDocument;
  private readonly replays = new Map<string, VendorResponse>();
  private readonly server = createServer((req, res) => {
    this.serve(req, res).catch((error: unknown) => {
      this.violations.push(`the stand-in failed: ${error instanceof Error ? error.stack : String(error)}`);
      res.destroy();
    });
  });

  constructor(private readonly options: RecordedVendorOptions) {
    this.visible = options.state ?? new VendorState();
    this.document = new VendorDocument(options.document);
  }

  /** What the vendor knows; in a handler of a request whose reads lag, what it shows. */
  get state(): VendorState {
    return this.visible;
  }

  /** Listens on a free loopback port. Returns the address, with the base path of the document's server. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      // On a busy machine, an idle connection would be closed just when the client uses it again.
      this.server.keepAliveTimeout = 0;
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.document.basePath}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  injectFault(fault: VendorFault): void {
    this.faults.add(fault);
  }

  /** From now on, GET requests about a name see the vendor as it is now. Returns the function that ends this. */
  lagReads(name: string): () => void {
    this.lagging.set(name, this.state.copy());
    return () => void this.lagging.delete(name);
  }

  /** @throws Error with the violations so far, if there are any */
  assertNoViolations(): void {
    if (this.violations.length > 0)
      throw new Error(`violations of the vendor's document:\n${[...new Set(this.violations)].join('\n')}`);
  }

  /** The recorded response to an operation, or the document's example, with `values` filled in. */
  recorded(operation: string, status: number, values?: unknown): VendorResponse {
    const recording = this.options.recordings?.[operation]?.find((response) => response.status === status);
    const body = recording ? recording.body : this.document.exampleOf(operation, status);
    const filled = values === undefined ? body : fillRecordedResponse(body, values);
    return { status, ...(filled !== undefined && { body: filled }) };
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', headers } = req;
    const url = new URL(req.url ?? '/', 'http://vendor');
    const text = await readBody(req);
    const isBelowBase = url.pathname.startsWith(`${this.document.basePath}/`);
    const path = isBelowBase ? url.pathname.slice(this.document.basePath.length) : url.pathname;
    const found = this.document.find(method, path);
    if (!found) {
      this.violations.push(`the document has no operation ${method} ${path}`);
      send(res, { status: 404, body: { message: 'Not Found' } });
      return;
    }
    const received = { method, path, query: url.searchParams, headers, body: parse(text) };
    const request: VendorRequest = { ...received, operation: found.id, path: found.path };
    const whole = `${method} ${decodeURIComponent(url.pathname + url.search)} ${text}`;
    if (this.options.isAuthenticated?.(headers) === false) {
      this.record(found.id, { status: 401 }, whole);
      send(res, { status: 401, body: { message: 'Unauthorized' } });
      return;
    }
    this.violations.push(...this.document.requestViolations(found.id, received));
    await this.respond(request, whole, res);
  }

  private async respond(request: VendorRequest, text: string, res: ServerResponse): Promise<void> {
    const name = this.options.nameOf?.(request, this.state) ?? '';
    const fault = this.faults.take(request.operation, `${text} ${name}`);
    const isRun = fault?.takesEffect ?? !['refused', 'rate_limited', 'bad_gateway'].includes(fault?.kind ?? '');
    const seen = this.seenBy(request, `${text} ${name}`);
    const first = isRun ? this.handle(request, seen) : undefined;
    const response = fault?.kind === 'duplicate' ? this.handle(request, seen) : first;
    if (response) this.record(request.operation, response, text);
    switch (fault?.kind) {
      case 'lost_response':
      case 'refused':
        res.destroy();
        return;
      case 'rate_limited': {
        const headers = { 'Retry-After': String(fault.retryAfterSeconds ?? 1) };
        send(res, { status: 429, headers, body: { message: 'Too Many Requests' } });
        return;
      }
      case 'bad_gateway':
        res.writeHead(502, { 'Content-Type': 'text/html' }).end('<html><body>502 Bad Gateway</body></html>');
        return;
      case 'truncated': {
        const body = JSON.stringify(response?.body ?? {});
        res
          .writeHead(response?.status ?? 200, { 'Content-Type': 'application/json' })
          .end(body.slice(0, Math.max(1, Math.floor(body.length / 2))));
        return;
      }
      case 'slow':
        await sleep(fault.milliseconds ?? 1_000);
        break;
      case 'duplicate':
      case undefined:
    }
    if (response) send(res, response);
  }

  /** The state as a request sees it. */
  private seenBy({ method }: VendorRequest, text: string): VendorState {
    const name = method === 'GET' ? [...this.lagging.keys()].find((each) => text.includes(each)) : undefined;
    return (name !== undefined && this.lagging.get(name)) || this.state;
  }

  /** Handlers run synchronously, so no other request sees the state of this one. */
  private runOn(seen: VendorState, handler: VendorHandler, request: VendorRequest): VendorResponse {
    const current = this.visible;
    this.visible = seen;
    try {
      return handler(request, this);
    } finally {
      this.visible = current;
    }
  }

  /** Runs the handler, or replays the response to the same idempotency key. */
  private handle(request: VendorRequest, seen: VendorState): VendorResponse {
    const { idempotencyHeader, handlers } = this.options;
    const key = idempotencyHeader === undefined ? undefined : request.headers[idempotencyHeader];
    const replay = key === undefined ? undefined : this.replays.get(`${request.operation} ${String(key)}`);
    if (replay) return replay;
    const handler = handlers[request.operation];
    const response = handler ? this.runOn(seen, handler, request) : this.unhandled(request.operation);
    if (key !== undefined && response.status < 500) this.replays.set(`${request.operation} ${String(key)}`, response);
    if (this.options.validateResponses === true)
      this.violations.push(
        ...this.document.responseViolations(request.operation, response.status, asSent(response.body)),
      );
    return response;
  }

  private unhandled(operation: string): VendorResponse {
    const recording = this.options.recordings?.[operation]?.find(({ status }) => status < 300);
    if (recording) return { status: recording.status, body: recording.body };
    this.violations.push(`the stand-in has no handler and no recorded response for ${operation}`);
    return { status: 501, body: { message: 'Not Implemented' } };
  }

  private record(operation: string, { status }: VendorResponse, text: string): void {
    this.served.push({ operation, status, text });
  }
}

function send(res: ServerResponse, { status, headers = {}, body }: VendorResponse): void {
  res.writeHead(status, { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers });
  res.end(body === undefined ? undefined : JSON.stringify(body));
}

/** The body as a client reads it. */
function asSent(body: unknown): unknown {
  return body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);
}

/** Undefined without a body; the text if it is no JSON. */
function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).byteLength;
    if (size > MAX_BODY) throw new RangeError('the request is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
