import type { RecordTouched, ZoneWrite } from '../../../../../src/application/ports/dns/zone-repository';
import { serialAfter, type ZoneChange } from '../../../../../src/domain/dns/zone-change';
import type { StoredZone } from '../tables';

export const NO_CHANGE: ZoneChange = { added: [], changed: [], removed: [] };

/** The zone one version later, with what made it. Its records are the caller's affair. */
export function raised(
  zone: StoredZone,
  change: ZoneChange,
  { actor, at }: ZoneWrite['by'],
  nameserversBefore?: readonly string[],
): StoredZone {
  const { added, changed, removed } = change;
  const records: RecordTouched[] = [
    ...removed.map((record) => ({ before: record.toState(), after: null })),
    ...changed.map(({ before, after }) => ({ before: before.toState(), after: after.toState() })),
    ...added.map((record) => ({ before: null, after: record.toState() })),
  ];
  const version = zone.version + 1;
  const serial = serialAfter(zone.serial, change);
  const counts = { added: added.length, changed: changed.length, removed: removed.length };
  const stored = { version, serial, at, actor, ...counts, records, nameserversBefore };
  return { ...zone, version, serial, changes: [...zone.changes, stored] };
}
