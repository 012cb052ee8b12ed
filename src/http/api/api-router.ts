import { Router, type NextFunction, type Request, type Response } from 'express';
import { inject, injectable, optional } from 'inversify';
import { MethodNotAllowed } from '../shared/errors';
import { ApiResponder } from './api-responder';
import { DomainsController } from './controllers/domains-controller';
import { OperationsController } from './controllers/operations-controller';
import { PublicationController } from './controllers/publication-controller';
import { RecordsController } from './controllers/records-controller';
import { RegistrationController } from './controllers/registration-controller';
import { SandboxController } from './controllers/sandbox-controller';
import { SettingsController } from './controllers/settings-controller';
import { ZoneController } from './controllers/zone-controller';
import { apiRoutes, type Route } from './routes';

/** The route table as an Express router. */
@injectable()
export class ApiRouter {
  readonly router = Router({ caseSensitive: true });

  constructor(
    @inject(ApiResponder) private readonly responder: ApiResponder,
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
      );
    }
  }

  private mount(path: string, routes: readonly Route[]): void {
    const resource = this.router.route(path);
    for (const route of routes) resource[route[0]](this.responder.handlerOf(route));
    const allowed = routes.flatMap(([method]) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
    resource.all(function refuseMethod() {
      throw new MethodNotAllowed(allowed);
    });
  }
}

/** Responses hold personal data, and their URL may hold the key: no cache may store them (RFC 9111, section 5.2.2.5). */
function noStore(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  next();
}
