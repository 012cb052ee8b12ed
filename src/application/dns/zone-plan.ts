import { DnsRecord, type DnsRecordState } from '../../domain/dns/dns-record';
import { zoneWarnings } from '../../domain/dns/zone-warnings';
import type { ZoneChange } from '../ports/zone-repository';

/** What a change would do to a zone at `zoneVersion`. */
export interface ZonePlan {
  readonly zoneVersion: number;
  readonly change: ZoneChange;
  /** What would be odd, and is not yet: allowed, since it may be mended by a later change. */
  readonly warnings: readonly string[];
}

export function planOf(zoneName: string, zoneVersion: number, records: readonly DnsRecordState[], change: ZoneChange): ZonePlan {
  const before = records.map((state) => DnsRecord.restore(state));
  const known = new Set(zoneWarnings(before, zoneName));
  const warnings = zoneWarnings(changed(before, change), zoneName).filter((warning) => !known.has(warning));
  return { zoneVersion, change, warnings };
}

function changed(records: readonly DnsRecord[], change: ZoneChange): DnsRecord[] {
  const written = [...change.added, ...change.changed.map(({ after }) => after)];
  const replaced = new Set([...written, ...change.removed].map(({ id }) => id));
  return [...records.filter(({ id }) => !replaced.has(id)), ...written];
}
