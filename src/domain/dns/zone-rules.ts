import { groupedBy } from '../shared/grouped-by';
import type { CooperativeTask } from '../shared/cooperative-task';
import type { DnsRecord } from './records/dns-record';
import { LimitExceeded, RecordConflict } from './errors';

export interface ZoneLimits {
  readonly recordsPerSet: number;
  readonly recordsPerZone: number;
}

export const DEFAULT_ZONE_LIMITS: ZoneLimits = { recordsPerSet: 100, recordsPerZone: 10_000 };

/** An RRset must fit into one message of 64 KiB, with the longest owner name, a signature and EDNS (deSEC's estimate). */
const MAX_SET_OCTETS = 65_535;
const MESSAGE_OCTETS = 32 + 255 + 256;
const OCTETS_PER_RECORD = 12;

interface Loner {
  readonly isLoner: (record: DnsRecord) => boolean;
  readonly excludes: (neighbor: DnsRecord) => boolean;
  readonly reason: string;
}

const EXCLUSIVE_TYPES: readonly Loner[] = [
  {
    isLoner: (record) => record.type === 'CNAME', // RFC 1034, section 3.6.2; RFC 2181, section 10.1
    excludes: () => true,
    reason: 'a CNAME stands alone at its name',
  },
  {
    isLoner: (record) => record.isNullMx(), // RFC 7505, section 3
    excludes: (neighbor) => neighbor.type === 'MX',
    reason: 'a null MX is the only MX at its name',
  },
];

/**
 * Judges the outcome of a write, be it one record or a batch. `records` are all that the zone would have at the owner
 * names of the `changed` ones (the ids of what was created or updated; a removal cannot break a rule). Faults between
 * records that did not change are left alone. What is found names the record in the way, or the set that is too large.
 */
export function* inconsistencies(
  records: readonly DnsRecord[],
  changed: ReadonlySet<string>,
  limits: ZoneLimits = DEFAULT_ZONE_LIMITS,
): CooperativeTask<readonly (RecordConflict | LimitExceeded)[]> {
  const found: (RecordConflict | LimitExceeded)[] = [];
  for (const neighbors of groupedBy(records, (record) => record.name).values()) {
    yield;
    found.push(...duplicates(neighbors, changed), ...unwantedCompany(neighbors, changed));
    for (const set of groupedBy(neighbors, (record) => record.type).values())
      found.push(...excess(set, changed, limits));
  }
  return found;
}

/** Refuses growth beyond the limit; a zone that is past it already may still change and shrink. @throws LimitExceeded */
export function assertZoneSize(
  count: { before: number; after: number },
  limits: ZoneLimits = DEFAULT_ZONE_LIMITS,
): void {
  if (count.after <= Math.max(count.before, limits.recordsPerZone)) return;
  throw new LimitExceeded(`A domain can have at most ${limits.recordsPerZone} records`);
}

function* duplicates(neighbors: readonly DnsRecord[], changed: ReadonlySet<string>): Generator<RecordConflict> {
  for (const twins of groupedBy(neighbors, (record) => record.identity()).values()) {
    yield* clashes(twins, twins, changed, 'the records are identical');
  }
}

function* unwantedCompany(neighbors: readonly DnsRecord[], changed: ReadonlySet<string>): Generator<RecordConflict> {
  for (const { isLoner, excludes, reason } of EXCLUSIVE_TYPES) {
    const loners = neighbors.filter(isLoner);
    if (loners.length > 0) yield* clashes(loners, neighbors.filter(excludes), changed, reason);
  }
}

/** Any two records, one of each list, of which one has changed: one clash is enough. What did not change is in the way. */
function* clashes(
  ones: readonly DnsRecord[],
  others: readonly DnsRecord[],
  changed: ReadonlySet<string>,
  reason: string,
): Generator<RecordConflict> {
  const newcomer = [...ones, ...others].findLast((record) => changed.has(record.id));
  if (newcomer === undefined) return;
  const company = ones.includes(newcomer) ? others : ones;
  const rivals = company.filter((record) => record.id !== newcomer.id);
  const inTheWay = rivals.find((record) => !changed.has(record.id)) ?? rivals[0];
  if (inTheWay !== undefined) yield RecordConflict.with(newcomer.id, { record: inTheWay, reason });
}

function* excess(
  set: readonly DnsRecord[],
  changed: ReadonlySet<string>,
  limits: ZoneLimits,
): Generator<LimitExceeded> {
  const newcomer = set.findLast((record) => changed.has(record.id));
  if (newcomer === undefined) return;
  const where = `${newcomer.type} records at ${newcomer.name}`;
  const octets = set.reduce((sum, record) => sum + OCTETS_PER_RECORD + record.rdataLength(), MESSAGE_OCTETS);
  if (set.length > limits.recordsPerSet) {
    yield new LimitExceeded(`There can be at most ${limits.recordsPerSet} ${where}`, newcomer.id);
  } else if (octets > MAX_SET_OCTETS) {
    yield new LimitExceeded(`All ${where} together must not exceed 64 KiB`, newcomer.id);
  }
}
