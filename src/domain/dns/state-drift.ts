import type { DnsRecord, DnsRecordState } from './records/dns-record';
import { PTR_KEEPER } from './records/ptr-wish';
import { isKeptForZone } from './delegation/sub-zone';
import { sizeOf, type ZoneChange } from './zone-change';

/**
 * Whether a desired state decides on the record: what the service keeps by itself is never part of one.
 * @param owner a program's name in `managedBy`, or '' for the whole zone
 */
export function isOfState(record: DnsRecordState, owner: string): boolean {
  const { managedBy } = record;
  return owner === '' ? managedBy !== PTR_KEEPER && !isKeptForZone(record) : managedBy === owner;
}

/** Sums of digests are exact below it: 48 bits. */
export const DRIFT_MODULUS = 2 ** 48;
const DIGEST_OCTETS = 6;
/** Digests of more records at once would hold other requests up. */
const MAX_SUMMED = 1_000;

/**
 * What changes add to the difference between a zone and the state of the `owner`, as a sum of digests: changes that undo others make it 0
 * again, in whatever order and with other ids. Undefined for large changes.
 */
export function driftSum(changes: readonly ZoneChange[], owner: string): number | undefined {
  const come = changes.flatMap(({ added, changed }) => [...added, ...changed.map(({ after }) => after)]);
  const gone = changes.flatMap(({ removed, changed }) => [...removed, ...changed.map(({ before }) => before)]);
  if (come.length + gone.length > MAX_SUMMED) return undefined;
  const sumOf = (records: readonly DnsRecord[]) =>
    records
      .filter((record) => isOfState(record.toState(), owner))
      .reduce((sum, record) => (sum + numberOf(record)) % DRIFT_MODULUS, 0);
  return (sumOf(come) + DRIFT_MODULUS - sumOf(gone)) % DRIFT_MODULUS;
}

function numberOf(record: DnsRecord): number {
  return Buffer.from(record.digest(), 'base64url').readUIntBE(0, DIGEST_OCTETS);
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
