import { ServiceError } from '../../shared/service-error';
import { DelegationInRecords, ItemsRejected, type ItemError } from '../errors';
import { clampTtl, DnsRecord, DEFAULT_TTL, type RecordDraft } from '../records/dns-record';
import { parseRecordName, ROOT } from '../records/record-name';
import { findRecordType, parseRecordType } from '../records/types/record-types';
import type { ZoneContent } from './prerequisites';

/** A change of the records of one name and type. */
export interface RecordSetChange {
  /** `extend` adds and `prune` deletes the given records; the others of the set stay. */
  readonly kind: 'replace' | 'extend' | 'prune' | 'delete';
  /** Relative or full. */
  readonly name: string;
  readonly type: string;
  /** Empty for `delete`. A TTL outside the allowed ones becomes the nearest; without one, it is that of the set. */
  readonly records: readonly Omit<RecordDraft, 'name' | 'type'>[];
}

/** The stored records of the changed sets, and the records that they consist of afterwards. */
interface ChangedRecordSets {
  readonly before: readonly DnsRecord[];
  readonly after: readonly DnsRecord[];
}

interface RecordSet {
  /** Name and type. */
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly stored: readonly DnsRecord[];
  /** As the set is served: with the delegation at the apex. */
  readonly served: readonly DnsRecord[];
  readonly ttl: number;
  after: Map<string, DnsRecord>;
}

/**
 * Applies changes in their order; those of one set add up. A set that is sent back as it is served does not change. Can pause
 * between two changes.
 * @throws ItemsRejected with every invalid change, by name and type
 */
export function* changeRecordSets(
  changes: readonly RecordSetChange[],
  zone: ZoneContent,
  newId: () => string,
  now: Date,
): Generator<void, ChangedRecordSets, void> {
  const sets = new Map<string, RecordSet>();
  const errors: ItemError[] = [];
  const attempt = (place: string, check: () => void): void => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      errors.push({ place, error });
    }
  };
  for (const change of changes) {
    yield;
    attempt(`${change.name} ${change.type}`, () => {
      const read = readSet(change, zone, now);
      const set = sets.get(read.key) ?? read;
      sets.set(read.key, set);
      applyChange(change, set, zone, newId, now);
    });
  }
  for (const set of sets.values()) attempt(set.key, () => assertDelegated(set, zone));
  const [first, ...others] = errors;
  if (first) throw new ItemsRejected([first, ...others]);
  const changed = [...sets.values()];
  return {
    before: changed.flatMap(({ stored }) => stored),
    after: changed.flatMap(({ after }) => [...after.values()]),
  };
}

/** The sets that changes concern, by names relative to the zone; those of invalid changes are left out. */
export function setsOfChanges(
  changes: readonly RecordSetChange[],
  zoneName: string,
): readonly { readonly name: string; readonly type: string }[] {
  return changes.flatMap(({ name, type }) => {
    try {
      return [{ name: parseRecordName(name, zoneName), type: findRecordType(type) ?? type }];
    } catch (error) {
      if (error instanceof ServiceError) return [];
      throw error;
    }
  });
}

/** @throws InvalidRecordType, InvalidRecordName */
function readSet(
  change: RecordSetChange,
  { zoneName, delegation, types, recordsAt }: ZoneContent,
  now: Date,
): RecordSet {
  const type = parseRecordType(change.type, types);
  const name = parseRecordName(change.name, zoneName);
  const stored = recordsAt(name).filter((record) => record.type === type);
  const delegated = name === ROOT && type === 'NS' ? delegation : [];
  const served = [
    ...delegated.map((content) => DnsRecord.create({ type, name, content }, zoneName, '', now)),
    ...stored,
  ];
  const ttl = served.length === 0 ? DEFAULT_TTL : Math.min(...served.map((record) => record.ttl));
  return { key: `${name} ${type}`, name, type, stored, served, ttl, after: byIdentity(served) };
}

/** @throws the errors of `validateRecord` */
function applyChange(
  { kind, records: drafts }: RecordSetChange,
  set: RecordSet,
  { zoneName, types }: ZoneContent,
  newId: () => string,
  now: Date,
): void {
  const { name, type } = set;
  const served = byIdentity(set.served);
  const records = drafts.map((draft) => {
    const ttl = clampTtl(draft.ttl ?? set.ttl);
    const record = DnsRecord.create({ ...draft, name, type, ttl }, zoneName, newId(), now, types);
    // The records of a set may be stored with different TTLs; the lowest is served.
    return ttl === set.ttl ? (served.get(record.identity()) ?? record) : record;
  });
  if (kind === 'replace' || kind === 'delete') set.after = new Map();
  for (const record of records) {
    if (kind === 'prune') set.after.delete(record.identity());
    else if (kind === 'replace' || !set.after.has(record.identity())) set.after.set(record.identity(), record);
  }
}

/** @throws DelegationInRecords */
function assertDelegated({ name, type, after }: RecordSet, { delegation }: ZoneContent): void {
  if (name !== ROOT || type !== 'NS') return;
  const hosts = new Set([...after.values()].map((record) => record.toState().content));
  if (!delegation.every((host) => hosts.has(host))) throw new DelegationInRecords(delegation);
}

function byIdentity(records: readonly DnsRecord[]): Map<string, DnsRecord> {
  return new Map(records.map((record) => [record.identity(), record]));
}
