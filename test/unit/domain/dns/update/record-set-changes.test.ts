import { INTERFACE_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { ItemsRejected } from '../../../../../src/domain/dns/dns-errors';
import type { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { changeRecordSets, type RecordSetChange } from '../../../../../src/domain/dns/update/record-set-changes';
import { aRecord, CREATED, ZONE } from '../../../../support/data/a-record';
import { thrownBy } from '../../../../support/thrown-by';

const DELEGATION = ['ns1.example.net', 'ns2.example.net'];

function change(changes: readonly RecordSetChange[], ...stored: DnsRecord[]) {
  const recordsAt = (name: string) => stored.filter((record) => record.name === name);
  const zone = { zoneName: ZONE, delegation: DELEGATION, types: INTERFACE_TYPES, recordsAt };
  const task = changeRecordSets(changes, zone, () => 'new', CREATED);
  for (;;) {
    const { done, value } = task.next();
    if (done) return value;
  }
}

function resultOf(...args: Parameters<typeof change>): readonly string[] {
  return change(...args).after.map((record) => `${record.id} ${record.ttl} ${record.type} ${record.rdata()}`);
}

const replace = (type: string, name: string, ...contents: string[]): RecordSetChange => ({
  kind: 'replace',
  name,
  type,
  records: contents.map((content) => ({ content, ttl: 300 })),
});
const one = aRecord({ content: '192.0.2.1' }, 'rec_1');
const two = aRecord({ content: '192.0.2.2', ttl: 7200 }, 'rec_2');

const notesAfter = (notes: RecordSetChange['notes'], ...of: DnsRecord[]) =>
  change([{ kind: 'annotate', name: 'www', type: 'A', records: [], ...(notes && { notes }) }], ...of).after.map(
    (record) => [record.id, record.toState().comment ?? null, record.toState().managedBy ?? null],
  );

describe('a change of record sets', () => {
  it('replaces the records of one name and type, and no others', () => {
    const text = aRecord({ type: 'TXT', content: 'x' }, 'rec_3');

    const { before, after } = change([replace('A', `www.${ZONE}.`, '192.0.2.3')], one, two, text);

    expect(before).toEqual([one, two]);
    expect(after.map((record) => record.rdata())).toEqual(['192.0.2.3']);
  });

  it('extends and prunes a set by some records; the others stay as they are', () => {
    const records = [{ content: '192.0.2.2', ttl: 60 }, { content: '192.0.2.3' }];

    expect(resultOf([{ kind: 'extend', name: 'www', type: 'A', records }], one, two)).toEqual([
      'rec_1 3600 A 192.0.2.1',
      'rec_2 7200 A 192.0.2.2',
      'new 3600 A 192.0.2.3',
    ]);
    expect(resultOf([{ kind: 'prune', name: 'www', type: 'A', records }], one, two)).toEqual([
      'rec_1 3600 A 192.0.2.1',
    ]);
  });

  it('keeps the comment of a record that gets another TTL', () => {
    const stored = aRecord({ content: '192.0.2.1', comment: 'web', managedBy: 'ci' }, 'rec_1');

    const [changed] = change([replace('A', `www.${ZONE}.`, '192.0.2.1')], stored).after;

    expect(changed?.toState()).toMatchObject({ ttl: 300, comment: 'web', managedBy: 'ci' });
  });

  it('gives one comment to all records of a set, and several to the records in their order', () => {
    const commented = aRecord({ content: '192.0.2.1', comment: 'old', managedBy: 'ci' }, 'rec_1');

    expect(notesAfter([{ comment: 'web' }], commented, two)).toEqual([
      ['rec_1', 'web', null],
      ['rec_2', 'web', null],
    ]);
    expect(notesAfter([{}, { comment: 'second', managedBy: 'cd' }], commented, two)).toEqual([
      ['rec_1', null, null],
      ['rec_2', 'second', 'cd'],
    ]);
    expect(notesAfter([], commented, two)).toEqual([
      ['rec_1', null, null],
      ['rec_2', null, null],
    ]);
    expect(notesAfter(undefined, commented)).toEqual([['rec_1', 'old', 'ci']]);
  });

  it('refuses more comments than the set has records', () => {
    expect(thrownBy(() => notesAfter([{ comment: 'a' }, { comment: 'b' }], one))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'www A: comments must not be more than the records of the set: 1',
    });
  });

  it('keeps a record whose data is written in another form, with its TTL, in that form', () => {
    const stored = aRecord({ type: 'TXT', content: 'a' }, 'rec_1');
    const another = aRecord({ type: 'TXT', content: 'b', ttl: 7200 }, 'rec_2');
    const records = [
      { content: '"a"', ttl: 3600, written: String.raw`"\097"` },
      { content: 'b', ttl: 3600 },
    ];

    const { after } = change([{ kind: 'replace', name: 'www', type: 'TXT', records }], stored, another);

    expect(after.map((record) => [record.id, record.ttl, record.writtenRdata()])).toEqual([
      ['rec_1', 3600, String.raw`"\097"`],
      ['rec_2', 7200, '"b"'],
    ]);
  });

  it('adds up several changes of one set, in their order', () => {
    const changes: RecordSetChange[] = [
      { kind: 'delete', name: 'www', type: 'A', records: [] },
      replace('A', 'WWW', '192.0.2.4'),
      { kind: 'extend', name: 'www', type: 'A', records: [{ content: '192.0.2.5', ttl: 300 }] },
    ];

    expect(resultOf(changes, one)).toEqual(['new 300 A 192.0.2.4', 'new 300 A 192.0.2.5']);
  });

  it('keeps different stored TTLs if a set is sent back with the TTL that is served', () => {
    const records = [
      { content: '192.0.2.1', ttl: 3600 },
      { content: '192.0.2.2', ttl: 3600 },
    ];

    expect(resultOf([{ kind: 'replace', name: 'www', type: 'A', records }], one, two)).toEqual([
      'rec_1 3600 A 192.0.2.1',
      'rec_2 7200 A 192.0.2.2',
    ]);
  });

  it.each([
    [1, 60],
    [9_999_999, 604_800],
  ])('brings a TTL of %i into the range of the interface: %i', (ttl, stored) => {
    const records = [{ content: '192.0.2.1', ttl }];

    expect(resultOf([{ kind: 'replace', name: 'new', type: 'A', records }])).toEqual([`new ${stored} A 192.0.2.1`]);
  });

  it('gives all records of a set that loses one the TTL of the change', () => {
    expect(
      resultOf([{ kind: 'replace', name: 'www', type: 'A', records: [{ content: '192.0.2.2' }] }], one, two),
    ).toEqual(['new 3600 A 192.0.2.2']);
  });

  it('takes the NS set at the apex with the TTL of the records that repeat the delegation', () => {
    const copies = DELEGATION.map((content) => aRecord({ type: 'NS', name: '@', content, ttl: 7200 }, content));
    const records = DELEGATION.map((content) => ({ content: `${content}.` }));
    const replaced = (ttl?: number) =>
      resultOf(
        [{ kind: 'replace', name: '@', type: 'NS', records: records.map((each) => ({ ...each, ttl })) }],
        ...copies,
      );

    expect(replaced()).toEqual(copies.map((copy) => `${copy.id} 7200 NS ${copy.rdata()}`));
    expect(replaced(60)).toEqual(copies.map((copy) => `new 60 NS ${copy.rdata()}`));
  });

  it('takes the NS set at the apex as it is served: with the delegation', () => {
    const third = aRecord({ name: '@', type: 'NS', content: 'ns3.example.net' }, 'rec_4');

    expect(
      resultOf([replace('NS', '@', ...DELEGATION, 'ns4.example.net')], third).map((line) => line.slice(-16)),
    ).toEqual(['ns1.example.net.', 'ns2.example.net.', 'ns4.example.net.']);
  });

  it.each<RecordSetChange>([
    replace('NS', '@', 'ns1.example.net'),
    { kind: 'delete', name: '@', type: 'NS', records: [] },
    { kind: 'prune', name: '@', type: 'NS', records: [{ content: 'ns1.example.net' }] },
  ])('refuses to remove a nameserver of the delegation: $kind', (refused) => {
    expect(thrownBy(() => change([refused]))).toMatchObject({
      code: 'RECORD_CONFLICT',
      details: `@ NS: It must contain ns1.example.net, ns2.example.net: change the nameservers of the domain instead`,
    });
  });

  it('reports every invalid change by its name and type', () => {
    const error = thrownBy(() =>
      change([
        replace('A', 'www', 'x'),
        replace('A', 'good', '192.0.2.1'),
        replace('PTR', 'a', 'b.'),
        replace('A', 'a b', 'x'),
      ]),
    );

    expect(error).toBeInstanceOf(ItemsRejected);
    expect(
      (error as ItemsRejected).details
        ?.split('; ')
        .slice(0, 3)
        .map((item) => item.split(':')[0]),
    ).toEqual(['www A', 'a PTR', 'a b A']);
  });

  it('can pause between two records of one set, because long ones take a tenth of a millisecond each', () => {
    const contents = Array.from({ length: 50 }, (_, index) => `192.0.2.${index}`);
    const zone = { zoneName: ZONE, delegation: DELEGATION, types: INTERFACE_TYPES, recordsAt: () => [one, two] };

    const pauses = [...changeRecordSets([replace('A', 'www', ...contents)], zone, () => 'new', CREATED)];

    expect(pauses.length).toBeGreaterThanOrEqual(contents.length);
  });
});
