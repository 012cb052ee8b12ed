import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { dnsRecord } from '../../../src/http/api/presenters/record-presenter';
import { fullDomain, listedDomain } from '../../../src/http/api/presenters/domain-presenter';
import type { RecordRow } from '../../../src/infrastructure/persistence/dns/dns-tables';
import { toRecordState } from '../../../src/infrastructure/persistence/dns/typeorm-zone-repository';
import type { DomainRow } from '../../../src/infrastructure/persistence/registration/registration-tables';
import { toDomainState } from '../../../src/infrastructure/persistence/registration/typeorm-domain-repository';
import { aDomain } from '../../support/data/a-domain';
import { aRecord } from '../../support/data/a-record';

setFlagsFromString('--allow-natives-syntax');
const haveOneMap = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean;

const domainRow: DomainRow = {
  id: 'dom_1',
  account_id: 'acc_1',
  name: 'example.com',
  unicode_name: null,
  live_name: 'example.com',
  status: 'active',
  expires_at: 1,
  auto_renew: 1,
  transfer_locked: 1,
  nameservers: '["ns1.example.net","ns2.example.net"]',
  registrant: '{}',
  phase_ends_at: null,
  renewal_tried_at: null,
  auth_code_until: null,
  due_at: 1,
  transfer_pending: 1,
  registered_at: 1,
  created_at: 1,
  updated_at: 1,
  ended_at: null,
  registrant_erased: 0,
};
const recordRow: RecordRow = {
  id: 'rec_1',
  domain_id: 'dom_1',
  name: 'www',
  type: 'A',
  content: '192.0.2.1',
  ttl: 3600,
  priority: null,
  weight: null,
  port: null,
  identity_digest: '',
  created_at: 1,
  updated_at: 1,
};
const domain = aDomain().toState();
const dates = { renewableUntil: new Date(0), redemptionEndsAt: null, deletesAt: null, transferLockedUntil: null };
const record = aRecord().toState();

/** docs/decisions/0011 */
describe('what small reads are made of has one hidden class', () => {
  it.each<[string, () => object]>([
    ['the state of a domain', () => toDomainState(domainRow)],
    ['the state of a record', () => toRecordState(recordRow)],
    ['a domain as answered', () => fullDomain(domain, dates)],
    ['a domain as listed', () => listedDomain(domain)],
    ['a record as answered', () => dnsRecord(record)],
  ])('%s', (_what, make) => {
    const made = Array.from({ length: 20 }, make);

    expect(haveOneMap(made.at(-2) ?? {}, made.at(-1) ?? {})).toBe(true);
  });

  it('which objects of other members do not have', () => {
    expect(haveOneMap(listedDomain(domain), dnsRecord(record))).toBe(false);
  });
});
