import type { Newable } from 'inversify';
import { RECORD_FILTERS } from '../../application/dns/records/list-records';
import { DOMAIN_FILTERS } from '../../application/portfolio/domain-filters';
import { domainIdOfZone } from '../../domain/dns/zone-id';
import { DomainNotFound, ZoneNotFound } from '../../domain/shared/domain-errors';
import type { PathParameter, ReadHandler, WriteHandler, WriteRequest } from './api-request';
import { BULK_JSON_BODY, LARGE_JSON_BODY, ZONE_FILE_BODY } from './request-body';
import type { ApiRoutes, ReadRoute, Route, WriteRoute } from './route';
import { ApprovalRulesController } from './resources/access/approval-rules';
import { BulkController } from './resources/portfolio/bulk';
import { DsController } from './resources/dns/ds-records';
import { HostedZonesController, ZONE_FILTERS } from './resources/dns/hosted-zones';
import { PublicationController, ZoneController } from './resources/dns/zones';
import { MovesController } from './resources/registration/moves';
import { ProposalsController } from './resources/access/proposals';
import { RecordsController } from './resources/dns/records';
import { ConnectedServicesController } from './resources/dns/connected-services';
import { SigningController } from './resources/dns/signing';
import { TemplatesController } from './resources/dns/templates';
import { ZoneSourcesController } from './resources/dns/zone-sources';
import { DomainsController } from './resources/registration/domains';
import { EventsController } from './resources/access/events';
import { HealthController } from './resources/health';
import { ImportsController } from './resources/imports';
import { KeysController } from './resources/access/keys';
import { OperationsController } from './resources/registration/operations';
import { RegistrationController } from './resources/registration/registration';
import { OtherRegistrarController, SandboxController } from './resources/sandbox';
import { SettingsController, TransferOutController } from './resources/registration/settings';
import { STATE_BODY, STATES_JSON_BODY } from './states/state-request-body';
import { StatesController } from './resources/portfolio/states';
import { TransfersController } from './resources/registration/transfers';
import { TrustRulesController } from './resources/access/trust-rules';
import { WebhooksController } from './resources/access/webhooks';

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

const DOMAIN = '/domains/:id/';
const ZONES = '/zones';

/** The routes of what every zone has, below domains and below zones. */
function routesOfZones<C>(type: Newable<C>, routes: readonly RouteOf<C>[]): ControllerRoutes {
  return (getController) => {
    const ofDomains = routesOf(type, routes)(getController);
    const shared = ofDomains.filter(([, path]) => path.startsWith(DOMAIN));
    return [...ofDomains, ...shared.map((route) => withPath(route, route[1].replace(DOMAIN, `${ZONES}/:id/`)))];
  };
}

function withPath([method, , scope, handler, options]: Route, path: string): Route {
  return [method, path, scope, handler, options] as Route;
}

/** Handlers know a zone by the id of its name. */
function withZoneIds([method, path, scope, handler, options]: Route): Route {
  const handleZone = async (request: WriteRequest<PathParameter>) => {
    try {
      const params = { ...request.params, id: domainIdOfZone(request.params.id ?? '') };
      return await (handler as WriteHandler)({ ...request, params });
    } catch (error) {
      if (error instanceof DomainNotFound) throw new ZoneNotFound();
      throw error;
    }
  };
  Object.defineProperty(handleZone, 'name', { value: handler.name });
  return [method, path, scope, handleZone, options] as Route;
}

/** The cost of a request that asks registries for many names, or reads a whole zone. */
const WIDE = 5;
/** The cost of a request that validates and writes many records. */
const BULK = 10;
/** The cost of up to 100 plans. */
const MANY_PLANS = 20;
const PAGE = ['limit', 'cursor'];
const ZONE_CHANGE = { query: ['dry_run', 'wait'] };
const STATE = { query: ['dry_run', 'format', 'managed_by'], body: STATE_BODY, cost: BULK };

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
    ['delete', '/domains/:id', 'WRITE', 'remove', { query: ['keep_zone'] }],
  ]),
  routesOf(SettingsController, [
    ['put', '/domains/:id/nameservers', 'WRITE', 'putNameservers'],
    ['put', '/domains/:id/contacts', 'WRITE', 'putContacts'],
    ['put', '/domains/:id/autorenew', 'WRITE', 'putAutoRenewal'],
    ['put', '/domains/:id/keep-zone', 'WRITE', 'putKeepZone'],
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
  routesOfZones(SigningController, [
    ['get', '/domains/:id/dnssec', 'READ', 'read'],
    ['put', '/domains/:id/dnssec', 'WRITE', 'put'],
    ['post', '/domains/:id/dnssec/roll', 'WRITE', 'roll'],
  ]),
  routesOf(DsController, [
    ['get', '/domains/:id/dnssec/ds', 'READ', 'read', { cost: WIDE }],
    ['put', '/domains/:id/dnssec/ds', 'WRITE', 'put', { cost: WIDE }],
  ]),
  routesOfZones(HealthController, [
    ['get', '/domains/:id/health', 'READ', 'read'],
    ['post', '/domains/:id/health', 'READ', 'check', { cost: BULK }],
  ]),
  routesOf(OperationsController, [
    ['get', '/domains/:id/operations', 'READ', 'list', { query: PAGE }],
    ['get', '/operations', 'READ', 'listAll', { query: PAGE }],
    ['get', '/operations/:id', 'READ', 'read'],
  ]),
  routesOf(EventsController, [
    ['get', '/events', 'READ', 'list', { query: ['after', 'types', 'domain', 'limit', 'wait'] }],
  ]),
  routesOf(WebhooksController, [
    ['get', '/webhooks', 'ADMIN', 'list'],
    ['post', '/webhooks', 'ADMIN', 'create'],
    ['get', '/webhooks/:id', 'ADMIN', 'read'],
    ['put', '/webhooks/:id', 'ADMIN', 'change'],
    ['delete', '/webhooks/:id', 'ADMIN', 'remove'],
    ['post', '/webhooks/:id/rotate-secret', 'ADMIN', 'rotateSecret'],
    ['post', '/webhooks/:id/test', 'ADMIN', 'test'],
    ['post', '/webhooks/:id/pause', 'ADMIN', 'pause'],
    ['post', '/webhooks/:id/resume', 'ADMIN', 'resume'],
    ['get', '/webhooks/:id/deliveries', 'ADMIN', 'deliveries', { query: [...PAGE, 'status'] }],
    ['post', '/webhooks/:id/deliveries/:deliveryId/resend', 'ADMIN', 'resend'],
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
  routesOf(HostedZonesController, [
    ['get', '/zones', 'READ', 'list', { query: [...PAGE, ...ZONE_FILTERS] }],
    ['post', '/zones', 'WRITE', 'create', { query: ['dry_run'], body: LARGE_JSON_BODY, cost: WIDE }],
    ['get', '/zones/by-name/:name', 'READ', 'readByName'],
    ['get', '/zones/:id', 'READ', 'read'],
    ['post', '/zones/:id/verify', 'WRITE', 'verify', { cost: WIDE }],
    ['put', '/zones/:id/tags', 'WRITE', 'putTags'],
    ['delete', '/zones/:id', 'WRITE', 'remove'],
  ]),
  routesOfZones(RecordsController, [
    ['get', '/domains/:id/dns/records', 'READ', 'list', { query: [...PAGE, ...RECORD_FILTERS] }],
    ['post', '/domains/:id/dns/records', 'WRITE', 'add', ZONE_CHANGE],
    ['post', '/domains/:id/dns/records/batch', 'WRITE', 'edit', { ...ZONE_CHANGE, body: LARGE_JSON_BODY, cost: BULK }],
    ['get', '/domains/:id/dns/records/:recordId', 'READ', 'read'],
    ['put', '/domains/:id/dns/records/:recordId', 'WRITE', 'change', ZONE_CHANGE],
    ['delete', '/domains/:id/dns/records/:recordId', 'WRITE', 'remove', ZONE_CHANGE],
  ]),
  routesOfZones(ZoneSourcesController, [['post', '/domains/:id/dns/discover', 'WRITE', 'discover', { cost: BULK }]]),
  routesOf(ZoneSourcesController, [['post', '/domains/:id/nameservers/check', 'READ', 'check', { cost: WIDE }]]),
  routesOfZones(PublicationController, [['get', '/domains/:id/dns/status', 'READ', 'status']]),
  routesOfZones(ZoneController, [
    ['get', '/domains/:id/dns/zonefile', 'READ', 'exportFile', { cost: WIDE }],
    [
      'put',
      '/domains/:id/dns/zonefile',
      'WRITE',
      'importFile',
      { query: [...ZONE_CHANGE.query, 'mode', 'provider_records'], body: ZONE_FILE_BODY, cost: BULK },
    ],
    ['get', '/domains/:id/dns/history', 'READ', 'versions', { query: [...PAGE, 'record'] }],
    ['get', '/domains/:id/dns/history/:version', 'READ', 'version', { cost: WIDE }],
    ['post', '/domains/:id/dns/history/:version/restore', 'WRITE', 'restore', { ...ZONE_CHANGE, cost: BULK }],
  ]),
  routesOfZones(TemplatesController, [
    ['get', '/record-templates', 'READ', 'list'],
    ['post', '/record-templates', 'WRITE', 'create'],
    ['get', '/record-templates/:id', 'READ', 'read'],
    ['put', '/record-templates/:id', 'WRITE', 'change'],
    ['delete', '/record-templates/:id', 'WRITE', 'remove'],
    ['post', '/domains/:id/dns/template', 'WRITE', 'apply', { ...ZONE_CHANGE, cost: BULK }],
  ]),
  routesOfZones(ConnectedServicesController, [
    ['get', '/domains/:id/connected-services', 'READ', 'list'],
    ['delete', '/domains/:id/connected-services/:serviceId', 'WRITE', 'remove', ZONE_CHANGE],
    ['get', '/domains/:id/domain-connect', 'READ', 'readSwitch'],
    ['put', '/domains/:id/domain-connect', 'WRITE', 'putSwitch'],
  ]),
  routesOf(StatesController, [
    ['get', '/domains/by-name/:name/state', 'READ', 'read', { cost: WIDE }],
    ['get', '/zones/by-name/:name/state', 'READ', 'read', { cost: WIDE }],
    ['put', '/domains/by-name/:name/state', 'WRITE', 'put', STATE],
    ['put', '/zones/by-name/:name/state', 'WRITE', 'put', STATE],
    ['get', '/states/drifted', 'READ', 'drifted', { query: PAGE }],
    ['post', '/states/plan', 'READ', 'plan', { body: STATES_JSON_BODY, cost: MANY_PLANS }],
  ]),
  routesOf(ProposalsController, [
    ['get', '/proposals', 'READ', 'list', { query: [...PAGE, 'undecided'] }],
    ['post', '/proposals', 'WRITE', 'propose', { body: LARGE_JSON_BODY, cost: BULK }],
    ['get', '/proposals/:id', 'READ', 'read'],
    ['post', '/proposals/:id/accept', 'WRITE', 'accept', { cost: BULK }],
    ['post', '/proposals/:id/reject', 'WRITE', 'reject'],
    ['post', '/proposals/:id/withdraw', 'WRITE', 'withdraw'],
  ]),
  routesOf(MovesController, [
    ['get', '/moves', 'READ', 'list', { query: [...PAGE, 'direction', 'open'] }],
    ['post', '/moves', 'WRITE', 'propose', { cost: BULK }],
    ['get', '/moves/:id', 'READ', 'read'],
    ['post', '/moves/:id/accept', 'WRITE', 'accept', { cost: BULK }],
    ['post', '/moves/:id/reject', 'WRITE', 'reject'],
    ['post', '/moves/:id/withdraw', 'WRITE', 'withdraw'],
  ]),
  routesOf(ApprovalRulesController, [
    ['get', '/approval-rules', 'ADMIN', 'read'],
    ['put', '/approval-rules', 'ADMIN', 'put'],
  ]),
  routesOf(KeysController, [
    ['get', '/key', 'READ', 'readOwn'],
    ['get', '/keys', 'ADMIN', 'list', { query: [...PAGE, 'active'] }],
    ['post', '/keys', 'ADMIN', 'create'],
    ['delete', '/keys/:id', 'ADMIN', 'revoke'],
  ]),
  routesOf(TrustRulesController, [
    ['get', '/trust-rules', 'ADMIN', 'list'],
    ['post', '/trust-rules', 'ADMIN', 'create'],
    ['get', '/trust-rules/:id', 'ADMIN', 'read'],
    ['put', '/trust-rules/:id', 'ADMIN', 'change'],
    ['delete', '/trust-rules/:id', 'ADMIN', 'remove'],
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
  const routes = [...ROUTES, ...(sandbox ? SANDBOX_ROUTES : [])].flatMap((each) => each(getController));
  return routes.map((route) => (route[1].startsWith(ZONES) ? withZoneIds(route) : route));
}
