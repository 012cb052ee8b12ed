import { RecordConflict } from './errors';
import type { DnsRecord } from './records/dns-record';
import { ROOT } from './records/record-name';
import { ancestors } from './zone-view';

const REASON = 'no record can be below the name of a DNAME';

/**
 * RFC 6672, section 2.4: a zone has no records below the owner name of a DNAME. Existing violations are ignored.
 * @param records those at the owner names of `changed` and at the names above; all of the zone if one of `changed` is a DNAME
 * @param changed ids of the created and updated records
 */
export function dnameConflicts(records: readonly DnsRecord[], changed: ReadonlySet<string>): readonly RecordConflict[] {
  const owners = new Map(records.filter(({ type }) => type === 'DNAME').map((record) => [record.name, record]));
  if (owners.size === 0) return [];
  return records.flatMap((below) => {
    const above = namesAbove(below.name).flatMap((name) => owners.get(name) ?? []);
    return above.flatMap((record) => {
      if (changed.has(below.id)) return [RecordConflict.with(below.id, { record, reason: REASON })];
      return changed.has(record.id) ? [RecordConflict.with(record.id, { record: below, reason: REASON })] : [];
    });
  });
}

/** With the apex. */
export function namesAbove(name: string): readonly string[] {
  return name === ROOT ? [] : [...ancestors(name), ROOT];
}
