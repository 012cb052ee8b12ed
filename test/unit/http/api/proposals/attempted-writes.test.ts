import type { AttemptedChange } from '../../../../../src/application/access/approvals/approval-needed';
import type { OperationRequest } from '../../../../../src/domain/registration/operations/operation-request';
import { writeOf } from '../../../../../src/http/api/proposals/attempted-writes';
import { isWrite } from '../../../../../src/http/api/route';
import { apiRoutes } from '../../../../../src/http/api/routes';
import { A_REGISTRANT } from '../../../../support/data/a-domain';
import { aRecord } from '../../../../support/data/a-record';

const WRITES = apiRoutes((controller) => Object.create(controller.prototype as object) as never, { sandbox: false })
  .filter(isWrite)
  .map(([method, path]) => [method.toUpperCase(), new RegExp(`^/api${path.replaceAll(/:\w+/g, '[^/]+')}$`)] as const);

const price = { minor: 1_000, currency: 'USD' };
const max_price = { amount: 10, currency: 'USD' };
const domainId = 'dom_1';
const operation = (request: OperationRequest, keepZone?: boolean): AttemptedChange => ({
  kind: 'operation',
  domainId,
  request,
  ...(keepZone !== undefined && { keepZone }),
});
const order = { name: 'example.com', years: 2, registrant: A_REGISTRANT, price };
const signer = { keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB' };

describe('the write of the API for an attempted change', () => {
  it.each<[AttemptedChange, string, object | string | undefined]>([
    [operation({ kind: 'renew', years: 2, price }), 'POST /api/domains/dom_1/renew', { years: 2, max_price }],
    [operation({ kind: 'restore', price }), 'POST /api/domains/dom_1/restore', { max_price }],
    [
      operation({ kind: 'set_nameservers', hosts: ['a', 'b'] }),
      'PUT /api/domains/dom_1/nameservers',
      { nameservers: ['a', 'b'] },
    ],
    [
      operation({ kind: 'set_transfer_lock', locked: false }),
      'PUT /api/domains/dom_1/transfer-lock',
      { transfer_locked: false },
    ],
    [
      operation({ kind: 'set_delegation_signers', signers: [signer] }),
      'PUT /api/domains/dom_1/dnssec/ds',
      { ds: [{ key_tag: 1, algorithm: 13, digest_type: 2, digest: 'AB' }] },
    ],
    [operation({ kind: 'issue_auth_code' }), 'POST /api/domains/dom_1/auth-code', undefined],
    [
      operation({ kind: 'approve_transfer' }, true),
      'POST /api/domains/dom_1/transfer-out/approve',
      { keep_zone: true },
    ],
    [
      operation({ kind: 'release', registrarTag: 'TAG' }, false),
      'POST /api/domains/dom_1/release',
      { registrar_tag: 'TAG', keep_zone: false },
    ],
    [operation({ kind: 'delete', within: 'add_grace' }, true), 'DELETE /api/domains/dom_1?keep_zone=true', undefined],
    [
      { kind: 'signing', domainId, enabled: true, denial: 'nsec3' },
      'PUT /api/domains/dom_1/dnssec',
      { enabled: true, denial: 'nsec3' },
    ],
    [{ kind: 'key_rollover', domainId }, 'POST /api/domains/dom_1/dnssec/roll', undefined],
    [
      { kind: 'zone_creation', zone: { name: 'a.example' }, movesRecords: true },
      'POST /api/zones',
      { name: 'a.example', move_records: true },
    ],
    [
      { kind: 'zone_verification', domainId, movesRecords: false },
      'POST /api/zones/zone_1/verify',
      { move_records: false },
    ],
    [{ kind: 'zone_deletion', domainId }, 'DELETE /api/zones/zone_1', undefined],
    [
      { kind: 'disconnection', domainId, serviceId: 'svc_1' },
      'DELETE /api/domains/dom_1/connected-services/svc_1',
      undefined,
    ],
    [{ kind: 'tags', domainId, tags: ['a'] }, 'PUT /api/domains/dom_1/tags', { tags: ['a'] }],
    [
      { kind: 'bulk', action: { kind: 'tags', add: ['a'], remove: [] }, domainIds: [domainId] },
      'POST /api/bulk',
      { action: 'tags', add_tags: ['a'], remove_tags: [], domains: [domainId] },
    ],
    [
      {
        kind: 'bulk',
        action: { kind: 'renewal', years: 2 },
        domainIds: [domainId],
        currentExpiries: { dom_1: '2027-01-01T00:00:00.000Z' },
        maxPrices: { dom_1: price },
      },
      'POST /api/bulk',
      {
        action: 'renewal',
        years: 2,
        domains: [domainId],
        current_expiry: { dom_1: '2027-01-01T00:00:00.000Z' },
        max_price: { dom_1: max_price },
      },
    ],
    [
      { kind: 'zone_file', domainId, version: 7, text: 'www A 192.0.2.1', mode: 'add', withProviderRecords: false },
      `PUT /api/domains/${domainId}/dns/zonefile?mode=add&provider_records=skip`,
      'www A 192.0.2.1',
    ],
    [
      { kind: 'roll_back', domainId, version: 7, to: 5 },
      `POST /api/domains/${domainId}/dns/history/5/restore`,
      undefined,
    ],
    [
      {
        kind: 'bulk_registration',
        action: { kind: 'registration', registrant: A_REGISTRANT, autoRenew: false, nameservers: ['a', 'b'] },
        orders: [{ name: 'one.com', years: 2, maxPrice: price }, { name: 'two.com' }],
      },
      'POST /api/bulk',
      {
        action: 'registration',
        contacts: { registrant: expect.objectContaining({ email: A_REGISTRANT.email }) },
        auto_renew: false,
        nameservers: ['a', 'b'],
        registrations: [{ name: 'one.com', years: 2, max_price }, { name: 'two.com' }],
      },
    ],
    [
      {
        kind: 'bulk_zone_files',
        action: { kind: 'zone_files', mode: 'add', withProviderRecords: true },
        files: [
          { name: 'one.com', text: 'www A 192.0.2.1', version: 7 },
          { name: 'two.com', text: '' },
        ],
      },
      'POST /api/bulk',
      {
        action: 'zone_files',
        mode: 'add',
        provider_records: 'include',
        zone_files: [
          { name: 'one.com', text: 'www A 192.0.2.1', version: 7 },
          { name: 'two.com', text: '' },
        ],
      },
    ],
    [{ kind: 'bulk_retry', jobId: 'blk_1' }, 'POST /api/bulk/blk_1/retry', undefined],
    [{ kind: 'bulk_undo', jobId: 'blk_1' }, 'POST /api/bulk/blk_1/undo', undefined],
    [
      { kind: 'rules', version: 'v', rules: [{ changes: ['purchases'], over: price }] },
      'PUT /api/approval-rules',
      { rules: [{ changes: ['purchases'], over: { amount: 10, currency: 'USD' } }] },
    ],
  ])('has the values of %j', (attempted, expected, body) => {
    const write = writeOf(attempted);

    expect([`${write.method} ${write.path}`, write.body]).toEqual([expected, body]);
    expect(isOfRoute(write)).toBe(true);
  });

  it('orders and changes the registrant with all of its contact data', () => {
    const [register, transfer, change] = [
      writeOf({ kind: 'registration', ...order, nameservers: ['a', 'b'] }),
      writeOf({ kind: 'transfer', ...order, authCode: 'code' }),
      writeOf(operation({ kind: 'set_registrant', registrant: A_REGISTRANT })),
    ];

    const registrant = expect.objectContaining({ email: A_REGISTRANT.email, phone: A_REGISTRANT.phone });
    const ordered = { name: 'example.com', years: 2, max_price };
    expect(register.body).toEqual({ ...ordered, contacts: { registrant }, nameservers: ['a', 'b'] });
    expect(transfer.body).toEqual({ ...ordered, registrant, auth_code: 'code' });
    expect(change.body).toEqual({ registrant });
    expect([register, transfer, change].every(isOfRoute)).toBe(true);
  });

  it('changes the records that were decided on, in the version that they were decided for', () => {
    const [added, before, removed] = [aRecord({}, 'rec_1'), aRecord({}, 'rec_2'), aRecord({}, 'rec_3')];
    const after = aRecord({ ttl: 60 }, 'rec_2');

    const change = { added: [added], changed: [{ before, after }], removed: [removed] };
    const write = writeOf({ kind: 'records', domainId, version: 7, change });

    expect([write.ifMatch, isOfRoute(write)]).toEqual(['"7"', true]);
    const { type, name, content, ttl } = added.toState();
    expect(write.body).toEqual({
      create: [{ type, name, content, ttl }],
      update: [{ id: 'rec_2', type, name, content, ttl: 60 }],
      delete: ['rec_3'],
    });
  });
});

function isOfRoute({ method, path }: { readonly method: string; readonly path: string }): boolean {
  const { pathname } = new URL(path, 'http://localhost');
  return WRITES.some(([known, pattern]) => known === method && pattern.test(pathname));
}
