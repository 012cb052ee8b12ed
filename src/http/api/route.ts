import { token } from '../../application/ports/inject';
import type { Scope } from '../../domain/access/api-key';
import type { ReadHandler, WriteHandler } from './api-request';
import type { BodyReader } from './request-body';

export interface RouteOptions {
  /** Default: JSON of at most 256 KiB. */
  readonly body?: BodyReader;
  /** In units of the account's rate limit. Default: 1. */
  readonly cost?: number;
  /** The route is going to be removed: every response says so. docs/openapi.yaml has it as `deprecated`, too. */
  readonly deprecated?: { readonly since: Date; readonly removal: Date };
  /** The query parameters of the route besides `token`; all others are refused. Default: none. */
  readonly query?: readonly string[];
}

export type ReadRoute<Handler = ReadHandler> =
  | readonly [method: 'get', path: string, scope: Scope, handler: Handler, options?: RouteOptions]
  | readonly [method: 'post', path: string, scope: 'READ', handler: Handler, options?: RouteOptions];
/** Accepts an Idempotency-Key. A handler that needs a `WriteRequest` compiles in such a route only. */
export type WriteRoute<Handler = WriteHandler> = readonly [
  method: 'post' | 'put' | 'delete',
  path: string,
  scope: 'WRITE' | 'ADMIN',
  handler: Handler,
  options?: RouteOptions,
];
export type Route = ReadRoute | WriteRoute;
export type ApiRoutes = readonly Route[];
export const ApiRoutes = token<ApiRoutes>('ApiRoutes');

export function isWrite(route: Route): route is WriteRoute {
  return route[0] !== 'get' && route[2] !== 'READ';
}
