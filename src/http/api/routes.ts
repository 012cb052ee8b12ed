import type { Newable } from 'inversify';
import { token } from '../../application/ports/inject';
import { RECORD_FILTERS } from '../../application/dns/records/list-records';
import { DOMAIN_FILTERS } from '../../application/portfolio/domain-filters';
import type { Scope } from '../../domain/access/api-key';
import type { ReadHandler, WriteHandler } from './api-request';
import { BULK_JSON_BODY, LARGE_JSON_BODY, ZONE_FILE_BODY, type BodyReader } from './request-body';
import { BulkController } from './resources/bulk';
import { DsController } from './resources/dns/ds-records';
import { PublicationController } from './resources/dns/publication';
import { RecordsController } from './resources/dns/records';
import { SigningController } from './resources/dns/signing';
import { TemplatesController } from './resources/dns/templates';
import { ZoneSourcesController } from './resources/dns/zone-sources';
import { ZoneController } from './resources/dns/zones';
import { DomainsController } from './resources/domains';
import { HealthController } from './resources/health';
import { ImportsController } from './resources/imports';
import { KeysController } from './resources/keys';
import { OperationsController } from './resources/operations';
import { RegistrationController } from './resources/registration';
import { OtherRegistrarController, SandboxController } from './resources/sandbox';
import { SettingsController, TransferOutController } from './resources/settings';
import { TransfersController } from './resources/transfers';

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

type ReadRoute<Handler = ReadHandler> =
  | readonly [method: 'get', path: string, scope: Scope, handler: Handler, options?: RouteOptions]
  | readonly [method: 'post', path: string, scope: 'READ', handler: Handler, options?: RouteOptions];
/** Accepts an Idempotency-Key. A handler that needs a `WriteRequest` compiles in such a route only. */
type WriteRoute<Handler = WriteHandler> = readonly [
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

/** The names of a controller's methods that can handle such a route. */
type Handling<C, Handler> = { [Name in keyof C]: C[Name] extends Handler ? Name : never }[keyof C];
type RouteOf<C> = ReadRoute<Handling<C, ReadHandler>> | WriteRoute<Handling<C, WriteHandler>>;
type GetController = <C>(controller: Newable<C>) => C;
type ControllerRoutes = (getController: GetController) => ApiRoutes;

function routesOf<C>(type: Newable<C>, routes: readonly RouteOf<C>[]): ControllerRoutes {
  return (getController) => {
    const controller = getController(type);
    return routes.map(([method, path, scope, name, options]) => {
      const handler = (controller[name] as WriteHandler).bind(controller);
      return [method, path, scope, handler, options] as unknown as Route;
    });
  };
}

/** The cost of a request that asks registries for many names, or reads a whole zone. */
const WIDE = 5;
/** The cost of a request that validates and writes many records. */
const BULK = 10;
const PAGE = ['limit', 'cursor'];
const ZONE_CHANGE = { query: ['dry_run', 'wait'] };

/** All routes of the API, relative to /api. */
const ROUTES: readonly ControllerRoutes[] = [
  routesOf(DomainsController, [
    ['get', '/domains', 'READ', 'list', { query: [...PAGE, 'sort', 'total', ...DOMAIN_FILTERS] }],
    ['get', '/domains/by-name/:name', 'READ', 'readByName'],
    ['get', '/domains/:id', 'READ', 'read'],
  ]),
  routesOf(RegistrationController, [
    ['post', '/domains', 'WRITE', 'register'],
    ['post', '/domains/search', 'READ', 'search', { cost: WIDE }],
    ['post', '/domains/quote', 'READ', 'quote', { cost: WIDE }],
    ['get', '/tlds', 'READ', 'tlds', { query: PAGE, cost: WIDE }],
    ['post', '/domains/:id/renew', 'WRITE', 'renew'],
    ['post', '/domains/:id/restore', 'WRITE', 'restore'],
    ['delete', '/domains/:id', 'WRITE', 'remove'],
  ]),
  routesOf(SettingsController, [
    ['put', '/domains/:id/nameservers', 'WRITE', 'putNameservers'],
    ['put', '/domains/:id/contacts', 'WRITE', 'putContacts'],
    ['put', '/domains/:id/autorenew', 'WRITE', 'putAutoRenewal'],
  ]),
  routesOf(BulkController, [
    ['put', '/domains/:id/tags', 'WRITE', 'putTags'],
    ['get', '/bulk', 'READ', 'list', { cost: WIDE }],
    ['post', '/bulk', 'WRITE', 'start', { body: BULK_JSON_BODY, cost: BULK }],
    ['get', '/bulk/:id', 'READ', 'read'],
    ['post', '/bulk/:id/retry', 'WRITE', 'retry', { cost: BULK }],
    ['post', '/bulk/:id/undo', 'WRITE', 'undo', { cost: BULK }],
  ]),
  routesOf(TransferOutController, [
    ['put', '/domains/:id/transfer-lock', 'WRITE', 'putTransferLock'],
    ['post', '/domains/:id/auth-code', 'WRITE', 'postAuthCode'],
    ['post', '/domains/:id/transfer-out/approve', 'WRITE', 'approveTransferOut'],
    ['post', '/domains/:id/transfer-out/reject', 'WRITE', 'rejectTransferOut'],
    ['post', '/domains/:id/release', 'ADMIN', 'release'],
  ]),
  routesOf(SigningController, [
    ['get', '/domains/:id/dnssec', 'READ', 'read'],
    ['put', '/domains/:id/dnssec', 'WRITE', 'put'],
    ['post', '/domains/:id/dnssec/roll', 'WRITE', 'roll'],
  ]),
  routesOf(DsController, [
    ['get', '/domains/:id/dnssec/ds', 'READ', 'read', { cost: WIDE }],
    ['put', '/domains/:id/dnssec/ds', 'WRITE', 'put', { cost: WIDE }],
  ]),
  routesOf(HealthController, [
    ['get', '/domains/:id/health', 'READ', 'read'],
    ['post', '/domains/:id/health', 'READ', 'check', { cost: BULK }],
  ]),
  routesOf(OperationsController, [
    ['get', '/domains/:id/operations', 'READ', 'list', { query: PAGE }],
    ['get', '/operations/:id', 'READ', 'read'],
  ]),
  routesOf(TransfersController, [
    ['get', '/transfers', 'READ', 'list', { query: PAGE }],
    ['post', '/transfers', 'WRITE', 'request', { query: ['dry_run'] }],
    ['get', '/transfers/:id', 'READ', 'read'],
    ['post', '/transfers/:id/cancel', 'WRITE', 'cancel'],
  ]),
  routesOf(ImportsController, [
    ['post', '/imports', 'ADMIN', 'start', { body: LARGE_JSON_BODY, cost: BULK }],
    ['get', '/imports/:id', 'READ', 'read'],
  ]),
  routesOf(RecordsController, [
    ['get', '/domains/:id/dns/records', 'READ', 'list', { query: [...PAGE, ...RECORD_FILTERS] }],
    ['post', '/domains/:id/dns/records', 'WRITE', 'add', ZONE_CHANGE],
    ['post', '/domains/:id/dns/records/batch', 'WRITE', 'edit', { ...ZONE_CHANGE, body: LARGE_JSON_BODY, cost: BULK }],
    ['get', '/domains/:id/dns/records/:recordId', 'READ', 'read'],
    ['put', '/domains/:id/dns/records/:recordId', 'WRITE', 'change', ZONE_CHANGE],
    ['delete', '/domains/:id/dns/records/:recordId', 'WRITE', 'remove', ZONE_CHANGE],
  ]),
  routesOf(ZoneSourcesController, [
    ['post', '/domains/:id/dns/discover', 'WRITE', 'discover', { cost: BULK }],
    ['post', '/domains/:id/nameservers/check', 'READ', 'check', { cost: WIDE }],
  ]),
  routesOf(PublicationController, [['get', '/domains/:id/dns/status', 'READ', 'status']]),
  routesOf(ZoneController, [
    ['get', '/domains/:id/dns/zonefile', 'READ', 'exportFile', { cost: WIDE }],
    [
      'put',
      '/domains/:id/dns/zonefile',
      'WRITE',
      'importFile',
      { query: [...ZONE_CHANGE.query, 'mode', 'provider_records'], body: ZONE_FILE_BODY, cost: BULK },
    ],
    ['get', '/domains/:id/dns/history', 'READ', 'versions', { query: PAGE }],
    ['get', '/domains/:id/dns/history/:version', 'READ', 'version', { cost: WIDE }],
    ['post', '/domains/:id/dns/history/:version/restore', 'WRITE', 'restore', { ...ZONE_CHANGE, cost: BULK }],
  ]),
  routesOf(TemplatesController, [
    ['get', '/record-templates', 'READ', 'list'],
    ['post', '/record-templates', 'WRITE', 'create'],
    ['get', '/record-templates/:id', 'READ', 'read'],
    ['put', '/record-templates/:id', 'WRITE', 'change'],
    ['delete', '/record-templates/:id', 'WRITE', 'remove'],
    ['post', '/domains/:id/dns/template', 'WRITE', 'apply', { ...ZONE_CHANGE, cost: BULK }],
  ]),
  routesOf(KeysController, [
    ['get', '/key', 'READ', 'readOwn'],
    ['get', '/keys', 'ADMIN', 'list', { query: [...PAGE, 'active'] }],
    ['post', '/keys', 'ADMIN', 'create'],
    ['delete', '/keys/:id', 'ADMIN', 'revoke'],
  ]),
];

/** Only with a simulated registry. */
const SANDBOX_ROUTES: readonly ControllerRoutes[] = [
  routesOf(SandboxController, [
    ['post', '/sandbox/advance', 'ADMIN', 'advance'],
    ['get', '/sandbox/faults', 'ADMIN', 'listFaults'],
    ['post', '/sandbox/faults', 'ADMIN', 'injectFault'],
    ['delete', '/sandbox/faults', 'ADMIN', 'clearFaults'],
    ['get', '/sandbox/ledger', 'ADMIN', 'ledger', { query: ['name'] }],
  ]),
  routesOf(OtherRegistrarController, [
    ['post', '/sandbox/transfer-out', 'ADMIN', 'transferOut'],
    ['post', '/sandbox/other-registrar/domains', 'ADMIN', 'registerElsewhere'],
    ['post', '/sandbox/other-registrar/decisions', 'ADMIN', 'decideElsewhere'],
  ]),
];

export function apiRoutes(getController: GetController, { sandbox }: { readonly sandbox: boolean }): ApiRoutes {
  return [...ROUTES, ...(sandbox ? SANDBOX_ROUTES : [])].flatMap((routes) => routes(getController));
}
