import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router, type Request as HttpRequest, type Response as HttpResponse } from 'express';
import { inject, injectable } from '../../application/ports/inject';
import { Log } from '../../application/ports/system';
import type { ServiceError } from '../../domain/shared/service-error';
import { ValidationError } from '../../domain/shared/validation-error';
import { ApiAuthentication, type Caller } from '../api/api-authentication';
import { noStore } from '../api/api-router';
import { JsonBody } from '../api/request-body';
import { STATUS } from '../shared/error-codes';
import { errorHandler, errorHeaders } from '../shared/error-handler';
import { MethodNotAllowed, RouteNotFound } from '../shared/errors';
import { readOnly } from '../shared/read-only';
import { respondJson } from '../shared/respond';
import { markStreaming } from '../server/request-log';
import { AllowedHosts } from './allowed-hosts';
import type { ApiCaller } from './api-calls';
import { McpAuthentication } from './mcp-authentication';
import { McpEndpoint } from './mcp-endpoint';

const BODY = new JsonBody('256kb');
/** Of the resource `/mcp`: section 3.1 of RFC 9728 inserts its path, and some clients ask without it. */
const METADATA_PATHS = ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'];
/** Of the request: the others are this service's business, and the key is not the SDK's. */
const FORWARDED = /^(accept|content-type|last-event-id|mcp-.*)$/;
/** JSON-RPC: of a server, without a more exact meaning. */
const SERVER_ERROR = -32_000;
const PARSE_ERROR = -32_700;

/** `/mcp`: streamable HTTP without sessions. Before the SDK: host, key, rate limit, body. */
@injectable()
export class McpRouter {
  readonly router = Router({ caseSensitive: true });
  private readonly subscriptions = new Set<AbortController>();

  constructor(
    @inject(ApiAuthentication) private readonly authentication: ApiAuthentication,
    @inject(AllowedHosts) private readonly hosts: AllowedHosts,
    @inject(McpAuthentication) private readonly callers: McpAuthentication,
    @inject(McpEndpoint) private readonly endpoint: McpEndpoint,
    @inject(Log) log: Log,
  ) {
    const sendError = errorHandler(log, (res, error) => respondJson(res, this.errorResponse(error)));
    this.router.route(METADATA_PATHS).get(this.sendMetadata.bind(this)).all(readOnly);
    this.router
      .route('/mcp')
      .all(noStore)
      .post((req: HttpRequest, res: HttpResponse) => this.serve(req, res), sendError)
      .all(function refuseMethod() {
        throw new MethodNotAllowed(['POST']);
      }, sendError);
  }

  private async serve(req: HttpRequest, res: HttpResponse): Promise<void> {
    this.hosts.assert(req.headers.host, req.headers.origin);
    const caller = await this.callers.authenticate(req, res);
    const body = await BODY.read(req, res, (octets) => this.authentication.countOctets(res, caller, octets, 1));
    assertNoBatch(body);
    const closed = new AbortController();
    res.once('close', () => closed.abort());
    if (isSubscription(body)) this.keepUntilRelease(closed);
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: Object.entries(req.headers).filter(
        (each): each is [string, string] => FORWARDED.test(each[0]) && typeof each[1] === 'string',
      ),
      signal: closed.signal,
    });
    await send(res, await this.endpoint.serve(request, body, this.counted(caller, res)));
  }

  /** Where clients sign people in (RFC 9728, section 3). @throws RouteNotFound without a provider */
  private sendMetadata(_req: HttpRequest, res: HttpResponse): void {
    const { metadata } = this.callers;
    if (!metadata) throw new RouteNotFound();
    res.json(metadata);
  }

  /** Ends the subscriptions, whose clients wait for nothing but the end of the service. */
  release(): void {
    for (const subscription of this.subscriptions) subscription.abort();
  }

  /** What is refused before the SDK has it has no id. */
  private errorResponse(error: ServiceError) {
    const { code, message, details } = error;
    const data = { code, ...(details !== undefined && { details }) };
    return {
      status: STATUS[code],
      headers: { ...errorHeaders(error), ...this.callers.challenge(error) },
      body: {
        jsonrpc: '2.0',
        id: null,
        error: { code: code === 'VALIDATION_ERROR' ? PARSE_ERROR : SERVER_ERROR, message, data },
      },
    };
  }

  private keepUntilRelease(subscription: AbortController): void {
    this.subscriptions.add(subscription);
    subscription.signal.addEventListener('abort', () => this.subscriptions.delete(subscription), { once: true });
  }

  /** The request itself has cost one unit, which pays for one unit of the first request to the API. */
  private counted(caller: Caller, res: HttpResponse): ApiCaller {
    let paid = 1;
    return {
      ...caller,
      count: async (cost) => {
        const due = cost - Math.min(paid, cost);
        paid -= cost - due;
        if (due > 0) await this.authentication.count(res, caller.accountId, due);
      },
    };
  }
}

/** The revisions that are served have no batches: a hundred messages would run at once for the cost of one. @throws ValidationError */
function assertNoBatch(body: unknown): void {
  if (Array.isArray(body)) throw ValidationError.of('body', 'must be one JSON-RPC message: batches are not supported');
}

function isSubscription(body: unknown): boolean {
  return (body as { readonly method?: unknown } | undefined)?.method === 'subscriptions/listen';
}

async function send(res: HttpResponse, response: Response): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== 'cache-control') res.setHeader(name, value);
  if (!response.body) {
    res.end();
  } else if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    // A proxy that buffers would hold back the progress.
    res.setHeader('X-Accel-Buffering', 'no');
    markStreaming(res);
    await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), res);
  } else res.end(await response.text());
}
