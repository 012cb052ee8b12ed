import { sign, type KeyObject } from 'node:crypto';
import { labelCount } from './canonical-names';
import { writeName } from '../records/types/rdata/wire-name';

const CLASS_IN = 1;
const RRSIG_HEAD = 18;

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
export interface SignaturePeriod {
  readonly inception: number;
  readonly expiration: number;
}

export interface SignatureRequest {
  readonly rrset: Rrset;
  /** As `canonicalRrset` returns it. */
  readonly canonical: Buffer;
  /** The zone's name as `writeName` returns it. */
  readonly signerName: Buffer;
  readonly key: PrivateSigningKey;
  readonly period: SignaturePeriod;
}

/** The RDATA of an RRSIG without its signature, and what is signed: RFC 4034, sections 3.1 and 3.1.8.1. */
export function signatureInput({ rrset, canonical, signerName, key, period }: SignatureRequest): {
  readonly head: Buffer;
  readonly data: Buffer;
} {
  const head = Buffer.alloc(RRSIG_HEAD);
  head.writeUInt16BE(rrset.type, 0);
  head.writeUInt8(key.algorithm, 2);
  head.writeUInt8(labelCount(rrset.name), 3);
  head.writeUInt32BE(rrset.ttl, 4);
  head.writeUInt32BE(period.expiration % 2 ** 32, 8);
  head.writeUInt32BE(period.inception % 2 ** 32, 12);
  head.writeUInt16BE(key.keyTag, 16);
  const rdataHead = Buffer.concat([head, signerName]);
  return { head: rdataHead, data: Buffer.concat([rdataHead, canonical]) };
}

/** The RDATA of an RRSIG; takes about 50 microseconds of this thread. */
export function signRrset(request: SignatureRequest): Buffer {
  const { head, data } = signatureInput(request);
  return Buffer.concat([head, sign('sha256', data, { key: request.key.privateKey, dsaEncoding: 'ieee-p1363' })]);
}

/** As `signRrset`, in another thread. */
export async function signRrsetInBackground(request: SignatureRequest): Promise<Buffer> {
  const { head, data } = signatureInput(request);
  const signature = await new Promise<Buffer>((resolve, reject) => {
    sign('sha256', data, { key: request.key.privateKey, dsaEncoding: 'ieee-p1363' }, (error, made) =>
      error ? reject(error) : resolve(made),
    );
  });
  return Buffer.concat([head, signature]);
}

/** RFC 4034, section 6.2 and 6.3: sorted by RDATA, without duplicates. */
export function canonicalRrset({ name, type, ttl, rdata }: Rrset): Buffer {
  const owner = writeName(name);
  const fixed = Buffer.alloc(8);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(CLASS_IN, 2);
  fixed.writeUInt32BE(ttl, 4);
  return Buffer.concat(
    canonicalOrder(rdata).flatMap((data) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(data.length, 0);
      return [owner, fixed, length, data];
    }),
  );
}

function canonicalOrder(rdata: readonly Buffer[]): readonly Buffer[] {
  if (rdata.length < 2) return rdata;
  const sorted = rdata.toSorted((one, other) => Buffer.compare(one, other));
  return sorted.filter((data, index) => index === 0 || !data.equals(sorted[index - 1] as Buffer));
}
