import express, { type Express, type RequestHandler } from 'express';
import type { Container } from 'inversify';
import { Log } from '../application/ports/system/log';
import { Readiness } from '../application/ports/storage/readiness';
import { ApiRouter } from './api/api-router';
import { apiHeaders } from './api/middleware/api-headers';
import { errorHandler } from './api/middleware/error-handler';
import { requestLog } from './api/middleware/request-log';
import { requireHost } from './api/middleware/require-host';
import { DashboardRouter } from './dashboard/dashboard-router';
import { docsPage } from './docs/docs-page';
import { openapiRoutes } from './docs/openapi-routes';
import { RouteNotFound, ServiceStopping } from './errors';
import { HttpSettings } from './http-settings';
import { requireTarget } from './malformed-target';
import { onlyRead } from './only-read';
import { transportSecurity } from './transport-security';

/** The whole service as one Express application, in the order in which a request meets it. `isDraining`: the process is about to stop. */
export function createApp(container: Container, isDraining = () => false): Express {
  const log = container.get<Log>(Log);
  const readiness = container.get<Readiness>(Readiness);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', container.get<HttpSettings>(HttpSettings).trustProxy);

  app.use(requestLog(log));
  app.use(transportSecurity, apiHeaders(), requireHost, requireTarget);
  app.use('/api', container.get(ApiRouter).router, nothingHere);
  app
    .route('/healthz')
    .get((_req, res) => {
      res.json({ status: 'ok' });
    })
    .all(onlyRead);
  app
    .route('/readyz')
    .get(async (_req, res) => {
      if (isDraining()) throw new ServiceStopping();
      await readiness.check();
      res.json({ status: 'ready' });
    })
    .all(onlyRead);
  app.use(openapiRoutes());
  app.use(docsPage());
  app.use(container.get(DashboardRouter).router);
  app.use(nothingHere);
  app.use(errorHandler(log));
  return app;
}

const nothingHere: RequestHandler = () => {
  throw new RouteNotFound();
};
