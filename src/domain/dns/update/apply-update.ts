import { DelegationInRecords, InvalidRecordType } from '../dns-errors';
import { clampTtl, DnsRecord } from '../records/dns-record';
import { withUpdateTypes, type RecordType } from '../records/types/record-types';
import { ROOT } from '../records/record-name';
import { delegatedIdentities, identityOf, type ZoneContent } from './prerequisites';
import type { UpdateChange } from './update-message';

/**
 * The records of the changed names after an update, in the order of RFC 2136, section 3.4.2. What the section ignores is
 * ignored: changes of the SOA, removal of the NS set at the apex, and a CNAME beside other data. Can pause between two changes.
 * @throws the errors of `validateRecord` for an added record, DelegationInRecords
 */
export function* applyUpdate(
  changes: readonly UpdateChange[],
  zone: ZoneContent,
  newId: () => string,
  now: Date,
): Generator<void, readonly DnsRecord[], void> {
  const after = new Map(uniqueNames(changes).map((name) => [name, byIdentity(zone.recordsAt(name))]));
  const withdrawn = new Set<string>();
  for (const change of changes) {
    yield;
    const records = after.get(change.name);
    if (records) CHANGES[change.kind](change as never, records, { zone, newId, now, withdrawn });
  }
  if (withdrawn.size > 0) throw new DelegationInRecords(zone.delegation);
  return [...after.values()].flatMap((records) => [...records.values()]);
}

/** The owner names of changes or prerequisites, each once. */
export function uniqueNames(changes: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(changes.map(({ name }) => name))];
}

const SINGLE_TYPES: readonly RecordType[] = ['CNAME', 'DNAME'];

type RecordsOfName = Map<string, DnsRecord>;

interface Context {
  readonly zone: ZoneContent;
  readonly newId: () => string;
  readonly now: Date;
  /** The identities of NS records that repeat the delegation and were deleted, but not added again. */
  readonly withdrawn: Set<string>;
}

const CHANGES: {
  readonly [K in UpdateChange['kind']]: (
    change: Extract<UpdateChange, { kind: K }>,
    records: RecordsOfName,
    context: Context,
  ) => void;
} = {
  add: ({ name, type, record: draft }, records, { zone, newId, now, withdrawn }) => {
    // The apex always has an SOA, beside which a CNAME is ignored.
    if (type === 'SOA' || (type === 'CNAME' && name === ROOT)) return;
    const types = withUpdateTypes(zone.types);
    if (!draft) throw new InvalidRecordType(types);
    const record = DnsRecord.create({ ...draft, ttl: clampTtl(draft.ttl) }, zone.zoneName, newId(), now, types);
    const others = [...records.values()].filter((other) => (other.type === 'CNAME') !== (record.type === 'CNAME'));
    if (others.length > 0) return;
    // Types of which a name has one record (RFC 2136, section 1.1.5; RFC 6672, section 2.4): the new one replaces it.
    if (SINGLE_TYPES.includes(record.type)) removeIf(records, (other) => other.type === record.type);
    records.set(record.identity(), record);
    withdrawn.delete(record.identity());
  },
  delete_record: ({ name, type, record: draft }, records, { zone, withdrawn }) => {
    const identity = identityOf(draft, zone.zoneName);
    if (identity === undefined) return;
    records.delete(identity);
    if (name === ROOT && type === 'NS' && delegatedIdentities(zone).has(identity)) withdrawn.add(identity);
  },
  delete_set: ({ name, type }, records) => {
    if (name !== ROOT || type !== 'NS') removeIf(records, (record) => record.type === type);
  },
  delete_name: ({ name }, records) => {
    removeIf(records, (record) => name !== ROOT || record.type !== 'NS');
  },
};

function removeIf(records: RecordsOfName, isRemoved: (record: DnsRecord) => boolean): void {
  for (const [identity, record] of records) if (isRemoved(record)) records.delete(identity);
}

function byIdentity(records: readonly DnsRecord[]): RecordsOfName {
  return new Map(records.map((record) => [record.identity(), record]));
}
