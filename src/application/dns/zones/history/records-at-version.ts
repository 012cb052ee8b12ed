import type { DnsRecordState } from '../../../../domain/dns/records/dns-record';
import { VersionNotFound } from '../../../../domain/dns/dns-errors';
import type { ZonePast } from '../../../ports/dns/zone-repository';

/** The records of a zone at an earlier version: later changes are reverted, newest first. @throws VersionNotFound */
export async function recordsAtVersion(past: ZonePast, version: number): Promise<readonly DnsRecordState[]> {
  const { oldestVersion, version: newestVersion } = past;
  if (version < oldestVersion || version > newestVersion)
    throw new VersionNotFound({ oldest: oldestVersion, newest: newestVersion });
  const records = new Map((await past.records()).map((record) => [record.id, record]));
  for await (const touched of past.changesAfter(version)) {
    for (const { before, after } of touched) {
      if (before) records.set(before.id, before);
      else if (after) records.delete(after.id);
    }
  }
  return [...records.values()].toSorted(byAge);
}

function byAge(one: DnsRecordState, other: DnsRecordState): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}
