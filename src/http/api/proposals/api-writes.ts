import { inject, injectable } from '../../../application/ports/inject';
import { InsufficientScope } from '../../../domain/access/access-errors';
import type { Actor } from '../../../domain/access/actor';
import { includesScope, type Scope } from '../../../domain/access/api-key';
import { ValidationError } from '../../../domain/shared/validation-error';
import { STATUS } from '../../shared/error-codes';
import type { JsonResult } from '../../shared/result';
import type { ApiRequest, PathParameter, WriteRequest } from '../api-request';
import { Idempotency, isTransient } from '../idempotency';
import { ApiRouteTable, findRoute, parsePath, queryOf } from '../find-route';
import { isWrite, type ApiRoutes, type Route } from '../route';
import { KnownParameters } from '../validated';

/** Who sends a write. */
export interface WriteCaller {
  readonly accountId: string;
  readonly actor: Actor;
  readonly scope: Scope;
}

/** A write of the API that is not sent by a client itself. */
export interface ApiWrite {
  readonly method: string;
  /** From the root, with the query string. */
  readonly path: string;
  readonly ifMatch?: string | undefined;
  readonly body: unknown;
}

interface Found {
  readonly route: Route;
  readonly request: Pick<ApiRequest<PathParameter>, 'method' | 'path' | 'params' | 'query' | 'headers' | 'body'>;
}

/** Routes whose responses have a secret, that control the sandbox, decide on proposals, or change nothing. */
const NEVER_PROPOSED = /^\/(keys|trust-rules|webhooks|sandbox|proposals|imports)(\/|$)|\/dns\/discover$/;
const MAX_PATH = 2_000;

/** Finds and runs writes by their method and path, as the router does for requests. */
@injectable()
export class ApiWrites {
  constructor(
    @inject(ApiRouteTable) private readonly routes: () => ApiRoutes,
    @inject(Idempotency) private readonly idempotency: Idempotency,
  ) {}

  /** Whether the write has a dry run. @throws ValidationError, InsufficientScope */
  hasDryRun({ scope }: WriteCaller, write: ApiWrite): boolean {
    return queryOf(this.find(scope, write).route).includes('dry_run');
  }

  /** Runs the handler, as if it had been called with these query parameters as well, and without an Idempotency-Key. */
  async handle({ accountId, actor, scope }: WriteCaller, write: ApiWrite, query = {}): Promise<JsonResult> {
    const { route, request } = this.find(scope, write);
    const handler = route[3] as (request: WriteRequest<PathParameter>) => Promise<JsonResult>;
    const caller = { accountId, actor };
    return handler({ ...request, query: { ...request.query, ...query }, caller, scope, storing: () => undefined });
  }

  /**
   * Runs the write once for the proposal, whatever the number of calls and the callers: a later one gets the same response, unless
   * that was a version that is not the present one. Errors are responses. `within` runs what runs once, with a body.
   */
  async run(
    { accountId, actor, scope }: WriteCaller,
    write: ApiWrite,
    proposalId: string,
    within: (work: (body: unknown) => Promise<JsonResult>) => Promise<JsonResult> = (work) => work(write.body),
  ): Promise<JsonResult> {
    const { route, request } = this.find(scope, write);
    const handler = route[3] as (request: WriteRequest<PathParameter>) => Promise<JsonResult>;
    // A client's Idempotency-Key has no space.
    const key = { key: `proposal ${proposalId}`, fingerprint: proposalId, isFinal };
    const once = { ...request, caller: { accountId, actor }, scope };
    return this.idempotency.runOnce(once, (given) => within((body) => handler({ ...given, body })), key);
  }

  /** @throws ValidationError, InsufficientScope */
  private find(scope: Scope, { method, path, ifMatch, body }: ApiWrite): Found {
    if (path.length > MAX_PATH) throw ValidationError.of('path', `must be at most ${MAX_PATH} characters`);
    const { pathname, searchParams } = parsePath(path);
    const found = findRoute(this.routes().filter(isWrite), method, pathname);
    if (!found || NEVER_PROPOSED.test(found.route[1]))
      throw ValidationError.of(
        'path',
        `must be that of a write that can be proposed, which ${method} ${pathname} is not`,
      );
    const { route, params } = found;
    if (!includesScope(scope, route[2])) throw new InsufficientScope(route[2]);
    const query = Object.fromEntries(searchParams);
    if ('dry_run' in query) throw ValidationError.of('path', 'must not ask for a dry run');
    new KnownParameters(queryOf(route)).assert(query);
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    return { route, request: { method: method.toUpperCase(), path: pathname, params, query, headers, body } };
  }
}

function isFinal(response: JsonResult): boolean {
  return !isTransient(response) && response.status !== STATUS.PRECONDITION_FAILED;
}
