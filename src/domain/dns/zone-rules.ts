import { quantityText } from '../shared/text/quantity-text';
import { groupedBy } from '../shared/grouped-by';
import type { DnsRecord } from './records/dns-record';
import { ROOT } from './records/record-name';
import { LimitExceeded, RecordConflict } from './dns-errors';
import { INTERFACE_TYPES, isAddress, type RecordType, type WritableType } from './records/types/record-types';
import { ancestors } from './zone-view';

export interface ZoneLimits {
  /** The record types that may be written. */
  readonly types: readonly WritableType[];
  readonly recordsPerSet: number;
  readonly recordsPerZone: number;
}

export const DEFAULT_ZONE_LIMITS: ZoneLimits = {
  types: INTERFACE_TYPES,
  recordsPerSet: 100,
  recordsPerZone: 10_000,
};

/** An RRset must fit into one 64 KiB message with the longest owner name, a signature and EDNS (estimate from deSEC). */
const MAX_SET_OCTETS = 65_535;
const MESSAGE_OCTETS = 32 + 255 + 256;
const OCTETS_PER_RECORD = 12;

interface ExclusiveRule {
  readonly isExclusive: (record: DnsRecord) => boolean;
  readonly excludes: (other: DnsRecord) => boolean;
  readonly reason: string;
}

const EXCLUSIVE_TYPES: readonly ExclusiveRule[] = [
  {
    isExclusive: (record) => record.type === 'CNAME', // RFC 1034, section 3.6.2; RFC 2181, section 10.1
    excludes: () => true,
    reason: 'a CNAME must be the only record at its name',
  },
  {
    isExclusive: (record) => record.type === 'ALIAS', // it stands for addresses
    excludes: (other) => isAddress(other) || other.type === 'ALIAS',
    reason: 'a name with an ALIAS record can have no A, AAAA or other ALIAS record',
  },
  {
    isExclusive: (record) => record.isNullMx(), // RFC 7505, section 3
    excludes: (other) => other.type === 'MX',
    reason: 'a null MX must be the only MX record at its name',
  },
  {
    isExclusive: (record) => record.type === 'DNAME', // RFC 6672, section 2.4
    excludes: (other) => other.type === 'DNAME' || (other.type === 'NS' && other.name !== ROOT),
    reason: 'a DNAME must be the only one at its name, and below the apex it cannot be beside NS records',
  },
];

export type Violation = RecordConflict | LimitExceeded;
/** Can pause at every `yield`, between two records. */
export type Violations = Generator<void, readonly Violation[], void>;

/**
 * Checks all records that a write would leave at one owner name. Existing violations between unchanged records are ignored.
 * @param changed ids of the created and updated records
 */
export function* ruleViolations(
  sameName: readonly DnsRecord[],
  changed: ReadonlySet<string>,
  limits: ZoneLimits = DEFAULT_ZONE_LIMITS,
): Violations {
  const found = [
    ...(yield* duplicates(sameName, changed)),
    ...exclusiveConflicts(sameName, changed),
    ...dsRecordsWithoutDelegation(sameName, changed),
    ...repeatedNotifyTargets(sameName, changed),
  ];
  for (const set of groupedBy(sameName, (record) => record.type).values())
    found.push(...(yield* exceededLimits(set, changed, limits)));
  return found;
}

/**
 * Checks the zone that a write would produce, owner name by owner name.
 * @param records all records of the resulting zone at the owner names of `changed`
 */
export function* findZoneRuleViolations(
  records: readonly DnsRecord[],
  changed: ReadonlySet<string>,
  limits?: ZoneLimits,
): Violations {
  const found: Violation[] = [];
  for (const sameName of groupedBy(records, ({ name }) => name).values())
    found.push(...(yield* ruleViolations(sameName, changed, limits)));
  return found;
}

/** Growth beyond the limit. A zone that already exceeds it may still change and shrink. */
export function exceededSize(
  count: { before: number; after: number },
  limits: ZoneLimits = DEFAULT_ZONE_LIMITS,
): LimitExceeded | undefined {
  if (count.after <= Math.max(count.before, limits.recordsPerZone)) return undefined;
  return new LimitExceeded(`A domain can have at most ${quantityText(limits.recordsPerZone, 'record')}`);
}

/** @throws LimitExceeded as `exceededSize` returns it */
export function assertZoneSize(...size: Parameters<typeof exceededSize>): void {
  const exceeded = exceededSize(...size);
  if (exceeded) throw exceeded;
}

function* duplicates(sameName: readonly DnsRecord[], changed: ReadonlySet<string>): Violations {
  const identities = new Map<DnsRecord, string>();
  for (const record of sameName) {
    yield;
    identities.set(record, record.identity());
  }
  const groups = groupedBy(sameName, (record) => identities.get(record));
  return [...groups.values()].flatMap((equal) => [
    ...conflictsBetween(equal, equal, changed, 'the records are identical'),
  ]);
}

function* exclusiveConflicts(sameName: readonly DnsRecord[], changed: ReadonlySet<string>): Generator<RecordConflict> {
  for (const { isExclusive, excludes, reason } of EXCLUSIVE_TYPES) {
    const exclusive = sameName.filter(isExclusive);
    if (exclusive.length > 0) yield* conflictsBetween(exclusive, sameName.filter(excludes), changed, reason);
  }
}

/** RFC 4034, section 5: DS records stand at a delegation, in the zone that delegates. */
function* dsRecordsWithoutDelegation(
  sameName: readonly DnsRecord[],
  changed: ReadonlySet<string>,
): Generator<RecordConflict> {
  const signers = sameName.filter(({ type }) => type === 'DS');
  const atApex = signers.find(({ id, name }) => name === ROOT && changed.has(id));
  if (atApex)
    yield new RecordConflict(
      atApex.id,
      'DS records of the apex belong to the parent zone: the registry publishes them',
    );
  const isDelegated = sameName.some(({ type, name }) => type === 'NS' && name !== ROOT);
  const [first] = signers;
  if (first && first.name !== ROOT && !isDelegated)
    yield new RecordConflict(
      (signers.findLast(({ id }) => changed.has(id)) ?? first).id,
      `DS records need NS records at the same name, and ${first.name} would have none`,
    );
}

/** RFC 9859, section 3: one DSYNC record for each combination of type and scheme. */
function* repeatedNotifyTargets(
  sameName: readonly DnsRecord[],
  changed: ReadonlySet<string>,
): Generator<RecordConflict> {
  const targets = sameName.filter(({ type }) => type === 'DSYNC');
  const sets = groupedBy(targets, (record) => record.rdata().split(' ').slice(0, 2).join(' '));
  for (const [kind, set] of sets) {
    const isIdentical = new Set(set.map((record) => record.identity())).size < set.length;
    if (!isIdentical) yield* conflictsBetween(set, set, changed, `a name can have one DSYNC record for ${kind}`);
  }
}

/** Reports at most one conflict between a changed record and one of the other list, preferably an unchanged one. */
function* conflictsBetween(
  ones: readonly DnsRecord[],
  others: readonly DnsRecord[],
  changed: ReadonlySet<string>,
  reason: string,
): Generator<RecordConflict> {
  const changedRecord = [...ones, ...others].findLast((record) => changed.has(record.id));
  if (changedRecord === undefined) return;
  const candidates = ones.includes(changedRecord) ? others : ones;
  const conflicting = candidates.filter((record) => record.id !== changedRecord.id);
  const record = conflicting.find(({ id }) => !changed.has(id)) ?? conflicting[0];
  if (record !== undefined) yield RecordConflict.with(changedRecord.id, { record, reason });
}

function* exceededLimits(set: readonly DnsRecord[], changed: ReadonlySet<string>, limits: ZoneLimits): Violations {
  const changedRecord = set.findLast((record) => changed.has(record.id));
  if (changedRecord === undefined) return [];
  const { id, type, name } = changedRecord;
  if (set.length > limits.recordsPerSet)
    return [new LimitExceeded(`A domain can have at most ${limits.recordsPerSet} ${type} records at ${name}`, id)];
  let octets = MESSAGE_OCTETS;
  for (const record of set) {
    yield;
    octets += OCTETS_PER_RECORD + record.wireRdata().length;
  }
  return octets > MAX_SET_OCTETS
    ? [new LimitExceeded(`The ${type} records at ${name} must not exceed 64 KiB in total`, id)]
    : [];
}

const REASON = 'no record can be below the name of a DNAME';

/**
 * RFC 6672, section 2.4: a zone has no records below the owner name of a DNAME. Existing violations are ignored.
 * @param records those at the owner names of `changed` and at the names above, and those below a DNAME among `changed`
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

const SIGNER_TYPES: readonly RecordType[] = ['DNSKEY', 'CDS', 'CDNSKEY'];

/**
 * Whether only the signer of a zone publishes the record: its keys, and what DS records the parent is to have (RFC 7344). A second
 * DNSKEY RRset would make the zone bogus.
 */
export function isOfSigner({ name, type }: Pick<DnsRecord, 'name' | 'type'>): boolean {
  return name === ROOT && SIGNER_TYPES.includes(type);
}
