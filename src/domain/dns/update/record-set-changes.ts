import { ServiceError } from '../../shared/service-error';
import { DelegationInRecords, ItemsRejected, type ItemError } from '../dns-errors';
import { clampTtl, DnsRecord, DEFAULT_TTL, type RecordDraft } from '../records/dns-record';
import type { RecordNotes } from '../records/record-notes';
import { parseRecordName, ROOT } from '../records/record-name';
import { findRecordType, parseRecordType } from '../records/types/record-types';
import { repeatsDelegation } from '../delegation/apex-ns';
import type { ZoneContent } from './prerequisites';
import { withNotesOfSet } from './record-set-notes';

/** A change of the records of one name and type. */
export interface RecordSetChange {
  /** `extend` adds and `prune` deletes the given records; the others of the set stay. `annotate` changes only comments. */
  readonly kind: 'replace' | 'extend' | 'prune' | 'delete' | 'annotate';
  /** Relative or full. */
  readonly name: string;
  readonly type: string;
  /** Empty for `delete` and `annotate`. A TTL outside the allowed ones becomes the nearest; without one, it is that of the set. */
  readonly records: readonly RecordInSet[];
  /** The comments of the set afterwards. Without them, records keep theirs. */
  readonly notes?: readonly RecordNotes[];
}

interface RecordInSet extends Omit<RecordDraft, 'name' | 'type'> {
  /** The RDATA as the program wrote it, if it is to read it back so. */
  readonly written?: string;
}

/** The stored records of the changed sets, and the records that they consist of afterwards. */
interface ChangedRecordSets {
  readonly before: readonly DnsRecord[];
  readonly after: readonly DnsRecord[];
}

/** Can pause at every `yield`. */
type Task<T> = Generator<void, T, void>;

interface RecordSet {
  /** Name and type. */
  readonly key: string;
  /** That of its first change. */
  readonly place: string;
  readonly name: string;
  readonly type: string;
  readonly stored: readonly DnsRecord[];
  /** As the set is served, by identity: with the delegation at the apex. */
  readonly served: ReadonlyMap<string, DnsRecord>;
  readonly ttl: number;
  after: Map<string, DnsRecord>;
}

/**
 * Applies changes in their order; those of one set add up. A set that is sent back as it is served does not change. Can pause
 * between two records.
 * @throws ItemsRejected with every invalid change, by name and type
 */
export function* changeRecordSets(
  changes: readonly RecordSetChange[],
  zone: ZoneContent,
  newId: () => string,
  now: Date,
): Task<ChangedRecordSets> {
  const sets = new Map<string, RecordSet>();
  const errors: ItemError[] = [];
  const collect = (place: string, error: unknown): void => {
    if (!(error instanceof ServiceError)) throw error;
    errors.push({ place, error });
  };
  for (const change of changes) {
    try {
      const type = parseRecordType(change.type, zone.types);
      const name = parseRecordName(change.name, zone.zoneName);
      const key = `${name} ${type}`;
      const place = placeOfChange(change);
      const set = sets.get(key) ?? (yield* readSet({ key, place, name, type }, zone, now));
      sets.set(key, set);
      yield* applyChange(change, set, zone, newId, now);
    } catch (error) {
      collect(placeOfChange(change), error);
    }
  }
  for (const set of sets.values()) {
    try {
      assertDelegated(set, zone);
    } catch (error) {
      collect(set.place, error);
    }
  }
  const [first, ...others] = errors;
  if (first) throw new ItemsRejected([first, ...others]);
  const changed = [...sets.values()];
  return {
    before: changed.flatMap(({ stored }) => stored),
    after: changed.flatMap(({ after }) => [...after.values()]),
  };
}

/** Names a change in errors. */
export function placeOfChange({ name, type }: Pick<RecordSetChange, 'name' | 'type'>): string {
  return `${name} ${type}`;
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

function* readSet(
  { key, place, name, type }: Pick<RecordSet, 'key' | 'place' | 'name' | 'type'>,
  { zoneName, delegation, recordsAt }: ZoneContent,
  now: Date,
): Task<RecordSet> {
  const stored = recordsAt(name).filter((record) => record.type === type);
  const delegated = name === ROOT && type === 'NS' ? delegation : [];
  const served = [
    ...delegated.map((content) => DnsRecord.create({ type, name, content }, zoneName, '', now)),
    ...stored,
  ];
  const byIdentity = new Map<string, DnsRecord>();
  for (const record of served) {
    yield;
    byIdentity.set(record.identity(), record);
  }
  const ttl = served.length === 0 ? DEFAULT_TTL : Math.min(...[...byIdentity.values()].map((each) => each.ttl));
  return { key, place, name, type, stored, served: byIdentity, ttl, after: new Map(byIdentity) };
}

/** @throws the errors of `validateRecord` */
function* applyChange(
  { kind, records: drafts, notes }: RecordSetChange,
  set: RecordSet,
  { zoneName, types, delegation }: ZoneContent,
  newId: () => string,
  now: Date,
): Task<void> {
  const { name, type } = set;
  const records = new Map<string, DnsRecord>();
  for (const { written, ...draft } of drafts) {
    yield;
    const ttl = clampTtl(draft.ttl ?? set.ttl);
    const created = DnsRecord.create({ ...draft, name, type, ttl }, zoneName, newId(), now, types);
    const stored = set.served.get(created.identity());
    const record = stored ? created.withNotesOf(stored) : created;
    records.set(record.identity(), written === undefined ? record : record.writtenAs(written));
  }
  if (kind === 'replace' || kind === 'delete') set.after = isServed(records, set) ? keptSet(records, set) : new Map();
  for (const [identity, record] of records) {
    if (kind === 'prune') set.after.delete(identity);
    else if (!set.after.has(identity)) set.after.set(identity, record);
  }
  if (!notes) return;
  const annotated = [...(kind === 'annotate' ? set.after : records).keys()].flatMap((id) => set.after.get(id) ?? []);
  for (const record of withNotesOfSet(annotated, notes, (each) => isStored(each, set, delegation)))
    set.after.set(record.identity(), record);
}

/** Whether it will be: a record that repeats the delegation is stored only if it is already. */
function isStored(record: DnsRecord, { stored }: RecordSet, delegation: readonly string[]): boolean {
  const isSame = (each: DnsRecord): boolean => each.ttl === record.ttl && each.identity() === record.identity();
  return !repeatsDelegation(record, delegation) || stored.some(isSame);
}

/** The records of a set may be stored with different TTLs; the lowest is served. */
function isServed(records: ReadonlyMap<string, DnsRecord>, { served, ttl }: RecordSet): boolean {
  return (
    records.size === served.size &&
    [...records].every(([identity, record]) => record.ttl === ttl && served.has(identity))
  );
}

/** The stored records, in the form in which the change writes them. */
function keptSet(records: ReadonlyMap<string, DnsRecord>, { served }: RecordSet): Map<string, DnsRecord> {
  return new Map(
    [...served].map(([identity, record]) => {
      const { written } = records.get(identity)?.toState() ?? {};
      return [identity, written === undefined ? record : record.writtenAs(written ?? record.portableRdata())];
    }),
  );
}

/** @throws DelegationInRecords */
function assertDelegated({ name, type, after }: RecordSet, { delegation }: ZoneContent): void {
  if (name !== ROOT || type !== 'NS') return;
  const hosts = new Set([...after.values()].map((record) => record.toState().content));
  if (!delegation.every((host) => hosts.has(host))) throw new DelegationInRecords(delegation);
}
