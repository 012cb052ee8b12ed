import { zoneChanged } from '../../../../src/application/audit/zone-audit';
import type { ZoneChange } from '../../../../src/domain/dns/zone-change';
import { aRecord, CREATED, ZONE } from '../../../support/data/a-record';
import { OURS } from '../../../support/use-cases/use-case-context';

const tell = (change: Partial<ZoneChange>) =>
  zoneChanged({
    at: CREATED,
    requester: OURS,
    domain: { id: 'dom_1', name: ZONE },
    version: 7,
    change: { added: [], changed: [], removed: [], ...change },
  });
const records = (count: number) =>
  Array.from({ length: count }, (_, index) => aRecord({ content: `192.0.2.${index}` }, `rec_${index}`));

describe('the audit entry of a zone', () => {
  it('names the change by what happened to records', () => {
    const [one, other] = [aRecord(), aRecord({ ttl: 60 })];
    const pair = { before: one, after: other };

    expect(tell({ added: [one] }).action).toBe('records.added');
    expect(tell({ changed: [pair] }).action).toBe('records.changed');
    expect(tell({ removed: [one] }).action).toBe('records.removed');
    expect(tell({ added: [one], removed: [other] }).action).toBe('zone.changed');
    expect(tell({ changed: [pair], removed: [other] }).action).toBe('zone.changed');
  });

  it('lists removed and added records as lines of a zone file', () => {
    const [before, after] = [aRecord({ ttl: 60 }), aRecord({ ttl: 90 })];
    const gone = aRecord({ type: 'MX', name: '@', content: 'mail.example.net', priority: 5 });

    const entry = tell({ changed: [{ before, after }], removed: [gone] });

    expect(entry.before).toEqual({ records: ['@ 3600 MX 5 mail.example.net.', 'www 60 A 192.0.2.1'] });
    expect(entry.after).toEqual({ records: ['www 90 A 192.0.2.1'] });
  });

  it('lists twenty records and the number of the others', () => {
    expect(tell({ added: records(20) }).after).toEqual({ records: expect.any(Array) as string[] });
    expect(tell({ added: records(23) }).after).toMatchObject({ records: { length: 20 }, more: 3 });
  });

  it('tells comments, as far as 100 characters, behind the data', () => {
    const [before, after] = [aRecord(), aRecord({ comment: '🦆'.repeat(101), managedBy: 'ci' })];

    const entry = tell({ changed: [{ before, after }] });

    expect(entry.before).toEqual({ records: ['www 3600 A 192.0.2.1'] });
    expect(entry.after).toEqual({ records: [`www 3600 A 192.0.2.1 ; ${'🦆'.repeat(100)} ; managed by ci`] });
  });

  it('has an event with the version and the records of the change', () => {
    const [before, after] = [aRecord({ ttl: 60 }), aRecord({ ttl: 90, comment: 'for tests' })];

    expect(tell({ added: [aRecord({}, 'rec_2')], changed: [{ before, after }] }).eventData).toMatchObject({
      version: 7,
      added_count: 1,
      changed_count: 1,
      removed_count: 0,
      added: [{ id: 'rec_2', type: 'A', name: 'www', content: '192.0.2.1', ttl: 3600, priority: null }],
      changed: [{ before: { ttl: 60 }, after: { ttl: 90, comment: 'for tests' } }],
      removed: [],
    });
  });

  it.each([
    ['of 20 kB', 4, 'records'],
    ['of more, which has a link to the history', 6, 'link'],
  ])('has an event %s', (_title, count, member) => {
    const added = Array.from({ length: count }, (_, index) =>
      aRecord({ type: 'TXT', content: 'x'.repeat(4_000) }, `rec_${index}`),
    );

    const data = tell({ added }).eventData;

    expect(JSON.stringify(data).length).toBeLessThan(20_500);
    expect(data).toMatchObject(
      member === 'link'
        ? { version: 7, added_count: 6, link: '/api/zones/zone_1/dns/history/7' }
        : { version: 7, added: { length: 4 } },
    );
  });

  it('cuts a long line', () => {
    const [line] = tell({ added: [aRecord({ type: 'TXT', content: 'x'.repeat(4096) })] }).after[
      'records'
    ] as readonly string[];

    expect(line).toHaveLength(300);
    expect(line).toMatch(/^www 3600 TXT "x+/);
  });
});
