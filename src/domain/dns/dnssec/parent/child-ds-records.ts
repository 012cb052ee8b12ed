import { dsRecordOf, isSameDsRecord, type DsRecord, type DnsKey } from '../../delegation/ds-record';

/** A key of the zone that signs an RRset with a valid signature, and when that signature begins, in seconds since 1970. */
export interface KeyProof {
  readonly key: DnsKey;
  readonly inception: number;
}

/** An RRset at the apex of a zone, with the keys of the zone that sign it now. */
export interface ProvenSet<T> {
  readonly records: readonly T[];
  readonly proofs: readonly KeyProof[];
}

/** The records that a zone publishes for its parent, from one nameserver (RFC 7344). */
export interface ChildRecords {
  readonly keys: ProvenSet<DnsKey>;
  readonly cds: ProvenSet<DsRecord>;
  readonly cdnskeys: ProvenSet<DnsKey>;
}

export type ChildDecision =
  /** The zone asks for nothing. */
  | { readonly kind: 'none' }
  /** The DS records that the zone asks for; none to remove all of them. `inception` is the oldest of the signatures that prove it. */
  | { readonly kind: 'wanted'; readonly dsRecords: readonly DsRecord[]; readonly inception: number }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ChildQuestion {
  readonly zoneName: string;
  /** The DS records of the parent. Without any, the zone's own keys prove what it asks for, which proves no origin (RFC 8078). */
  readonly present: readonly DsRecord[];
  /** Signatures that begin before are refused: a former state of the zone is not replayed. Seconds since 1970. */
  readonly notBefore: number;
}

/** RFC 8078, section 4: algorithm 0 asks to remove the DS records. */
const DELETE = 0;
/** SHA-256, the digest that every validator implements (RFC 8624, section 3.3). */
const DIGEST_TYPE = 2;

/**
 * What the parent does with CDS and CDNSKEY records: the decisions of BIND's `dnssec-cds` with its defaults, and the removal of
 * RFC 8078, which that program does not do. CDS records are preferred; of their digests, those with SHA-256 are taken.
 */
export function decideChildDsRecords(
  { keys, cds, cdnskeys }: ChildRecords,
  { zoneName, present, notBefore }: ChildQuestion,
): ChildDecision {
  const sets = [cds, cdnskeys].filter(({ records }) => records.length > 0);
  if (sets.length === 0) return { kind: 'none' };
  const asked = askedDsRecords(zoneName, cds.records, cdnskeys.records);
  if (typeof asked === 'string') return { kind: 'refused', reason: asked };
  if (asked.length === 0 && present.length === 0) return { kind: 'none' };
  const trusted = keys.records.filter((key) => isTrusted(zoneName, key, present.length > 0 ? present : asked));
  const recent = ({ proofs }: ProvenSet<unknown>, by: readonly DnsKey[]): readonly KeyProof[] =>
    proofs.filter(({ key, inception }) => inception >= notBefore && by.some((each) => isSameKey(each, key)));

  const proofs: KeyProof[] = [];
  for (const [type, set] of [
    ['DNSKEY', keys],
    ['CDS', cds],
    ['CDNSKEY', cdnskeys],
  ] as const) {
    if (set.records.length === 0 && type !== 'DNSKEY') continue;
    const found = recent(set, trusted);
    if (found.length === 0) return { kind: 'refused', reason: unproven(type, set, trusted, notBefore) };
    proofs.push(...found);
  }
  const matching = keys.records.filter((key) => matchesExactly(zoneName, key, asked));
  const signing = recent(keys, matching);
  const missing = asked.find(({ algorithm }) => !signing.some(({ key }) => key.algorithm === algorithm));
  if (missing)
    return {
      kind: 'refused',
      reason: `no key of the new DS records with algorithm ${missing.algorithm} signs the DNSKEY records`,
    };
  const inception = Math.min(...[...proofs, ...signing].map((proof) => proof.inception));
  return { kind: 'wanted', dsRecords: asked.map((dsRecord) => withKey(zoneName, dsRecord, keys.records)), inception };
}

/** Whether two nameservers lead to the same DS records. */
export function isSameDecision(one: ChildDecision, other: ChildDecision): boolean {
  if (one.kind !== 'wanted' || other.kind !== 'wanted') return one.kind === other.kind;
  return isSameDsRecords(one.dsRecords, other.dsRecords);
}

export function isSameDsRecords(one: readonly DsRecord[], other: readonly DsRecord[]): boolean {
  return one.length === other.length && one.every((dsRecord) => other.some((each) => isSameDsRecord(each, dsRecord)));
}

/** None to remove the DS records; a reason if the records contradict each other or cannot be used. */
function askedDsRecords(
  zoneName: string,
  cds: readonly DsRecord[],
  cdnskeys: readonly DnsKey[],
): readonly DsRecord[] | string {
  const deletions = [...cds, ...cdnskeys].filter(({ algorithm }) => algorithm === DELETE).length;
  if (deletions > 0)
    return cds.length <= 1 && cdnskeys.length <= 1 && deletions === cds.length + cdnskeys.length
      ? []
      : 'it asks to remove the DS records and to set others at once';
  const usable = cds.filter(({ digestType }) => digestType === DIGEST_TYPE);
  const asked = usable.length > 0 ? usable : cdnskeys.map((key) => dsRecordOf(zoneName, key, DIGEST_TYPE));
  if (asked.length === 0) return 'its CDS records have no SHA-256 digest';
  return isUnambiguous(asked) ? asked : 'two of its CDS records have the same key tag and algorithm';
}

function isUnambiguous(dsRecords: readonly DsRecord[]): boolean {
  return new Set(dsRecords.map(({ keyTag, algorithm }) => `${keyTag} ${algorithm}`)).size === dsRecords.length;
}

/** For registries that take keys. */
function withKey(zoneName: string, dsRecord: DsRecord, keys: readonly DnsKey[]): DsRecord {
  const key = keys.find((each) => isDsOfKey(zoneName, each, dsRecord));
  return key ? { ...dsRecord, key } : dsRecord;
}

function isTrusted(zoneName: string, key: DnsKey, dsRecords: readonly DsRecord[]): boolean {
  return dsRecords.some((dsRecord) => isDsOfKey(zoneName, key, dsRecord));
}

/** A key that has the tag and algorithm of a new DS record, and another digest, does not count. */
function matchesExactly(zoneName: string, key: DnsKey, dsRecords: readonly DsRecord[]): boolean {
  const { keyTag, algorithm } = dsRecordOf(zoneName, key);
  const alike = dsRecords.filter((dsRecord) => dsRecord.keyTag === keyTag && dsRecord.algorithm === algorithm);
  return alike.length > 0 && alike.every((dsRecord) => isDsOfKey(zoneName, key, dsRecord));
}

function isDsOfKey(zoneName: string, key: DnsKey, dsRecord: DsRecord): boolean {
  const { digestType } = dsRecord;
  return (digestType === 2 || digestType === 4) && isSameDsRecord(dsRecordOf(zoneName, key, digestType), dsRecord);
}

export function isSameKey(one: DnsKey, other: DnsKey): boolean {
  return one.flags === other.flags && one.algorithm === other.algorithm && one.publicKey === other.publicKey;
}

function unproven(type: string, { proofs }: ProvenSet<unknown>, trusted: readonly DnsKey[], notBefore: number): string {
  const isOld = proofs.some(
    ({ key, inception }) => inception < notBefore && trusted.some((each) => isSameKey(each, key)),
  );
  if (isOld) return `its ${type} records have older signatures than those that were accepted before`;
  return `its ${type} records have no valid signature by a key of the DS records`;
}

export function isSameKeys(one: readonly DnsKey[], other: readonly DnsKey[]): boolean {
  return one.length === other.length && one.every((key) => other.some((each) => isSameKey(each, key)));
}
