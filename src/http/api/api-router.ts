import { Router, type NextFunction, type Request, type Response } from 'express';
import { inject, injectable } from '../../application/ports/inject';
import { groupedBy } from '../../domain/shared/grouped-by';
import { MethodNotAllowed } from '../shared/errors';
import { respond } from '../shared/respond';
import { ApiAuthentication } from './api-authentication';
import { ApiHandlers } from './api-handlers';
import type { ApiRequest, PathParameter } from './api-request';
import { KnownParameters } from './validated';
import { JSON_BODY } from './request-body';
import { ApiRoutes, type Route, type RouteOptions } from './route';

type Handle = (req: Request, res: Response) => Promise<void>;

/** The route table as an Express router. */
@injectable()
export class ApiRouter {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(ApiAuthentication) private readonly authentication: ApiAuthentication,
    @inject(ApiHandlers) private readonly handlers: ApiHandlers,
    @inject(ApiRoutes) routes: ApiRoutes,
  ) {
    this.router.use(noStore);
    const byPath = [...groupedBy(routes, ([, path]) => path)];
    // Of two paths that match a request, Express takes the first: `/domains/search` has to come before `/domains/:id`.
    byPath.sort(([one], [other]) => (fixedFirst(one) < fixedFirst(other) ? -1 : 1));
    for (const [path, each] of byPath) this.mount(path, each);
  }

  private mount(path: string, routes: readonly Route[]): void {
    const resource = this.router.route(path);
    for (const route of routes) resource[route[0]](this.handlerOf(route));
    const allowed = routes.flatMap(([method]) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
    resource.all(function refuseMethod() {
      throw new MethodNotAllowed(allowed);
    });
  }

  /** From the request to its response: key, rate limit, scope, query parameters, body, handler. */
  private handlerOf(route: Route): Handle {
    const [method, , scope, , { query: names = [], cost = 1, body: reader = JSON_BODY, deprecated } = {}] = route;
    const announcement = deprecated && deprecationHeaders(deprecated);
    const parameters = new KnownParameters(names);
    const takesBody = method === 'post' || method === 'put';
    const { authentication } = this;
    const run = this.handlers.of(route);
    return async function handleApiRequest(req, res) {
      if (announcement) res.set(announcement);
      const { accountId, actor, scope: granted } = await authentication.authenticateCaller(req, res, scope, cost);
      const countOctets = (octets: number) => authentication.countOctets(res, { accountId }, octets, cost);
      const { query } = req;
      parameters.assert(query);
      const request: ApiRequest<PathParameter> = {
        caller: { accountId, actor },
        scope: granted,
        method: req.method,
        path: `${req.baseUrl}${req.path}`,
        params: req.params as Readonly<Record<PathParameter, string>>,
        query,
        headers: req.headers,
        body: takesBody ? await reader.read(req, res, countOctets) : undefined,
      };
      return respond(res, await run(request));
    };
  }
}

/** A text by which fixed segments sort before parameters. */
function fixedFirst(path: string): string {
  return path.replaceAll(/:\w+/g, '~');
}

/** RFC 9745 and RFC 8594. */
function deprecationHeaders({ since, removal }: NonNullable<RouteOptions['deprecated']>): Record<string, string> {
  return { Deprecation: `@${Math.floor(since.getTime() / 1000)}`, Sunset: removal.toUTCString() };
}

/**
 * Responses hold personal data, and their URL may hold the key: no cache may store them (RFC 9111, section 5.2.2.5). Keeps the
 * prefix of the router, because after an error the request no longer has it.
 */
export function noStore({ baseUrl }: Request, res: Response, next: NextFunction): void {
  res.locals['mount'] = baseUrl;
  res.setHeader('Cache-Control', 'no-store');
  next();
}
