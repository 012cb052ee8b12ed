import { sign, type KeyObject } from 'node:crypto';
import { labelCount } from './canonical-names';
import { writeName } from '../records/types/rdata/wire-name';

const CLASS_IN = 1;
const RRSIG_HEAD = 18;
const NO_OCTETS: Buffer = Buffer.alloc(0);
/** Type, class, TTL and the length of the data. */
const RECORD_HEAD = 10;

/** Data of one owner name and type. */
export interface Rrset {
  /** Full, in lower case, without trailing dot. */
  readonly name: string;
  readonly type: number;
  /** Seconds. */
  readonly ttl: number;
  /** RDATA in canonical form: RFC 4034, section 6.2. */
  readonly rdata: readonly Buffer[];
}

export interface PrivateSigningKey {
  readonly id: string;
  readonly keyTag: number;
  readonly algorithm: number;
  readonly privateKey: KeyObject;
}

/** Seconds since 1970. */
interface SignaturePeriod {
  readonly inception: number;
  readonly expiration: number;
}

export interface SignatureRequest {
  readonly rrset: Rrset;
  /** As `canonicalRrset` returns it, without a suffix. */
  readonly canonical: Buffer;
  /** The zone's name as `writeName` returns it. */
  readonly signerName: Buffer;
  readonly key: PrivateSigningKey;
  readonly period: SignaturePeriod;
}

/** What is signed (RFC 4034, section 3.1.8.1): the RDATA of the RRSIG without its signature, `head`, and the RRset. */
export function signatureInput({ rrset, canonical, signerName, key, period }: SignatureRequest): {
  readonly head: Buffer;
  readonly data: Buffer;
} {
  const headLength = RRSIG_HEAD + signerName.length;
  const data = Buffer.allocUnsafe(headLength + canonical.length);
  data.writeUInt16BE(rrset.type, 0);
  data.writeUInt8(key.algorithm, 2);
  data.writeUInt8(labelCount(rrset.name), 3);
  data.writeUInt32BE(rrset.ttl, 4);
  data.writeUInt32BE(period.expiration % 2 ** 32, 8);
  data.writeUInt32BE(period.inception % 2 ** 32, 12);
  data.writeUInt16BE(key.keyTag, 16);
  signerName.copy(data, RRSIG_HEAD);
  canonical.copy(data, headLength);
  return { head: data.subarray(0, headLength), data };
}

/** The ECDSA P-256 signature of `data` in 64 octets (RFC 6605, section 4); takes about 50 microseconds of this thread. */
export function signData(privateKey: KeyObject, data: Buffer): Buffer {
  return sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

/** RFC 4034, section 6.2 and 6.3: sorted by RDATA, without duplicates. @param suffix follows the RRset in the returned buffer */
export function canonicalRrset({ name, type, ttl, rdata }: Rrset, suffix = NO_OCTETS): Buffer {
  const owner = writeName(name);
  const ordered = canonicalOrder(rdata);
  const length = ordered.reduce((sum, data) => sum + owner.length + RECORD_HEAD + data.length, suffix.length);
  const octets = Buffer.allocUnsafe(length);
  let at = 0;
  for (const data of ordered) {
    at += owner.copy(octets, at);
    octets.writeUInt16BE(type, at);
    octets.writeUInt16BE(CLASS_IN, at + 2);
    octets.writeUInt32BE(ttl, at + 4);
    octets.writeUInt16BE(data.length, at + 8);
    at += RECORD_HEAD;
    at += data.copy(octets, at);
  }
  suffix.copy(octets, at);
  return octets;
}

function canonicalOrder(rdata: readonly Buffer[]): readonly Buffer[] {
  if (rdata.length < 2) return rdata;
  const sorted = rdata.toSorted((one, other) => Buffer.compare(one, other));
  return sorted.filter((data, index) => index === 0 || !data.equals(sorted[index - 1] as Buffer));
}
