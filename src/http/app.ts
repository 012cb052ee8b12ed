import { token } from '../application/ports/inject';
import express, { type Express, type Router } from 'express';
import type { Container } from 'inversify';
import { Log } from '../application/ports/system';
import { LimitsStoreProbe } from '../application/ports/access/rate-limits-and-usage';
import { Readiness } from '../application/ports/storage/storage-unavailable';
import { ApiRouter } from './api/api-router';
import { TokenExchange } from './api/token-exchange';
import { CompatRouter } from './compat/compat-router';
import { BackChannelLogout } from './dashboard/providers/back-channel-logout';
import { DashboardRouter } from './dashboard/dashboard-router';
import { ConnectRoutes } from './domain-connect/connect-routes';
import { docsRoutes } from './docs/docs-routes';
import { McpRouter } from './mcp/mcp-router';
import { apiHeaders, transportSecurity } from './server/security-headers';
import { HealthRoutes } from './server/health-routes';
import { requestLog } from './server/request-log';
import { requireHost, requireTarget } from './server/http-server';
import { errorHandler } from './shared/error-handler';
import { RouteNotFound } from './shared/errors';

export interface HttpSettings {
  /** As Express takes it. */
  readonly trustProxy: boolean | number | readonly string[];
}
export const HttpSettings = token<HttpSettings>('HttpSettings');

/** The whole service as one Express application, in the order in which a request passes it. `isDraining`: the process is about to stop. */
export function createApp(container: Container, isDraining = () => false): Express {
  const log = container.get(Log);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', container.get(HttpSettings).trustProxy);

  app.use(requestLog(log));
  app.use(transportSecurity, apiHeaders(), requireHost, requireTarget);
  app.use('/api', container.get(ApiRouter).router, notFound);
  app.use(container.get(CompatRouter).router);
  app.use(container.get(McpRouter).router);
  app.use(container.get(TokenExchange).router);
  app.use(healthRoutes(container, isDraining));
  app.use(docsRoutes());
  app.use(container.get(ConnectRoutes).router);
  app.use(container.get(BackChannelLogout).router);
  app.use(container.get(DashboardRouter).router);
  app.use(notFound);
  app.use(errorHandler(log));
  return app;
}

function healthRoutes(container: Container, isDraining: () => boolean): Router {
  const limitsStore = container.isBound(LimitsStoreProbe) ? container.get(LimitsStoreProbe) : undefined;
  return new HealthRoutes(container.get(Readiness), isDraining, limitsStore).router;
}

function notFound(): never {
  throw new RouteNotFound();
}
