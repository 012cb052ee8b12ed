import { Router, type Request, type Response } from 'express';
import { inject, injectable } from '../../application/ports/inject';
import { Log } from '../../application/ports/system';
import { ApiAuthentication } from '../api/api-authentication';
import { noStore } from '../api/api-router';
import { errorHandler } from '../shared/error-handler';
import { MethodNotAllowed, RouteNotFound } from '../shared/errors';
import { respond } from '../shared/respond';
import type { StreamResult } from '../shared/result';
import { CompatApis, type CompatApi, type CompatResult, type CompatRoute } from './compat-api';

/** The compatibility APIs as one Express router. Without any configured, it has no routes. */
@injectable()
export class CompatRouter {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(ApiAuthentication) private readonly authentication: ApiAuthentication,
    @inject(Log) log: Log,
    @inject(CompatApis) apis: CompatApis,
  ) {
    for (const api of apis) this.router.use(api.prefix, this.routerOf(api, log));
  }

  private routerOf(api: CompatApi, log: Log): Router {
    const router = Router({ caseSensitive: true });
    router.use(noStore);
    if (api.healthPath !== undefined)
      router.get(api.healthPath, function respondToHealthCheck(_req, res) {
        res.end();
      });
    for (const path of new Set(api.routes.map(([, each]) => each))) {
      const routes = api.routes.filter((route) => route[1] === path);
      const resource = router.route(path);
      for (const route of routes) resource[route[0]](this.handlerOf(api, route));
      resource.all(function refuseMethod() {
        throw new MethodNotAllowed(routes.map(([method]) => method.toUpperCase()));
      });
    }
    router.use(function refusePath() {
      throw new RouteNotFound();
    });
    router.use(errorHandler(log, (res, error) => void send(res, api.presentError(error))));
    return router;
  }

  /** From the request to its response: key, rate limit, scope, body, handler. */
  private handlerOf(
    api: CompatApi,
    [, , scope, handler, { body, cost = 1 } = {}]: CompatRoute,
  ): (req: Request, res: Response) => Promise<void> {
    const { authentication } = this;
    return async function handleCompatRequest(req, res) {
      if (req.method === 'HEAD' && scope !== 'READ') throw new MethodNotAllowed(['GET']);
      const caller = await authentication.authenticateCaller(req, res, scope, cost, api.keyOf);
      const result = await handler({
        caller,
        params: req.params as Readonly<Record<string, string>>,
        query: req.query,
        headers: req.headers,
        clientAddress: req.ip ?? '',
        isSecure: req.secure,
        body: await body?.read(req, res, (octets) => authentication.countOctets(res, caller, octets, cost)),
      });
      await send(res, result);
    };
  }
}

async function send(res: Response, result: CompatResult | StreamResult): Promise<void> {
  if ('stream' in result) return respond(res, result);
  const { status, headers = {}, body } = result;
  if (typeof body === 'object') return respond(res, { status, headers, body });
  res.status(status).set({ ...(body !== undefined && { 'Content-Type': 'text/plain; charset=utf-8' }), ...headers });
  res.end(body);
}
