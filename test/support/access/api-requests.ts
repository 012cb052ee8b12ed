import type { KeyAction } from '../../../src/domain/access/key-limits';
import { REGISTRANT } from '../service/service';

export interface ApiCall {
  /** What a key needs; `whole account`: no limits of domains, records or actions; `none`: any key. */
  readonly action: KeyAction | 'whole account' | 'none';
  /** A valid body: JSON, or a zone file. `:name` stands for the domain's name. */
  readonly body?: object | string;
  readonly query?: string;
}

const RECORD = { name: 'new', type: 'A', content: '192.0.2.1' };
const DRY_RUN = '?dry_run=true';
const ZONE_FILE = 'only 300 IN TXT only\n';
const TRANSFER = { name: 'held-elsewhere.com', auth_code: 'code-of-12-chars', registrant: REGISTRANT };

const TRUST_RULE = {
  name: 'CI',
  issuer: 'https://gitlab.example.com',
  audience: 'https://names.example.com',
  claims: { project_id: '7' },
};

/** Without those below zones that domains have, too. */
const LISTED: Readonly<Record<string, ApiCall>> = {
  'get /domains': { action: 'read' },
  'post /domains': { action: 'register', body: { name: 'new.com', contacts: { registrant: REGISTRANT } } },
  'get /domains/by-name/:name': { action: 'read' },
  'post /domains/search': { action: 'read', body: { query: 'new' } },
  'post /domains/quote': { action: 'read', body: { domains: [{ name: 'new.com' }] } },
  'get /domains/:id': { action: 'read' },
  'put /domains/:id/nameservers': {
    action: 'settings',
    body: { nameservers: ['ns1.example.net', 'ns2.example.net'] },
  },
  'put /domains/:id/contacts': { action: 'settings', body: { registrant: REGISTRANT } },
  'put /domains/:id/autorenew': { action: 'settings', body: { auto_renew: true } },
  'put /domains/:id/keep-zone': { action: 'settings', body: { keep_zone: true } },
  'put /domains/:id/tags': { action: 'settings', body: { tags: ['shop'] } },
  'put /domains/:id/transfer-lock': { action: 'settings', body: { transfer_locked: true } },
  'post /domains/:id/auth-code': { action: 'transfer' },
  'post /domains/:id/transfer-out/approve': { action: 'transfer' },
  'post /domains/:id/transfer-out/reject': { action: 'transfer' },
  'post /domains/:id/release': { action: 'transfer', body: { registrar_tag: 'OTHER-TAG' } },
  'post /domains/:id/renew': { action: 'renew', body: { years: 1 } },
  'post /domains/:id/restore': { action: 'renew' },
  'delete /domains/:id': { action: 'register' },
  'get /domains/:id/dnssec': { action: 'read' },
  'put /domains/:id/dnssec': { action: 'settings', body: { enabled: false } },
  'post /domains/:id/dnssec/roll': { action: 'settings' },
  'put /domains/:id/dnssec/ds': { action: 'settings', body: { ds: [] } },
  'get /domains/:id/dnssec/ds': { action: 'read' },
  'get /domains/:id/operations': { action: 'read' },
  'get /operations': { action: 'read' },
  'get /operations/:id': { action: 'read' },
  'get /events': { action: 'read' },
  'get /trust-rules': { action: 'whole account' },
  'post /trust-rules': { action: 'whole account', body: TRUST_RULE },
  'get /trust-rules/:id': { action: 'whole account' },
  'put /trust-rules/:id': { action: 'whole account', body: TRUST_RULE },
  'delete /trust-rules/:id': { action: 'whole account' },
  'get /webhooks': { action: 'whole account' },
  'post /webhooks': { action: 'whole account', body: { url: 'https://hooks.example.com/' } },
  'get /webhooks/:id': { action: 'whole account' },
  'put /webhooks/:id': { action: 'whole account', body: { url: 'https://hooks.example.com/' } },
  'delete /webhooks/:id': { action: 'whole account' },
  'post /webhooks/:id/rotate-secret': { action: 'whole account' },
  'post /webhooks/:id/test': { action: 'whole account' },
  'post /webhooks/:id/pause': { action: 'whole account' },
  'post /webhooks/:id/resume': { action: 'whole account' },
  'get /webhooks/:id/deliveries': { action: 'whole account' },
  'post /webhooks/:id/deliveries/:deliveryId/resend': { action: 'whole account' },
  'get /approval-rules': { action: 'whole account' },
  'put /approval-rules': { action: 'whole account', body: { rules: [] } },
  'get /moves': { action: 'read' },
  'post /moves': { action: 'transfer', body: { domain_id: 'dom_1', account_id: 'acc_2', reason: 'Sold' } },
  'get /moves/:id': { action: 'read' },
  'post /moves/:id/accept': { action: 'transfer' },
  'post /moves/:id/reject': { action: 'transfer' },
  'post /moves/:id/withdraw': { action: 'transfer' },
  'get /proposals': { action: 'read' },
  'post /proposals': {
    action: 'register',
    body: {
      method: 'POST',
      path: '/api/domains',
      body: { name: 'new.com', contacts: { registrant: REGISTRANT } },
      reason: 'A new shop',
    },
  },
  'get /proposals/:id': { action: 'read' },
  'post /proposals/:id/accept': { action: 'read' },
  'post /proposals/:id/reject': { action: 'settings' },
  'post /proposals/:id/withdraw': { action: 'none' },
  'get /transfers': { action: 'read' },
  'post /transfers': { action: 'transfer', body: TRANSFER, query: DRY_RUN },
  'get /transfers/:id': { action: 'read' },
  'post /transfers/:id/cancel': { action: 'transfer' },
  'post /imports': { action: 'register', body: { registry: 'simulated' } },
  'get /imports/:id': { action: 'read' },
  'get /bulk': { action: 'read' },
  // Each domain of a job is judged alone.
  'post /bulk': { action: 'none', body: { action: 'tags', add_tags: ['shop'], domains: ['dom_1'] } },
  'get /bulk/:id': { action: 'read' },
  'post /bulk/:id/retry': { action: 'none' },
  'post /bulk/:id/undo': { action: 'none' },
  'get /zones': { action: 'read' },
  'post /zones': { action: 'register', body: { name: 'new.example' } },
  'get /zones/by-name/:name': { action: 'read' },
  'get /zones/:id': { action: 'read' },
  'delete /zones/:id': { action: 'register' },
  'post /zones/:id/verify': { action: 'register' },
  'put /zones/:id/tags': { action: 'settings', body: { tags: ['shop'] } },
  'get /domains/:id/dns/records': { action: 'read' },
  'post /domains/:id/dns/records': { action: 'write', body: RECORD, query: DRY_RUN },
  'post /domains/:id/dns/records/batch': { action: 'write', body: { create: [RECORD] }, query: DRY_RUN },
  'get /domains/:id/dns/records/:recordId': { action: 'read' },
  'put /domains/:id/dns/records/:recordId': { action: 'write', body: { content: 'changed' }, query: DRY_RUN },
  'delete /domains/:id/dns/records/:recordId': { action: 'write', query: DRY_RUN },
  'post /domains/:id/dns/discover': { action: 'write', body: { source: 'nameservers' } },
  'post /domains/:id/nameservers/check': { action: 'read' },
  'get /domains/:id/dns/status': { action: 'read' },
  'get /domains/:id/dns/zonefile': { action: 'read' },
  'put /domains/:id/dns/zonefile': { action: 'write', body: ZONE_FILE, query: DRY_RUN },
  'get /domains/:id/dns/history': { action: 'read' },
  'get /domains/:id/dns/history/:version': { action: 'read' },
  'post /domains/:id/dns/history/:version/restore': { action: 'write', query: DRY_RUN },
  'get /domains/:id/health': { action: 'read' },
  'post /domains/:id/health': { action: 'read' },
  'get /domains/by-name/:name/state': { action: 'read' },
  'get /zones/by-name/:name/state': { action: 'read' },
  'get /states/drifted': { action: 'read' },
  'post /states/plan': { action: 'none', body: { states: [{ name: ':name', state: { records: [RECORD] } }] } },
  'put /domains/by-name/:name/state': { action: 'write', body: { records: [RECORD] }, query: DRY_RUN },
  'put /zones/by-name/:name/state': { action: 'write', body: { records: [RECORD] }, query: DRY_RUN },
  'get /domains/:id/connected-services': { action: 'read' },
  'delete /domains/:id/connected-services/:serviceId': { action: 'write' },
  'get /domains/:id/domain-connect': { action: 'read' },
  'put /domains/:id/domain-connect': { action: 'write', body: { enabled: true } },
  'get /record-templates': { action: 'read' },
  'post /record-templates': { action: 'write', body: { name: 'mail', records: '@ 300 IN TXT text' } },
  'get /record-templates/:id': { action: 'read' },
  'put /record-templates/:id': { action: 'write', body: { name: 'mail', records: '@ 300 IN TXT text' } },
  'delete /record-templates/:id': { action: 'write' },
  'post /domains/:id/dns/template': { action: 'write', body: { template: 'parked' }, query: DRY_RUN },
  'get /key': { action: 'none' },
  'get /keys': { action: 'settings' },
  'delete /keys/:id': { action: 'settings' },
  'get /tlds': { action: 'read' },
  'post /keys': { action: 'settings', body: { name: 'another' } },
  'post /sandbox/advance': { action: 'whole account', body: { days: 1 } },
  'get /sandbox/faults': { action: 'whole account' },
  'post /sandbox/faults': { action: 'whole account' },
  'delete /sandbox/faults': { action: 'whole account' },
  'post /sandbox/transfer-out': { action: 'whole account' },
  'post /sandbox/other-registrar/domains': { action: 'whole account' },
  'post /sandbox/other-registrar/decisions': { action: 'whole account' },
  'get /sandbox/ledger': { action: 'read' },
};

const OF_ZONES =
  /^(?:get|post|put|delete) \/domains\/:id\/(?:dns|dnssec|health|connected-services|domain-connect)(?:$|\/(?!ds$))/;

/** Every route of the API with its action and a valid request. A new route has no action until it is listed here. */
export const API_REQUESTS: Readonly<Record<string, ApiCall>> = {
  ...LISTED,
  ...Object.fromEntries(
    Object.entries(LISTED).flatMap(([route, request]) =>
      OF_ZONES.test(route) ? [[route.replace('/domains/', '/zones/'), request]] : [],
    ),
  ),
};
