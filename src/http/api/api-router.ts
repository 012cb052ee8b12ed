import { Router } from 'express';
import { inject, injectable, optional } from 'inversify';
import { MethodNotAllowed } from '../errors';
import type { ApiRequest, ApiResponse } from './caller';
import { DomainsController } from './controllers/domains-controller';
import { OperationsController } from './controllers/operations-controller';
import { PublicationController } from './controllers/publication-controller';
import { RecordsController } from './controllers/records-controller';
import { RegistrationController } from './controllers/registration-controller';
import { SandboxController } from './controllers/sandbox-controller';
import { SettingsController } from './controllers/settings-controller';
import { ZoneController } from './controllers/zone-controller';
import { ApiAuthentication } from './middleware/api-authentication';
import { Idempotency } from './middleware/idempotency';
import { knownParameters } from './middleware/known-parameters';
import { noStore } from './middleware/no-store';
import { jsonBody } from './middleware/request-body';
import { apiRoutes, changesSomething, type Route } from './routes';

/** Turns the route table into a router: known route, known method, key, rate limit, scope, query parameters, body, Idempotency-Key where something changes, controller. */
@injectable()
export class ApiRouter {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(ApiAuthentication) gate: ApiAuthentication,
    @inject(Idempotency) idempotency: Idempotency,
    @inject(DomainsController) domains: DomainsController,
    @inject(RegistrationController) registration: RegistrationController,
    @inject(SettingsController) settings: SettingsController,
    @inject(RecordsController) records: RecordsController,
    @inject(OperationsController) operations: OperationsController,
    @inject(ZoneController) zone: ZoneController,
    @inject(PublicationController) publication: PublicationController,
    @inject(SandboxController) @optional() sandbox: SandboxController | undefined,
  ) {
    this.router.use(noStore);
    const routes = apiRoutes({ domains, registration, settings, records, zone, publication, operations, sandbox });
    for (const path of new Set(routes.map(([, path]) => path))) {
      this.mount(
        path,
        routes.filter((route) => route[1] === path),
        gate,
        idempotency,
      );
    }
  }

  private mount(path: string, routes: readonly Route[], gate: ApiAuthentication, idempotency: Idempotency): void {
    const resource = this.router.route(path);
    for (const route of routes) {
      const [method, , scope, handler, { body: reader = jsonBody, query = [], cost } = {}] = route;
      const body = method === 'post' || method === 'put' ? [reader].flat() : [];
      const once = changesSomething(route) ? [idempotency.handle] : [];
      resource[method](gate.requiring(scope, cost), knownParameters(query), ...body, ...once, (req, res) =>
        handler(req as ApiRequest, res as unknown as ApiResponse),
      );
    }
    const allowed = routes.flatMap(([method]) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
    resource.all(() => {
      throw new MethodNotAllowed(allowed);
    });
  }
}
