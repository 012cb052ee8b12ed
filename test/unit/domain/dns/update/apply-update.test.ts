import { ALL_TYPES, INTERFACE_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import type { DnsRecord, RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { applyUpdate } from '../../../../../src/domain/dns/update/apply-update';
import { failedPrerequisite } from '../../../../../src/domain/dns/update/prerequisites';
import type { Prerequisite, UpdateChange } from '../../../../../src/domain/dns/update/update-message';
import { DelegationInRecords, InvalidRecordContent, InvalidRecordType } from '../../../../../src/domain/dns/dns-errors';
import { runToCompletion } from '../../../../support/run-to-completion';
import { aRecord, CREATED, ZONE } from '../../../../support/data/a-record';

const zoneOf = (...records: DnsRecord[]) => ({
  zoneName: ZONE,
  delegation: ['ns1.example.net', 'ns2.example.net'],
  types: INTERFACE_TYPES,
  recordsAt: (name: string) => records.filter((record) => record.name === name),
});

const draft = (type: string, content: string, more: Partial<RecordDraft> = {}): RecordDraft => ({
  type,
  name: 'www',
  content,
  ...more,
});
const add = (record: RecordDraft): UpdateChange => ({ kind: 'add', name: record.name, type: record.type, record });

function update(changes: readonly UpdateChange[], ...records: DnsRecord[]): readonly string[] {
  let serial = 0;
  const newId = (): string => `new_${(serial += 1)}`;
  return runToCompletion(applyUpdate(changes, zoneOf(...records), newId, CREATED))
    .map((record) => `${record.name} ${record.ttl} ${record.type} ${record.rdata()}`)
    .toSorted();
}

describe('an update', () => {
  it('adds a record, and replaces the TTL of one that exists', () => {
    expect(update([add(draft('A', '192.0.2.2', { ttl: 300 }))], aRecord())).toEqual([
      'www 300 A 192.0.2.2',
      'www 3600 A 192.0.2.1',
    ]);
    expect(update([add(draft('A', '192.0.2.1', { ttl: 300 }))], aRecord())).toEqual(['www 300 A 192.0.2.1']);
  });

  it.each([
    [0, 60],
    [59, 60],
    [604_801, 604_800],
    [2_147_483_647, 604_800],
  ])('brings a TTL of %i into the range of the interface: %i', (ttl, stored) => {
    expect(update([add(draft('A', '192.0.2.2', { ttl }))])).toEqual([`www ${stored} A 192.0.2.2`]);
  });

  it('ignores a CNAME at a name with other data, and other data at a name with a CNAME', () => {
    const cname = aRecord({ type: 'CNAME', content: 'host.example.net' });

    expect(update([add(draft('CNAME', 'a.example.net.'))], aRecord())).toEqual(['www 3600 A 192.0.2.1']);
    expect(update([add(draft('A', '192.0.2.2'))], cname)).toEqual(['www 3600 CNAME host.example.net.']);
  });

  it.each(['CNAME', 'DNAME'])('replaces the one %s record that a name can have (RFC 6672, section 2.4)', (type) => {
    const present = aRecord({ type, content: 'old.example.net.' });
    const records = zoneOf(present);
    const after = runToCompletion(
      applyUpdate([add(draft(type, 'new.example.net.'))], { ...records, types: ALL_TYPES }, () => 'new_1', CREATED),
    );

    expect(after.map((record) => record.rdata())).toEqual(['new.example.net.']);
  });

  it('ignores a CNAME at the apex, which always has an SOA', () => {
    expect(update([add(draft('CNAME', 'a.example.net.', { name: '@' }))])).toEqual([]);
  });

  it('adds and deletes DHCID records, which no other write may add', () => {
    const content = 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=';
    const dhcid = aRecord({ type: 'DHCID', content });

    expect(update([add(draft('DHCID', content, { ttl: 300 }))])).toEqual([`www 300 DHCID ${content}`]);
    expect(
      update([{ kind: 'delete_record', name: 'www', type: 'DHCID', record: draft('DHCID', content) }], dhcid),
    ).toEqual([]);
    expect(() => dhcid.copy().change({ ttl: 300 }, ZONE, CREATED)).toThrow(InvalidRecordType);
  });

  it('replaces a CNAME by another', () => {
    const cname = aRecord({ type: 'CNAME', content: 'host.example.net' });

    expect(update([add(draft('CNAME', 'a.example.net.', { ttl: 60 }))], cname)).toEqual([
      'www 60 CNAME a.example.net.',
    ]);
  });

  it('ignores a change of the SOA', () => {
    expect(update([{ kind: 'add', name: '@', type: 'SOA', record: undefined }])).toEqual([]);
  });

  it('deletes one record, a set, or all sets of a name, and ignores absent ones', () => {
    const records = [
      aRecord(),
      aRecord({ content: '192.0.2.2' }, 'rec_2'),
      aRecord({ type: 'TXT', content: 'x' }, 'rec_3'),
    ];
    const one: UpdateChange = { kind: 'delete_record', name: 'www', type: 'A', record: draft('A', '192.0.2.2') };
    const absent: UpdateChange = { kind: 'delete_record', name: 'www', type: 'A', record: draft('A', '192.0.2.9') };

    expect(update([one, absent], ...records)).toEqual(['www 3600 A 192.0.2.1', 'www 3600 TXT "x"']);
    expect(update([{ kind: 'delete_set', name: 'www', type: 'A' }], ...records)).toEqual(['www 3600 TXT "x"']);
    expect(update([{ kind: 'delete_name', name: 'www' }], ...records)).toEqual([]);
    expect(update([{ kind: 'delete_set', name: 'www', type: 'TYPE65' }], ...records)).toHaveLength(3);
  });

  it('refuses to delete one NS record of the delegation, which is at the registry, unless it is added again', () => {
    const ns = draft('NS', 'NS1.example.net.', { name: '@', ttl: 1800 });
    const deletion: UpdateChange = { kind: 'delete_record', name: '@', type: 'NS', record: ns };
    const stored = aRecord({ type: 'NS', name: '@', content: 'ns1.example.net', ttl: 600 });

    expect(() => update([deletion])).toThrow(DelegationInRecords);
    expect(() => update([deletion], stored)).toThrow(DelegationInRecords);
    expect(() => update([add(ns), deletion])).toThrow(DelegationInRecords);
    expect(update([deletion, add(ns)], stored)).toEqual(['@ 1800 NS ns1.example.net.']);
  });

  it('deletes one NS record at the apex that is not of the delegation, and one below it', () => {
    const other = draft('NS', 'ns3.example.net.', { name: '@' });
    const below = draft('NS', 'ns1.example.net.', { name: 'sub' });

    expect(
      update(
        [other, below].map((record) => ({ kind: 'delete_record', name: record.name, type: 'NS', record })),
        aRecord({ type: 'NS', name: '@', content: 'ns3.example.net' }),
        aRecord({ type: 'NS', name: 'sub', content: 'ns1.example.net' }),
      ),
    ).toEqual([]);
  });

  it('keeps the NS set at the apex when the set or the name is deleted', () => {
    const ns = aRecord({ type: 'NS', name: '@', content: 'ns3.example.net' });
    const txt = aRecord({ type: 'TXT', name: '@', content: 'x' }, 'rec_2');

    expect(update([{ kind: 'delete_set', name: '@', type: 'NS' }], ns, txt)).toHaveLength(2);
    expect(update([{ kind: 'delete_name', name: '@' }], ns, txt)).toEqual(['@ 3600 NS ns3.example.net.']);
  });

  it('applies changes in their order', () => {
    const remove: UpdateChange = { kind: 'delete_name', name: 'www' };

    expect(update([remove, add(draft('CNAME', 'a.example.net.'))], aRecord())).toEqual(
      ['www 3600 CNAME a.example.net.'].map((text) => text.replace('3600', '60')),
    );
    expect(update([add(draft('TXT', 'y')), remove], aRecord())).toEqual([]);
  });

  it('refuses data that the interface does not accept, and types that it does not have', () => {
    expect(() => update([add(draft('MX', 'not_a_host.', { priority: 1 }))])).toThrow(InvalidRecordContent);
    expect(() => update([{ kind: 'add', name: 'www', type: 'TYPE65', record: undefined }])).toThrow(InvalidRecordType);
  });
});

const equals = (...contents: string[]): Prerequisite[] =>
  contents.map((content) => ({
    kind: 'set_equals',
    name: 'www',
    type: 'A',
    record: draft('A', content, { ttl: 0 }),
  }));

describe('a prerequisite', () => {
  const zone = zoneOf(aRecord(), aRecord({ content: '192.0.2.2' }, 'rec_2'));
  const NS = { kind: 'set_equals', name: '@', type: 'NS' } as const;

  it.each<[string, readonly Prerequisite[], string | undefined]>([
    ['a name in use that is', [{ kind: 'name_in_use', name: 'www' }], undefined],
    ['a name in use that is not', [{ kind: 'name_in_use', name: 'mail' }], 'NXDOMAIN'],
    ['a free name that is', [{ kind: 'name_not_in_use', name: 'mail' }], undefined],
    ['a free name that is not', [{ kind: 'name_not_in_use', name: 'www' }], 'YXDOMAIN'],
    ['the apex in use', [{ kind: 'name_in_use', name: '@' }], undefined],
    ['a set that exists', [{ kind: 'set_exists', name: 'www', type: 'A' }], undefined],
    ['a set that does not exist', [{ kind: 'set_exists', name: 'www', type: 'AAAA' }], 'NXRRSET'],
    ['the SOA at the apex', [{ kind: 'set_exists', name: '@', type: 'SOA' }], undefined],
    ['the NS set at the apex', [{ kind: 'set_exists', name: '@', type: 'NS' }], undefined],
    ['an absent set that is', [{ kind: 'set_absent', name: 'www', type: 'AAAA' }], undefined],
    ['an absent set that is not', [{ kind: 'set_absent', name: 'www', type: 'A' }], 'YXRRSET'],
    ['an equal set, in any order', equals('192.0.2.2', '192.0.2.1'), undefined],
    ['a part of a set', equals('192.0.2.2'), 'NXRRSET'],
    ['more than a set', equals('192.0.2.2', '192.0.2.1', '192.0.2.3'), 'NXRRSET'],
    [
      'the delegation at the apex',
      [
        { ...NS, record: { type: 'NS', name: '@', content: 'ns1.example.net' } },
        { ...NS, record: { type: 'NS', name: '@', content: 'ns2.example.net' } },
      ],
      undefined,
    ],
    [
      'data that no record here has',
      [{ kind: 'set_equals', name: 'www', type: 'TYPE65', record: undefined }],
      'NXRRSET',
    ],
  ])('is met or refused as RFC 2136 says: %s', (_title, prerequisites, failure) => {
    expect(failedPrerequisite({ prerequisites, changes: [] }, zone)).toBe(failure);
  });

  it('fails at the first prerequisite that the zone does not meet', () => {
    const prerequisites: Prerequisite[] = [
      { kind: 'set_exists', name: 'www', type: 'A' },
      { kind: 'name_not_in_use', name: 'www' },
      { kind: 'set_exists', name: 'mail', type: 'A' },
    ];

    expect(failedPrerequisite({ prerequisites, changes: [] }, zone)).toBe('YXDOMAIN');
  });

  it('fails at an invalid prerequisite after those before it, and before sets are compared', () => {
    const invalid = { section: 'prerequisites', outcome: 'NOTZONE' } as const;
    const failureOf = (...prerequisites: Prerequisite[]) =>
      failedPrerequisite({ prerequisites, changes: [], invalid }, zone);

    expect(failureOf({ kind: 'name_not_in_use', name: 'www' })).toBe('YXDOMAIN');
    expect(failureOf({ kind: 'set_equals', name: 'www', type: 'TYPE65', record: undefined })).toBe('NOTZONE');
  });
});
