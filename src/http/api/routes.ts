import type { RequestHandler } from 'express';
import type { Scope } from '../../domain/access/scope';
import type { ApiHandler } from './caller';
import type { DomainsController } from './controllers/domains-controller';
import type { OperationsController } from './controllers/operations-controller';
import type { PublicationController } from './controllers/publication-controller';
import type { RecordsController } from './controllers/records-controller';
import type { RegistrationController } from './controllers/registration-controller';
import type { SandboxController } from './controllers/sandbox-controller';
import type { SettingsController } from './controllers/settings-controller';
import type { ZoneController } from './controllers/zone-controller';
import { largeJsonBody, zoneFileBody } from './middleware/request-body';

interface RouteOptions {
  /** JSON of at most 256 KiB if absent. */
  readonly body?: RequestHandler | readonly RequestHandler[];
  /** Units of the account's rate limit; 1 if absent. */
  readonly cost?: number;
  /** The query parameters of the route, `token` aside; all others are refused. None if absent. */
  readonly query?: readonly string[];
}

export type Route = readonly [
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  scope: Scope,
  handler: ApiHandler,
  options?: RouteOptions,
];

/** Of requests that ask registries for many names, or read a whole zone. */
const WIDE = 5;
/** Of requests that judge and write many records. */
const BULK = 10;
const PAGE = ['limit', 'cursor'];
const ZONE_CHANGE = { query: ['dry_run', 'wait'] };

/** Such a request takes an Idempotency-Key. */
export function changesSomething([method, , scope]: Route): boolean {
  return scope !== 'READ' && method !== 'get';
}

interface Controllers {
  readonly domains: DomainsController;
  readonly registration: RegistrationController;
  readonly settings: SettingsController;
  readonly records: RecordsController;
  readonly zone: ZoneController;
  readonly publication: PublicationController;
  readonly operations: OperationsController;
  /** Only with a simulated registry. */
  readonly sandbox?: SandboxController | undefined;
}

/** The interface at a glance, below /api. */
export function apiRoutes({
  domains,
  registration,
  settings,
  records,
  zone,
  publication,
  operations,
  sandbox,
}: Controllers): readonly Route[] {
  return [
    ['get', '/domains', 'READ', domains.list, { query: [...PAGE, 'status', 'name'] }],
    ['post', '/domains', 'WRITE', registration.register],
    ['get', '/domains/by-name/:name', 'READ', domains.readByName],
    ['post', '/domains/search', 'READ', registration.search, { cost: WIDE }],
    ['post', '/domains/quote', 'READ', registration.quote, { cost: WIDE }],
    ['get', '/domains/:id', 'READ', domains.read],
    ['put', '/domains/:id/nameservers', 'WRITE', settings.putNameservers],
    ['put', '/domains/:id/contacts', 'WRITE', settings.putContacts],
    ['put', '/domains/:id/autorenew', 'WRITE', settings.putAutoRenewal],
    ['put', '/domains/:id/transfer-lock', 'WRITE', settings.putTransferLock],
    ['post', '/domains/:id/auth-code', 'WRITE', settings.postAuthCode],
    ['post', '/domains/:id/renew', 'WRITE', registration.renew],
    ['post', '/domains/:id/restore', 'WRITE', registration.restore],
    ['delete', '/domains/:id', 'WRITE', registration.remove],
    ['get', '/domains/:id/operations', 'READ', operations.list, { query: PAGE }],
    ['get', '/operations/:id', 'READ', operations.read],
    ['get', '/domains/:id/dns/records', 'READ', records.list, { query: [...PAGE, 'type', 'name'] }],
    ['post', '/domains/:id/dns/records', 'WRITE', records.add, ZONE_CHANGE],
    [
      'post',
      '/domains/:id/dns/records/batch',
      'WRITE',
      records.edit,
      { ...ZONE_CHANGE, body: largeJsonBody, cost: BULK },
    ],
    ['put', '/domains/:id/dns/records/:recordId', 'WRITE', records.change, ZONE_CHANGE],
    ['delete', '/domains/:id/dns/records/:recordId', 'WRITE', records.remove, ZONE_CHANGE],
    ['get', '/domains/:id/dns/status', 'READ', publication.status],
    ['get', '/domains/:id/dns/zonefile', 'READ', zone.exportFile, { cost: WIDE }],
    ['put', '/domains/:id/dns/zonefile', 'WRITE', zone.importFile, { ...ZONE_CHANGE, body: zoneFileBody, cost: BULK }],
    ['get', '/domains/:id/dns/history', 'READ', zone.versions, { query: PAGE }],
    ['get', '/domains/:id/dns/history/:version', 'READ', zone.version, { cost: WIDE }],
    ['post', '/domains/:id/dns/history/:version/restore', 'WRITE', zone.restore, { ...ZONE_CHANGE, cost: BULK }],
    ...(sandbox ? sandboxRoutes(sandbox) : []),
  ];
}

function sandboxRoutes(sandbox: SandboxController): readonly Route[] {
  return [
    ['post', '/sandbox/advance', 'ADMIN', sandbox.advance],
    ['get', '/sandbox/faults', 'ADMIN', sandbox.listFaults],
    ['post', '/sandbox/faults', 'ADMIN', sandbox.orderFault],
    ['delete', '/sandbox/faults', 'ADMIN', sandbox.clearFaults],
    ['post', '/sandbox/transfer-out', 'ADMIN', sandbox.transferOut],
    ['get', '/sandbox/ledger', 'ADMIN', sandbox.ledger, { query: ['name'] }],
  ];
}
