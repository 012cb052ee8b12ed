import { token } from '../../application/ports/inject';
import { RECORD_FILTERS } from '../../application/dns/records/list-records';
import { DOMAIN_FILTERS } from '../../application/portfolio/domain-filters';
import type { Scope } from '../../domain/access/api-key';
import type { ReadHandler, WriteHandler } from './api-request';
import { BULK_JSON_BODY, LARGE_JSON_BODY, ZONE_FILE_BODY, type BodyReader } from './request-body';
import type { BulkController } from './controllers/bulk-controller';
import type { DsController } from './controllers/dns/ds-controller';
import type { DomainsController } from './controllers/domains-controller';
import type { HealthController } from './controllers/health-controller';
import type { KeysController } from './controllers/keys-controller';
import type { ImportsController } from './controllers/imports-controller';
import type { OperationsController } from './controllers/operations-controller';
import type { PublicationController } from './controllers/dns/publication-controller';
import type { RecordsController } from './controllers/dns/records-controller';
import type { RegistrationController } from './controllers/registration-controller';
import type { OtherRegistrarController, SandboxController } from './controllers/sandbox-controller';
import type { SettingsController, TransferOutController } from './controllers/settings-controller';
import type { SigningController } from './controllers/dns/signing-controller';
import type { TemplatesController } from './controllers/dns/templates-controller';
import type { TransfersController } from './controllers/transfers-controller';
import type { ZoneSourcesController } from './controllers/dns/zone-sources-controller';
import type { ZoneController } from './controllers/dns/zone-controller';

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

type ReadRoute =
  | readonly [method: 'get', path: string, scope: Scope, handler: ReadHandler, options?: RouteOptions]
  | readonly [method: 'post', path: string, scope: 'READ', handler: ReadHandler, options?: RouteOptions];
/** Accepts an Idempotency-Key. A handler that needs a `WriteRequest` compiles in such a route only. */
type WriteRoute = readonly [
  method: 'post' | 'put' | 'delete',
  path: string,
  scope: 'WRITE' | 'ADMIN',
  handler: WriteHandler,
  options?: RouteOptions,
];
export type Route = ReadRoute | WriteRoute;
export type ApiRoutes = readonly Route[];
export const ApiRoutes = token<ApiRoutes>('ApiRoutes');

export function isWrite(route: Route): route is WriteRoute {
  return route[0] !== 'get' && route[2] !== 'READ';
}

/** The cost of a request that asks registries for many names, or reads a whole zone. */
const WIDE = 5;
/** The cost of a request that validates and writes many records. */
const BULK = 10;
const PAGE = ['limit', 'cursor'];
const ZONE_CHANGE = { query: ['dry_run', 'wait'] };

interface Controllers {
  readonly domains: DomainsController;
  readonly registration: RegistrationController;
  readonly settings: SettingsController;
  readonly transferOut: TransferOutController;
  readonly signing: SigningController;
  readonly ds: DsController;
  readonly records: RecordsController;
  readonly templates: TemplatesController;
  readonly zone: ZoneController;
  readonly health: HealthController;
  readonly publication: PublicationController;
  readonly operations: OperationsController;
  readonly transfers: TransfersController;
  readonly imports: ImportsController;
  readonly bulk: BulkController;
  readonly zoneSources: ZoneSourcesController;
  readonly keys: KeysController;
  /** Only with a simulated registry. */
  readonly sandbox?: SandboxController | undefined;
  readonly otherRegistrar?: OtherRegistrarController | undefined;
}

/** All routes of the API, relative to /api. */
export function apiRoutes({
  domains,
  registration,
  settings,
  transferOut,
  signing,
  ds,
  records,
  templates,
  zone,
  health,
  publication,
  operations,
  transfers,
  imports,
  bulk,
  zoneSources,
  keys,
  sandbox,
  otherRegistrar,
}: Controllers): ApiRoutes {
  return [
    ['get', '/domains', 'READ', domains.list.bind(domains), { query: [...PAGE, 'sort', 'total', ...DOMAIN_FILTERS] }],
    ['post', '/domains', 'WRITE', registration.register.bind(registration)],
    ['get', '/domains/by-name/:name', 'READ', domains.readByName.bind(domains)],
    ['post', '/domains/search', 'READ', registration.search.bind(registration), { cost: WIDE }],
    ['post', '/domains/quote', 'READ', registration.quote.bind(registration), { cost: WIDE }],
    ['get', '/tlds', 'READ', registration.tlds.bind(registration), { query: PAGE, cost: WIDE }],
    ['get', '/domains/:id', 'READ', domains.read.bind(domains)],
    ['put', '/domains/:id/nameservers', 'WRITE', settings.putNameservers.bind(settings)],
    ['put', '/domains/:id/contacts', 'WRITE', settings.putContacts.bind(settings)],
    ['put', '/domains/:id/autorenew', 'WRITE', settings.putAutoRenewal.bind(settings)],
    ['put', '/domains/:id/tags', 'WRITE', bulk.putTags.bind(bulk)],
    ['put', '/domains/:id/transfer-lock', 'WRITE', transferOut.putTransferLock.bind(transferOut)],
    ['post', '/domains/:id/auth-code', 'WRITE', transferOut.postAuthCode.bind(transferOut)],
    ['post', '/domains/:id/transfer-out/approve', 'WRITE', transferOut.approveTransferOut.bind(transferOut)],
    ['post', '/domains/:id/transfer-out/reject', 'WRITE', transferOut.rejectTransferOut.bind(transferOut)],
    ['post', '/domains/:id/release', 'ADMIN', transferOut.release.bind(transferOut)],
    ['post', '/domains/:id/renew', 'WRITE', registration.renew.bind(registration)],
    ['post', '/domains/:id/restore', 'WRITE', registration.restore.bind(registration)],
    ['delete', '/domains/:id', 'WRITE', registration.remove.bind(registration)],
    ['get', '/domains/:id/dnssec', 'READ', signing.read.bind(signing)],
    ['put', '/domains/:id/dnssec', 'WRITE', signing.put.bind(signing)],
    ['post', '/domains/:id/dnssec/roll', 'WRITE', signing.roll.bind(signing)],
    ['get', '/domains/:id/dnssec/ds', 'READ', ds.read.bind(ds), { cost: WIDE }],
    ['put', '/domains/:id/dnssec/ds', 'WRITE', ds.put.bind(ds), { cost: WIDE }],
    ['get', '/domains/:id/health', 'READ', health.read.bind(health)],
    ['post', '/domains/:id/health', 'READ', health.check.bind(health), { cost: BULK }],
    ['get', '/domains/:id/operations', 'READ', operations.list.bind(operations), { query: PAGE }],
    ['get', '/operations/:id', 'READ', operations.read.bind(operations)],
    ['get', '/transfers', 'READ', transfers.list.bind(transfers), { query: PAGE }],
    ['post', '/transfers', 'WRITE', transfers.request.bind(transfers), { query: ['dry_run'] }],
    ['get', '/transfers/:id', 'READ', transfers.read.bind(transfers)],
    ['post', '/transfers/:id/cancel', 'WRITE', transfers.cancel.bind(transfers)],
    ['post', '/imports', 'ADMIN', imports.start.bind(imports), { body: LARGE_JSON_BODY, cost: BULK }],
    ['get', '/imports/:id', 'READ', imports.read.bind(imports)],
    ['get', '/bulk', 'READ', bulk.list.bind(bulk), { cost: WIDE }],
    ['post', '/bulk', 'WRITE', bulk.start.bind(bulk), { body: BULK_JSON_BODY, cost: BULK }],
    ['get', '/bulk/:id', 'READ', bulk.read.bind(bulk)],
    ['post', '/bulk/:id/retry', 'WRITE', bulk.retry.bind(bulk), { cost: BULK }],
    ['post', '/bulk/:id/undo', 'WRITE', bulk.undo.bind(bulk), { cost: BULK }],
    ['get', '/domains/:id/dns/records', 'READ', records.list.bind(records), { query: [...PAGE, ...RECORD_FILTERS] }],
    ['post', '/domains/:id/dns/records', 'WRITE', records.add.bind(records), ZONE_CHANGE],
    [
      'post',
      '/domains/:id/dns/records/batch',
      'WRITE',
      records.edit.bind(records),
      { ...ZONE_CHANGE, body: LARGE_JSON_BODY, cost: BULK },
    ],
    ['get', '/domains/:id/dns/records/:recordId', 'READ', records.read.bind(records)],
    ['put', '/domains/:id/dns/records/:recordId', 'WRITE', records.change.bind(records), ZONE_CHANGE],
    ['delete', '/domains/:id/dns/records/:recordId', 'WRITE', records.remove.bind(records), ZONE_CHANGE],
    ['post', '/domains/:id/dns/discover', 'WRITE', zoneSources.discover.bind(zoneSources), { cost: BULK }],
    ['post', '/domains/:id/nameservers/check', 'READ', zoneSources.check.bind(zoneSources), { cost: WIDE }],
    ['get', '/domains/:id/dns/status', 'READ', publication.status.bind(publication)],
    ['get', '/domains/:id/dns/zonefile', 'READ', zone.exportFile.bind(zone), { cost: WIDE }],
    [
      'put',
      '/domains/:id/dns/zonefile',
      'WRITE',
      zone.importFile.bind(zone),
      { query: [...ZONE_CHANGE.query, 'mode', 'provider_records'], body: ZONE_FILE_BODY, cost: BULK },
    ],
    ['get', '/domains/:id/dns/history', 'READ', zone.versions.bind(zone), { query: PAGE }],
    ['get', '/domains/:id/dns/history/:version', 'READ', zone.version.bind(zone), { cost: WIDE }],
    [
      'post',
      '/domains/:id/dns/history/:version/restore',
      'WRITE',
      zone.restore.bind(zone),
      { ...ZONE_CHANGE, cost: BULK },
    ],
    ['get', '/record-templates', 'READ', templates.list.bind(templates)],
    ['post', '/record-templates', 'WRITE', templates.create.bind(templates)],
    ['get', '/record-templates/:id', 'READ', templates.read.bind(templates)],
    ['put', '/record-templates/:id', 'WRITE', templates.change.bind(templates)],
    ['delete', '/record-templates/:id', 'WRITE', templates.remove.bind(templates)],
    ['post', '/domains/:id/dns/template', 'WRITE', templates.apply.bind(templates), { ...ZONE_CHANGE, cost: BULK }],
    ['get', '/key', 'READ', keys.readOwn.bind(keys)],
    ['get', '/keys', 'ADMIN', keys.list.bind(keys), { query: [...PAGE, 'active'] }],
    ['post', '/keys', 'ADMIN', keys.create.bind(keys)],
    ['delete', '/keys/:id', 'ADMIN', keys.revoke.bind(keys)],
    ...(sandbox && otherRegistrar ? sandboxRoutes(sandbox, otherRegistrar) : []),
  ];
}

function sandboxRoutes(sandbox: SandboxController, otherRegistrar: OtherRegistrarController): ApiRoutes {
  return [
    ['post', '/sandbox/advance', 'ADMIN', sandbox.advance.bind(sandbox)],
    ['get', '/sandbox/faults', 'ADMIN', sandbox.listFaults.bind(sandbox)],
    ['post', '/sandbox/faults', 'ADMIN', sandbox.injectFault.bind(sandbox)],
    ['delete', '/sandbox/faults', 'ADMIN', sandbox.clearFaults.bind(sandbox)],
    ['post', '/sandbox/transfer-out', 'ADMIN', otherRegistrar.transferOut.bind(otherRegistrar)],
    ['post', '/sandbox/other-registrar/domains', 'ADMIN', otherRegistrar.registerElsewhere.bind(otherRegistrar)],
    ['post', '/sandbox/other-registrar/decisions', 'ADMIN', otherRegistrar.decideElsewhere.bind(otherRegistrar)],
    ['get', '/sandbox/ledger', 'ADMIN', sandbox.ledger.bind(sandbox), { query: ['name'] }],
  ];
}
