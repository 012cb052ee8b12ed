import { renderToString } from 'preact-render-to-string';
import { zoneChanged } from '../../../../src/application/audit/zone-audit';
import type { AuditAction, AuditEntry, AuditFacts } from '../../../../src/domain/access/audit-entry';
import type { DnsRecord } from '../../../../src/domain/dns/records/dns-record';
import type { ZoneChange } from '../../../../src/domain/dns/zone-change';
import { ACTION_GROUPS, actionsOf } from '../../../../src/http/dashboard/activity/action-filter';
import { describeActivity } from '../../../../src/http/dashboard/activity/describe-activity';
import { aRecord, CREATED, ZONE } from '../../../support/data/a-record';
import { OURS } from '../../../support/use-cases/use-case-context';

const DOMAIN = { id: 'dom_1', name: ZONE };
const entry = (action: AuditAction, before: AuditFacts, after: AuditFacts): AuditEntry => ({
  id: 'evt_1',
  accountId: 'acc_1',
  at: CREATED,
  actor: { kind: 'service' },
  action,
  domain: DOMAIN,
  subject: null,
  before,
  after,
});
const told = (about: AuditEntry) =>
  renderToString(describeActivity(about))
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"');
const change = (changes: Partial<ZoneChange>) => {
  const whole = { added: [], changed: [], removed: [], ...changes };
  const { action, before, after } = zoneChanged({
    at: CREATED,
    requester: OURS,
    domain: DOMAIN,
    version: 2,
    change: whole,
  });
  return told(entry(action, before, after));
};
const mx = (host: string, priority = 10): DnsRecord => aRecord({ type: 'MX', name: '@', content: host, priority });

describe('a line of the activity', () => {
  it('has the counts of a finished bulk change and of a finished import', () => {
    const counts = { done: 3, imported: 2, failed: 1 };

    expect(told(entry('bulk.finished', {}, counts))).toBe('finished a bulk change: 3 done, 1 failed');
    expect(told(entry('import.finished', {}, { ...counts, registry: 'simulated' }))).toBe(
      'finished an import from simulated: 2 imported, 1 failed',
    );
  });

  it('tells the first record of a change, and how many more there are', () => {
    expect(change({ added: [mx('mx1.example.net')] })).toBe(`added MX @ 10 mx1.example.net to ${ZONE}`);
    expect(change({ removed: [mx('mx1.example.net'), aRecord(), aRecord({ content: '192.0.2.9' })] })).toBe(
      `deleted MX @ 10 mx1.example.net and 2 more from ${ZONE}`,
    );
    expect(change({ added: Array.from({ length: 30 }, (_, index) => aRecord({ content: `192.0.2.${index}` })) })).toBe(
      `added A www 192.0.2.0 and 29 more to ${ZONE}`,
    );
    expect(change({ added: [mx('mx1.example.net'), aRecord()], removed: [mx('mx2.example.net')] })).toBe(
      `changed DNS records of ${ZONE}: added MX @ 10 mx1.example.net and 1 more, deleted MX @ 10 mx2.example.net`,
    );
  });

  it.each([
    ['its data', { content: '192.0.2.2' }, 'A www from 192.0.2.1 to 192.0.2.2'],
    ['its TTL', { ttl: 60 }, 'the TTL of A www from 3600 to 60'],
    ['its comment', { comment: 'the "old" host; keep' }, 'the notes of A www'],
    ['its name', { name: 'api' }, 'A www 192.0.2.1 to A api 192.0.2.1'],
  ])('tells what of a record has changed: %s', (_what, values, text) => {
    expect(change({ changed: [{ before: aRecord(), after: aRecord(values) }] })).toBe(`changed ${text} of ${ZONE}`);
  });

  it('shortens long data, and keeps a semicolon in quotes', () => {
    expect(change({ added: [aRecord({ type: 'TXT', content: 'v=DMARC1; p=none', comment: 'for mail' })] })).toBe(
      `added TXT www "v=DMARC1; p=none" to ${ZONE}`,
    );
    expect(change({ added: [aRecord({ type: 'TXT', content: 'x'.repeat(900) })] })).toBe(
      `added TXT www "${'x'.repeat(79)}… to ${ZONE}`,
    );
  });

  it.each<[AuditAction, AuditFacts, AuditFacts, string]>([
    [
      'domain.nameservers_changed',
      { nameservers: [] },
      { nameservers: ['ns1.a.net', 'ns2.a.net', 'ns3.a.net'] },
      'changed the nameservers of DOMAIN to ns1.a.net, ns2.a.net and 1 more',
    ],
    ['domain.nameservers_changed', {}, {}, 'changed the nameservers of DOMAIN'],
    [
      'domain.transfer_lock_changed',
      { transferLocked: false },
      { transferLocked: true },
      'turned the transfer lock on for DOMAIN',
    ],
    [
      'domain.tags_changed',
      { tags: ['old', 'kept'] },
      { tags: ['kept', 'shop'] },
      'changed the tags of DOMAIN: added shop; removed old',
    ],
    ['user.role_changed', { role: 'viewer' }, { role: 'dns-editor' }, 'changed the role of  to DNS editor'],
    ['domain.tags_changed', { tags: ['old'] }, {}, 'changed the tags of DOMAIN: removed old'],
    [
      'domain.registrant_changed',
      { registrant: { firstName: 'Ada', email: 'a@example.com' } },
      { registrant: { firstName: 'Ada', email: 'b@example.com', organization: 'Engines' } },
      'changed the registrant of DOMAIN: e-mail, organization',
    ],
    [
      'domain.renewed',
      { expiresAt: '2027-03-01T00:00:00.000Z' },
      { expiresAt: '2028-03-01T00:00:00.000Z' },
      'renewed DOMAIN until 1 Mar 2028',
    ],
    [
      'domain.synchronized',
      { status: 'active', transferLocked: true },
      { status: 'expired', transferLocked: false },
      'updated DOMAIN from the registry: expired, transfer lock off',
    ],
  ])('tells what a setting was changed to: %s', (action, before, after, text) => {
    expect(told(entry(action, before, after))).toBe(text.replace('DOMAIN', ZONE));
  });

  it('is found by the group of its action, and by the action', () => {
    expect(actionsOf('records')).toContain('records.removed');
    expect(actionsOf('records.removed')).toEqual(['records.removed']);
    expect(actionsOf('nonsense')).toBeUndefined();
    expect(ACTION_GROUPS.every(({ actions }) => actions.length > 0)).toBe(true);
  });
});
