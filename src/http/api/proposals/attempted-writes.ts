import type { AttemptedChange } from '../../../application/access/approvals/approval-needed';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { zoneIdOf } from '../../../domain/dns/zone-id';
import type { BulkDomainAction } from '../../../domain/portfolio/bulk-job';
import { majorUnits, type Money } from '../../../domain/shared/money';
import type { OperationRequest } from '../../../domain/registration/operations/operation-request';
import { shownRules } from '../resources/access/approval-rules';
import { presentDsRecord } from '../resources/dns/signing';
import { fullRegistrant } from '../resources/registration/domains';
import type { ApiWrite } from './api-writes';

type Attempted<K extends AttemptedChange['kind']> = Extract<AttemptedChange, { kind: K }>;
type Writes<Kind extends string, Of> = { readonly [K in Kind]: (given: Extract<Of, { kind: K }>) => ApiWrite };

const WRITES: Writes<AttemptedChange['kind'], AttemptedChange> = {
  operation: operationWrite,
  records: recordsWrite,
  zone_file: ({ domainId, version, text, mode, withProviderRecords }) => ({
    method: 'PUT',
    path: `/api/domains/${domainId}/dns/zonefile?mode=${mode}&provider_records=${withProviderRecords ? 'include' : 'skip'}`,
    ifMatch: `"${version}"`,
    body: text,
  }),
  roll_back: ({ domainId, version, to }) => ({
    ...write('POST', `/domains/${domainId}/dns/history/${to}/restore`),
    ifMatch: `"${version}"`,
  }),
  signing: ({ domainId, enabled, denial }) => write('PUT', `/domains/${domainId}/dnssec`, { enabled, denial }),
  key_rollover: ({ domainId }) => write('POST', `/domains/${domainId}/dnssec/roll`),
  zone_creation: ({ zone, movesRecords }) => write('POST', '/zones', { ...zone, move_records: movesRecords }),
  zone_verification: ({ domainId, movesRecords }) =>
    write('POST', `/zones/${zoneIdOf(domainId)}/verify`, { move_records: movesRecords }),
  zone_deletion: ({ domainId }) => write('DELETE', `/zones/${zoneIdOf(domainId)}`),
  account_move: ({ domainId, toAccountId, reason }) =>
    write('POST', '/moves', { domain_id: domainId, account_id: toAccountId, reason }),
  disconnection: ({ domainId, serviceId }) => write('DELETE', `/domains/${domainId}/connected-services/${serviceId}`),
  tags: ({ domainId, tags }) => write('PUT', `/domains/${domainId}/tags`, { tags }),
  registration: ({ registrant, nameservers, idnLanguage, ...order }) =>
    write('POST', '/domains', {
      ...orderBody(order),
      contacts: { registrant: fullRegistrant(registrant) },
      nameservers,
      idn_language: idnLanguage,
    }),
  transfer: ({ registrant, authCode, ...order }) =>
    write('POST', '/transfers', { ...orderBody(order), registrant: fullRegistrant(registrant), auth_code: authCode }),
  bulk: ({ action, domainIds, currentExpiries, maxPrices }) =>
    write('POST', '/bulk', {
      action: action.kind,
      domains: domainIds,
      ...bulkBody(action),
      current_expiry: currentExpiries,
      max_price:
        maxPrices && Object.fromEntries(Object.entries(maxPrices).map(([id, price]) => [id, priceBody(price)])),
    }),
  bulk_transfer: ({ action: { kind, registrant, autoRenew }, orders }) =>
    write('POST', '/bulk', {
      action: kind,
      contacts: { registrant: fullRegistrant(registrant) },
      auto_renew: autoRenew,
      transfers: orders.map(({ name, authCode, years, maxPrice }) => ({
        name,
        auth_code: authCode || undefined,
        years,
        max_price: maxPrice && priceBody(maxPrice),
      })),
    }),
  bulk_registration: ({ action: { kind, registrant, autoRenew, nameservers }, orders }) =>
    write('POST', '/bulk', {
      action: kind,
      contacts: { registrant: fullRegistrant(registrant) },
      auto_renew: autoRenew,
      nameservers,
      registrations: orders.map(({ name, years, maxPrice, idnLanguage }) => ({
        name,
        years,
        idn_language: idnLanguage,
        max_price: maxPrice && priceBody(maxPrice),
      })),
    }),
  bulk_zone_files: ({ action: { kind, mode, withProviderRecords }, files }) =>
    write('POST', '/bulk', {
      action: kind,
      mode,
      provider_records: withProviderRecords ? 'include' : 'skip',
      zone_files: files,
    }),
  bulk_retry: ({ jobId }) => write('POST', `/bulk/${jobId}/retry`),
  bulk_undo: ({ jobId }) => write('POST', `/bulk/${jobId}/undo`),
  rules: ({ rules, version }) => ({
    ...write('PUT', '/approval-rules', { rules: shownRules(rules) }),
    ifMatch: `"${version}"`,
  }),
};

/** The write of the API that does what was attempted by other means. */
export function writeOf(attempted: AttemptedChange): ApiWrite {
  const toWrite = WRITES[attempted.kind] as (given: AttemptedChange) => ApiWrite;
  return toWrite(attempted);
}

/** Without members that are undefined, as JSON has them. */
function write(method: string, path: string, body?: object): ApiWrite {
  return { method, path: `/api${path}`, body: body && (JSON.parse(JSON.stringify(body)) as object) };
}

function operationWrite({ domainId, request, keepZone }: Attempted<'operation'>): ApiWrite {
  const at = `/domains/${domainId}`;
  const kept = keepZone === undefined ? {} : { keep_zone: keepZone };
  const writes: Partial<Writes<OperationRequest['kind'], OperationRequest>> = {
    renew: ({ years, currentExpiry, price }) =>
      write('POST', `${at}/renew`, { years, current_expiry: currentExpiry, max_price: priceBody(price) }),
    restore: ({ price }) => write('POST', `${at}/restore`, { max_price: priceBody(price) }),
    set_nameservers: ({ hosts }) => write('PUT', `${at}/nameservers`, { nameservers: hosts }),
    set_registrant: ({ registrant }) => write('PUT', `${at}/contacts`, { registrant: fullRegistrant(registrant) }),
    set_transfer_lock: ({ locked }) => write('PUT', `${at}/transfer-lock`, { transfer_locked: locked }),
    set_delegation_signers: ({ signers }) => write('PUT', `${at}/dnssec/ds`, { ds: signers.map(presentDsRecord) }),
    issue_auth_code: () => write('POST', `${at}/auth-code`),
    approve_transfer: () => write('POST', `${at}/transfer-out/approve`, kept),
    release: ({ registrarTag }) => write('POST', `${at}/release`, { registrar_tag: registrarTag, ...kept }),
    delete: () => write('DELETE', `${at}${keepZone === undefined ? '' : `?keep_zone=${keepZone}`}`),
  };
  const toWrite = writes[request.kind] as ((given: OperationRequest) => ApiWrite) | undefined;
  if (!toWrite) throw new TypeError(`rules ask no second person for ${request.kind}`);
  return toWrite(request);
}

function recordsWrite({ domainId, version, change: { added, changed, removed } }: Attempted<'records'>): ApiWrite {
  const body = {
    create: added.map((record) => recordBody(record.toState())),
    update: changed.map(({ after }) => ({ id: after.id, ...recordBody(after.toState()) })),
    delete: removed.map(({ id }) => id),
  };
  return { ...write('POST', `/domains/${domainId}/dns/records/batch`, body), ifMatch: `"${version}"` };
}

function recordBody({ type, name, content, ttl, priority, weight, port, comment, managedBy, ptr }: DnsRecordState) {
  const numbers = { priority: priority ?? undefined, weight: weight ?? undefined, port: port ?? undefined };
  return { type, name, content, ttl, ...numbers, comment, managed_by: managedBy, ptr: ptr || undefined };
}

type Order = Pick<Attempted<'transfer'>, 'name' | 'years' | 'autoRenew' | 'price'>;

function orderBody({ name, years, autoRenew, price }: Order): object {
  return { name, years, auto_renew: autoRenew, max_price: priceBody(price) };
}

export function priceBody(price: Money): object {
  return { amount: majorUnits(price), currency: price.currency };
}

const BULK_BODIES: {
  readonly [K in BulkDomainAction['kind']]: (action: Extract<BulkDomainAction, { kind: K }>) => object;
} = {
  auto_renewal: ({ autoRenew }) => ({ auto_renew: autoRenew }),
  transfer_lock: ({ locked }) => ({ transfer_locked: locked }),
  nameservers: ({ hosts }) => ({ nameservers: hosts }),
  renewal: ({ years, maxPrice }) => ({ years, max_price_each: maxPrice && priceBody(maxPrice) }),
  registrant: ({ registrant }) => ({ contacts: { registrant: fullRegistrant(registrant) } }),
  template: ({ templateId, values }) => ({ template: templateId, values }),
  tags: ({ add, remove }) => ({ add_tags: add, remove_tags: remove }),
};

/** Of a bulk job: what it does to each domain. */
export function bulkBody(action: BulkDomainAction): object {
  const toBody = BULK_BODIES[action.kind] as (given: BulkDomainAction) => object;
  return toBody(action);
}
