import type { DnsRecord } from './dns-record';
import { fullOwnerName } from './record-name';
import type { ZoneChange } from '../zone-change';

/** A PTR record that the service keeps for a record with `ptr`. */
export interface KeptPtr {
  readonly recordId: string;
  readonly address: string;
  /** The full name of the record, without trailing dot. */
  readonly target: string;
  readonly ttl: number;
}

/** What a change of addresses means for reverse zones. */
export interface PtrChanges {
  readonly removed: readonly KeptPtr[];
  readonly added: readonly KeptPtr[];
}

/** Leaves out what stays as it is. */
export function ptrChanges({ added, changed, removed }: ZoneChange, zoneName: string): PtrChanges {
  const before = keptFor([...removed, ...changed.map((each) => each.before)], zoneName);
  const after = keptFor([...added, ...changed.map((each) => each.after)], zoneName);
  return {
    removed: [...before].flatMap(([key, ptr]) => (after.has(key) ? [] : [ptr])),
    added: [...after].flatMap(([key, ptr]) => (before.has(key) ? [] : [ptr])),
  };
}

/** Most changes touch no record with `ptr`. */
export function touchesPtr({ added, changed, removed }: ZoneChange): boolean {
  return (
    [added, removed].some((records) => records.some(hasPtr)) ||
    changed.some(({ before, after }) => hasPtr(before) || hasPtr(after))
  );
}

function keptFor(records: readonly DnsRecord[], zoneName: string): ReadonlyMap<string, KeptPtr> {
  return new Map(
    records.filter(hasPtr).map((record) => {
      const { id: recordId, name, content: address, ttl } = record.toState();
      const target = fullOwnerName(name, zoneName);
      return [`${address} ${target} ${ttl}`, { recordId, address, target, ttl }];
    }),
  );
}

function hasPtr(record: DnsRecord): boolean {
  return record.toState().ptr === true;
}
