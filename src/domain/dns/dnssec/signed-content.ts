import { ROOT } from '../records/record-name';
import { ancestorsOf } from './canonical-names';
import { RR_TYPE } from './rr-types';
import type { Denial } from './zone-signing-state';

/** The records of one type at an owner name, which is known from the context. */
export interface NamedRrset {
  readonly type: number;
  /** Seconds. */
  readonly ttl: number;
  /** RDATA in canonical form: RFC 4034, section 6.2. */
  readonly rdata: readonly Buffer[];
  /** The service makes it, and it is not among the records. */
  readonly isOfService?: true;
}

/** The RRsets of a zone by relative owner name. Names without RRsets may be missing. */
type RrsetsByName = ReadonlyMap<string, readonly NamedRrset[]>;

/** What a signed zone has at a name. */
export interface SignedName {
  /** The RRsets that are signed. */
  readonly signed: readonly NamedRrset[];
  /** The types in the bitmap of its NSEC or NSEC3 record; undefined if it has none. */
  readonly types: readonly number[] | undefined;
  /** The zone is authoritative for the name or delegates it, so it has an NSEC record. */
  readonly exists: boolean;
}

const NOTHING: SignedName = { signed: [], types: undefined, exists: false };

/**
 * RFC 4035, sections 2.2 and 2.3: at a delegation only DS is signed, and below it nothing; the same below a DNAME (RFC 6672).
 * @param rrsets of the name and of all names above it
 */
export function signedName(name: string, rrsets: RrsetsByName, denial: Denial): SignedName {
  const own = rrsets.get(name) ?? [];
  if (own.length === 0 || isOccluded(name, rrsets)) return NOTHING;
  const isDelegation = name !== ROOT && own.some(({ type }) => type === RR_TYPE.NS);
  const signed = isDelegation ? own.filter(({ type }) => type === RR_TYPE.DS) : own;
  const types = signed.map(({ type }) => type);
  if (isDelegation) types.push(RR_TYPE.NS);
  if (denial === 'nsec') types.push(RR_TYPE.NSEC, RR_TYPE.RRSIG);
  else if (signed.length > 0) types.push(RR_TYPE.RRSIG);
  return { signed, types, exists: true };
}

/** Whether the name is below a delegation or a DNAME. */
export function isOccluded(name: string, rrsets: RrsetsByName): boolean {
  return ancestorsOf(name).some((ancestor) =>
    rrsets.get(ancestor)?.some(({ type }) => type === RR_TYPE.DNAME || (type === RR_TYPE.NS && ancestor !== ROOT)),
  );
}
