import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { keptRecordConflicts } from '../../../../../src/domain/dns/delegation/sub-zone';

const ZONE = 'zone_01m8hcftnqka2ya4s3x659w179';
const NOW = new Date(0);
const DS = `12345 13 2 ${'AB'.repeat(32)}`;

const record = (type: string, name: string, content: string, managedBy: string | null = null) =>
  DnsRecord.create({ type, name, content, managedBy }, 'corp.example', `rec_${type}_${name}`, NOW, [
    'NS',
    'DS',
    'A',
    'TXT',
  ]);

const conflictsOf = (change: Partial<Parameters<typeof keptRecordConflicts>[1]>, present: readonly DnsRecord[] = []) =>
  keptRecordConflicts('corp.example', { added: [], changed: [], removed: [], ...change }, present).map(
    ({ details = '' }) => details,
  );

describe('records that the service keeps for a zone below', () => {
  const ns = record('NS', 'k8s', 'ns1.example.net', ZONE);

  it('do not go by hand', () => {
    expect(conflictsOf({ removed: [ns] })).toEqual([
      `The service keeps NS k8s.corp.example for the zone ${ZONE}: it changes, and goes, with that zone`,
    ]);
  });

  it('refuse DS records of others beside them, and no other records', () => {
    const added = [record('DS', 'k8s', DS), record('DS', 'other', DS), record('NS', 'k8s', 'ns.other.example')];

    expect(conflictsOf({ added }, [ns])).toEqual([expect.stringContaining('NS k8s.corp.example')]);
  });

  it('are known by the id of the zone, and by types that a delegation has', () => {
    const others = [record('NS', 'k8s', 'ns1.example.net', 'zone_sync'), record('TXT', 'k8s', 'text', ZONE)];

    expect(conflictsOf({ removed: others, added: others })).toEqual([]);
    expect(conflictsOf({ added: [ns] })).toEqual([expect.stringContaining('have the id of a zone in managed_by')]);
  });
});
