import { apiRoutes } from '../../../src/http/api/routes';

const controller = new Proxy({}, { get: () => () => undefined });

/** All routes of the API, those of the sandbox included, with handlers that do nothing. */
export const API_ROUTES = apiRoutes(() => controller as never, { sandbox: true });
