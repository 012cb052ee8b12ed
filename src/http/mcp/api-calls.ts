import { inject, injectable } from '../../application/ports/inject';
import { Log } from '../../application/ports/system';
import { jsonTask } from '../../application/shared/json-task';
import { runCooperatively } from '../../application/shared/run-cooperatively';
import type { PresentPlan } from '../../application/proposals/decide-proposal';
import { InsufficientScope } from '../../domain/access/access-errors';
import { includesScope } from '../../domain/access/api-key';
import { ServiceError } from '../../domain/shared/service-error';
import type { Caller } from '../api/api-authentication';
import { ApiHandlers } from '../api/api-handlers';
import type { ApiRequest, PathParameter } from '../api/api-request';
import { ApiRouteTable, findRoute, queryOf, type FoundRoute } from '../api/find-route';
import { Idempotency } from '../api/idempotency';
import type { ApiWrite } from '../api/proposals/api-writes';
import { DivertedWrites } from '../api/proposals/diverted-writes';
import { WritePlans } from '../api/proposals/write-plans';
import type { ApiRoutes } from '../api/route';
import { KnownParameters } from '../api/validated';
import { errorResult } from '../shared/error-handler';
import { RouteNotFound } from '../shared/errors';
import type { ApiResult, JsonResult } from '../shared/result';
import { effectOf, type KnownPlan } from './plan-ids';

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the root, without the query string. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Whose call it is, and how it counts against the rate limit of the account. */
export interface ApiCaller extends Caller {
  /** @throws RateLimitExceeded */
  count(cost: number): Promise<void>;
}

class PlanStale extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super('The change would do something else now than its plan says', 'Make the plan again, and compare');
  }
}

/** Requests to the API from within, by its routes: the same scopes, limits, costs, idempotency and proposals. */
@injectable()
export class ApiCalls {
  constructor(
    @inject(ApiRouteTable) private readonly routes: () => ApiRoutes,
    @inject(ApiHandlers) private readonly handlers: ApiHandlers,
    @inject(Idempotency) private readonly idempotency: Idempotency,
    @inject(DivertedWrites) private readonly proposals: DivertedWrites,
    @inject(WritePlans) private readonly plans: WritePlans,
    @inject(Log) private readonly log: Log,
  ) {}

  /** The response, whose body is plain JSON. Errors are responses. */
  async send(caller: ApiCaller, call: ApiCall): Promise<JsonResult> {
    return this.responding(caller, call.path, async () => {
      const { route, request } = await this.admit(caller, call);
      return this.handlers.of(route)(request);
    });
  }

  /** What the write would do. @throws what the write would be refused with, RateLimitExceeded */
  async plan(caller: ApiCaller, write: ApiWrite): Promise<PresentPlan> {
    await this.admit(caller, callOf(write));
    return this.plans.planOf(caller, write);
  }

  /**
   * Sends the write once for its plan, whatever the number of calls, if it still does what the plan says; a repeated call gets the same
   * response. A key that may only propose proposes it. Errors are responses.
   */
  async apply(caller: ApiCaller, write: ApiWrite, { nonce, effect, fingerprint }: KnownPlan): Promise<JsonResult> {
    return this.responding(caller, write.path, async () => {
      const { route, request } = await this.admit(caller, callOf(write));
      const handle = this.proposals.handlerFor(request, route);
      // A client's Idempotency-Key has no space.
      const key = { key: `plan ${nonce}`, fingerprint };
      return this.idempotency.runOnce(
        request,
        async (running) => {
          const present = await this.plans.planOf(caller, write);
          if (effectOf(present.plan) !== effect) throw new PlanStale();
          const { ifMatch } = present;
          return handle({ ...running, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
        },
        key,
      );
    });
  }

  /** @throws RouteNotFound, InsufficientScope, ValidationError, RateLimitExceeded */
  private async admit(
    caller: ApiCaller,
    { method, path, query = {}, headers = {}, body }: ApiCall,
  ): Promise<Pick<FoundRoute, 'route'> & { readonly request: ApiRequest<PathParameter> }> {
    const found = findRoute(this.routes(), method, path);
    if (!found) throw new RouteNotFound();
    const { route, params } = found;
    await caller.count(route[4]?.cost ?? 1);
    if (!includesScope(caller.scope, route[2])) throw new InsufficientScope(route[2]);
    new KnownParameters(queryOf(route)).assert(query);
    const { accountId, actor, scope } = caller;
    return { route, request: { caller: { accountId, actor }, scope, method, path, params, query, headers, body } };
  }

  private async responding({ accountId }: ApiCaller, path: string, run: () => Promise<ApiResult>): Promise<JsonResult> {
    try {
      const result = await run();
      if (!('body' in result)) throw new TypeError(`The response to ${path} is a stream`);
      const { status, headers, body } = result;
      return { status, headers, body: JSON.parse(await runCooperatively(jsonTask(body), accountId)) as unknown };
    } catch (error) {
      return errorResult(error, path, this.log);
    }
  }
}

function callOf({ method, path, body }: ApiWrite): ApiCall {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  return { method: method as ApiCall['method'], path: pathname, query: Object.fromEntries(searchParams), body };
}
