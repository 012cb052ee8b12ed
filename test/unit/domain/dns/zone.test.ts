import { DnsRecord, type RecordDraft } from '../../../../src/domain/dns/records/dns-record';
import { Zone } from '../../../../src/domain/dns/zone';
import type { ZoneChange } from '../../../../src/domain/dns/zone-change';
import { DEFAULT_ZONE_LIMITS } from '../../../../src/domain/dns/zone-rules';
import { runToCompletion } from '../../../support/run-to-completion';

const NOW = new Date('2026-01-01T00:00:00Z');
const NAME = {
  id: 'dom_1',
  accountId: 'acc_1',
  name: 'example.com',
  tags: [],
  nameservers: [],
  isServed: true,
  isRegistered: true,
  immutableBecause: null,
};
const HEAD = { domainId: 'dom_1', version: 4, serial: 9, recordCount: 1 };

function record(id: string, draft: RecordDraft): DnsRecord {
  return DnsRecord.create(draft, 'example.com', id, NOW);
}

const WWW = record('rec_1', { type: 'A', name: 'www', content: '192.0.2.1' });

function change(part: Partial<ZoneChange>): ZoneChange {
  return { added: [], changed: [], removed: [], ...part };
}

describe('a zone', () => {
  let zone: Zone;

  beforeEach(() => {
    zone = new Zone(NAME, HEAD, DEFAULT_ZONE_LIMITS);
    zone.load(['www', 'mail'], [WWW]);
  });

  const apply = (part: Partial<ZoneChange>) => runToCompletion(zone.apply(change(part), []));

  it('raises its version and its serial by one with a change, and counts its records', () => {
    expect(apply({ added: [record('rec_2', { type: 'A', name: 'mail', content: '192.0.2.2' })] })).toEqual([]);

    expect(zone.head).toEqual({ domainId: 'dom_1', version: 5, serial: 10, recordCount: 2 });
  });

  it('stays as it is if a change breaks a rule, which it names', () => {
    const violations = apply({ added: [record('rec_2', { type: 'CNAME', name: 'www', content: 'example.net' })] });

    expect(violations).toMatchObject([{ code: 'RECORD_CONFLICT', recordId: 'rec_2' }]);
    expect(zone.head).toBe(HEAD);
    expect(zone.recordsAt(['www'])).toEqual([WWW]);
  });

  it('stays as it is if nothing changes', () => {
    expect(apply({})).toEqual([]);
    expect(zone.head).toBe(HEAD);
  });

  it('shows each change to the next one', () => {
    apply({ removed: [WWW] });

    expect(apply({ added: [record('rec_2', { type: 'CNAME', name: 'www', content: 'example.net' })] })).toEqual([]);
    expect(zone.recordsAt(['www']).map(({ id }) => id)).toEqual(['rec_2']);
    expect(zone.touchedRecord('rec_1')).toBeNull();
  });

  it('keeps what was stored before its changes', () => {
    apply({ removed: [WWW] });

    expect(zone.before.get('www')).toEqual([WWW]);
  });

  it('does not grow beyond its limit', () => {
    zone = new Zone(NAME, HEAD, { ...DEFAULT_ZONE_LIMITS, recordsPerZone: 1 });
    zone.load(['mail'], []);

    expect(apply({ added: [record('rec_2', { type: 'A', name: 'mail', content: '192.0.2.2' })] })).toMatchObject([
      { code: 'LIMIT_EXCEEDED' },
    ]);
  });

  it('names the records that it needs to check a change, with the names above if it can have a DNAME', () => {
    const added = [record('rec_2', { type: 'A', name: 'a.b', content: '192.0.2.2' })];
    const withDnames = new Zone(NAME, HEAD, { ...DEFAULT_ZONE_LIMITS, types: [...DEFAULT_ZONE_LIMITS.types, 'DNAME'] });

    expect(zone.namesChecked(change({ added }))).toEqual(['a.b']);
    expect(withDnames.namesChecked(change({ added }))).toEqual(['a.b', 'b', '@']);
    expect(zone.missing(['a.b', 'www'])).toEqual(['a.b']);
  });
});
