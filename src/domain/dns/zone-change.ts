import type { DnsRecord } from './records/dns-record';

export interface ZoneChange {
  readonly added: readonly DnsRecord[];
  readonly changed: readonly { readonly before: DnsRecord; readonly after: DnsRecord }[];
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

/** False if it changes nothing but comments and written forms, which nameservers do not serve. */
export function changesServedZone({ added, changed, removed }: ZoneChange): boolean {
  const changesRecordsOnly = changed.length > 0 && added.length + removed.length === 0;
  return !changesRecordsOnly || changed.some(({ before, after }) => !before.isServedAs(after));
}

/** The serial that the change of a zone with this serial leads to. */
export function serialAfter(serial: number, change: ZoneChange): number {
  return changesServedZone(change) ? serial + 1 : serial;
}

export function changesNothing(change: ZoneChange): boolean {
  return sizeOf(change) === 0;
}
