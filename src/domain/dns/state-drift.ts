import type { DnsRecord, DnsRecordState } from './records/dns-record';
import { PTR_KEEPER } from './records/ptr-wish';
import { isKeptForZone } from './sub-zone';
import { sizeOf, type ZoneChange } from './zone-change';

/**
 * Whether a desired state decides on the record: what the service keeps by itself is never part of one.
 * @param owner a program's name in `managedBy`, or '' for the whole zone
 */
export function isOfState(record: DnsRecordState, owner: string): boolean {
  const { managedBy } = record;
  return owner === '' ? managedBy !== PTR_KEEPER && !isKeptForZone(record) : managedBy === owner;
}

/** The part of a change that the desired state of the `owner` decides on; undefined if there is none. */
export function driftOf({ added, changed, removed }: ZoneChange, owner: string): ZoneChange | undefined {
  const isOwned = (record: DnsRecord): boolean => isOfState(record.toState(), owner);
  const drift = {
    added: added.filter(isOwned),
    changed: changed.filter(({ before, after }) => isOwned(before) || isOwned(after)),
    removed: removed.filter(isOwned),
  };
  return sizeOf(drift) === 0 ? undefined : drift;
}
