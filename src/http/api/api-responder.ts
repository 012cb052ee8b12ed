import type { Request, Response } from 'express';
import { inject, injectable } from 'inversify';
import { respond } from '../shared/respond';
import { ApiAuthentication } from './api-authentication';
import type { ApiRequest, PathParameter } from './api-request';
import { JSON_BODY } from './body/request-body';
import { Idempotency } from './idempotency';
import { KnownParameters } from './known-parameters';
import { isWrite, type Route } from './routes';

type Handle = (req: Request, res: Response) => Promise<void>;

/** The path of every request from its route to its response: key, rate limit, scope, query parameters, body, idempotency, handler. */
@injectable()
export class ApiResponder {
  constructor(
    @inject(ApiAuthentication) private readonly authentication: ApiAuthentication,
    @inject(Idempotency) private readonly idempotency: Idempotency,
  ) {}

  /** What Express calls for a route; its failures go to Express's error handler. */
  handlerOf(route: Route): Handle {
    const [method, , scope, , { query: names = [], cost = 1, body: reader = JSON_BODY } = {}] = route;
    const parameters = new KnownParameters(names);
    const takesBody = method === 'post' || method === 'put';
    const { authentication, idempotency } = this;
    return async function handleApiRequest(req, res) {
      const { accountId, actor } = await authentication.callerOf(req, res, scope, cost);
      const { query } = req;
      parameters.assert(query);
      const request: ApiRequest<PathParameter> = {
        caller: { accountId },
        method: req.method,
        path: `${req.baseUrl}${req.path}`,
        params: req.params as Readonly<Record<PathParameter, string>>,
        query,
        headers: req.headers,
        body: takesBody ? await reader.read(req, res) : undefined,
      };
      await respond(res, await (isWrite(route) ? idempotency.run(request, actor, route[3]) : route[3](request)));
    };
  }
}
