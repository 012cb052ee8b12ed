import type { DnsRecord } from './records/dns-record';

/** One record before and after its change. */
export interface ChangedRecord {
  readonly before: DnsRecord;
  readonly after: DnsRecord;
}

export interface ZoneChange {
  readonly added: readonly DnsRecord[];
  readonly changed: readonly ChangedRecord[];
  readonly removed: readonly DnsRecord[];
}

/** The added and changed records, as the change leaves them. */
export function writtenRecords({ added, changed }: ZoneChange): DnsRecord[] {
  return [...added, ...changed.map(({ after }) => after)];
}

/** How many records it adds, changes and removes. */
export function sizeOf({ added, changed, removed }: ZoneChange): number {
  return added.length + changed.length + removed.length;
}

export function changesNothing(change: ZoneChange): boolean {
  return sizeOf(change) === 0;
}
