import { token } from '../../application/ports/inject';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { Scope } from '../../domain/access/api-key';
import type { ServiceError } from '../../domain/shared/service-error';
import type { Caller } from '../api/api-authentication';
import type { BodyReader } from '../api/request-body';
import type { ResultHeaders, StreamResult } from '../shared/result';

/** A request that is authenticated, within its limits, and whose body is read. */
export interface CompatRequest {
  /** For the command of a use case. */
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** Unknown parameters are ignored, because programs of others send them. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly clientAddress: string;
  /** Whether it came over TLS, also by a trusted proxy. */
  readonly isSecure: boolean;
  /** As the route's reader returns it; undefined without one. */
  readonly body: unknown;
}

export interface CompatResult {
  readonly status: number;
  readonly headers?: ResultHeaders;
  /** Text is sent as `text/plain`, anything else as JSON, unless `headers` name the type; undefined: no body. */
  readonly body?: string | object;
}

export type CompatHandler = (request: CompatRequest) => Promise<CompatResult | StreamResult>;

interface CompatRouteOptions {
  /** Default: the body is not read. */
  readonly body?: BodyReader;
  /** In units of the account's rate limit. Default: 1. */
  readonly cost?: number;
}

export type CompatRoute = readonly [
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  scope: Scope,
  handler: CompatHandler,
  options?: CompatRouteOptions,
];

/**
 * An API of another product, for that product's clients: routes over the use cases of the REST API. Changes of records wait
 * until every secondary serves them (`waitsForPublication`), because these clients expect that a successful change is public.
 */
export interface CompatApi {
  /** The path above its routes: `/compat/powerdns`. */
  readonly prefix: string;
  readonly routes: readonly CompatRoute[];
  /** Responds with 200 to a GET without a key. */
  readonly healthPath?: string;
  /** The complete API key in a request, where this API's clients send it. */
  readonly keyOf: (req: Request) => string | undefined;
  readonly presentError: (error: ServiceError) => CompatResult;
}

/** The configured APIs. */
export type CompatApis = readonly CompatApi[];
export const CompatApis = token<CompatApis>('CompatApis');
