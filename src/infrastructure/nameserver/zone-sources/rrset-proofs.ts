import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { RrsigAnswer } from 'dns-packet';
import { dsRecordOf, type DnsKey } from '../../../domain/dns/delegation/ds-record';
import type { KeyProof } from '../../../domain/dns/dnssec/parent/child-ds-records';
import { canonicalRrset } from '../../../domain/dns/dnssec/rrsig';
import { writeName } from '../../../domain/dns/records/types/rdata/wire-name';

/** RFC 4034 section 2.1.1. */
const ZONE_KEY = 0x0100;
const RRSIG_HEAD = 18;
/** A stranger chooses keys and signatures: many with one key tag would keep this process busy. */
const MAX_VERIFICATIONS = 32;

export type Signature = RrsigAnswer['data'];

/** An RRset at the apex of a zone, as a nameserver sent it. */
export interface ApexSet {
  readonly zoneName: string;
  readonly type: 'DNSKEY' | 'CDS' | 'CDNSKEY';
  readonly rdata: readonly Buffer[];
  readonly signatures: readonly Signature[];
}

const TYPE_NUMBERS = { DNSKEY: 48, CDS: 59, CDNSKEY: 60 } as const;

/** The keys of the zone that have a valid signature over the RRset (RFC 4035 section 5.3). Verifies in other threads. */
export async function proofsOf(set: ApexSet, keys: readonly DnsKey[], now: Date): Promise<readonly KeyProof[]> {
  const pairs = set.signatures.flatMap((signature) =>
    keys.filter((key) => mayProve(set, key, signature, now)).map((key) => ({ key, signature })),
  );
  const proofs = await Promise.all(
    pairs
      .slice(0, MAX_VERIFICATIONS)
      .map(async ({ key, signature }) =>
        (await isValid(key, signedData(set, signature), signature.signature))
          ? [{ key, inception: signature.inception }]
          : [],
      ),
  );
  return proofs.flat();
}

/** RFC 4035 section 5.3.1. */
function mayProve({ zoneName, type }: ApexSet, key: DnsKey, signature: Signature, now: Date): boolean {
  const { typeCovered, algorithm, keyTag, labels, signersName, inception, expiration } = signature;
  const seconds = Math.floor(now.getTime() / 1_000);
  return (
    (key.flags & ZONE_KEY) !== 0 &&
    typeCovered === type &&
    algorithm === key.algorithm &&
    keyTag === dsRecordOf(zoneName, key).keyTag &&
    labels === zoneName.split('.').length &&
    signersName.toLowerCase().replace(/\.$/, '') === zoneName &&
    inception <= seconds &&
    seconds <= expiration
  );
}

/** RFC 4034 section 3.1.8.1. */
function signedData({ zoneName, type, rdata }: ApexSet, signature: Signature): Buffer {
  const number = TYPE_NUMBERS[type];
  const head = Buffer.alloc(RRSIG_HEAD);
  head.writeUInt16BE(number, 0);
  head.writeUInt8(signature.algorithm, 2);
  head.writeUInt8(signature.labels, 3);
  head.writeUInt32BE(signature.originalTTL, 4);
  head.writeUInt32BE(signature.expiration, 8);
  head.writeUInt32BE(signature.inception, 12);
  head.writeUInt16BE(signature.keyTag, 16);
  const rrset = { name: zoneName, type: number, ttl: signature.originalTTL, rdata };
  return Buffer.concat([head, writeName(zoneName), canonicalRrset(rrset)]);
}

interface Algorithm {
  readonly hash: string | null;
  readonly toJwk: (publicKey: Buffer) => JsonWebKey;
}

const curve =
  (crv: string) =>
  (key: Buffer): JsonWebKey => ({
    kty: 'EC',
    crv,
    x: key.subarray(0, key.length / 2).toString('base64url'),
    y: key.subarray(key.length / 2).toString('base64url'),
  });
const edwards =
  (crv: string) =>
  (key: Buffer): JsonWebKey => ({ kty: 'OKP', crv, x: key.toString('base64url') });

/** RFC 3110 section 2. */
function rsa(key: Buffer): JsonWebKey {
  const isLong = key[0] === 0;
  const length = isLong ? key.readUInt16BE(1) : (key[0] ?? 0);
  const start = isLong ? 3 : 1;
  return {
    kty: 'RSA',
    e: key.subarray(start, start + length).toString('base64url'),
    n: key.subarray(start + length).toString('base64url'),
  };
}

/** The algorithms that validators must or should implement (RFC 8624 section 3.1), by number. */
const ALGORITHMS: Readonly<Record<number, Algorithm>> = {
  8: { hash: 'sha256', toJwk: rsa },
  10: { hash: 'sha512', toJwk: rsa },
  13: { hash: 'sha256', toJwk: curve('P-256') },
  14: { hash: 'sha384', toJwk: curve('P-384') },
  15: { hash: null, toJwk: edwards('Ed25519') },
  16: { hash: null, toJwk: edwards('Ed448') },
};

async function isValid({ algorithm, publicKey }: DnsKey, data: Buffer, signature: Buffer): Promise<boolean> {
  const known = ALGORITHMS[algorithm];
  const key = known && toKeyObject(known, publicKey);
  if (!key) return false;
  return new Promise((resolve) => {
    try {
      verify(known.hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature, (error, isSame) =>
        resolve(error === null && isSame),
      );
    } catch {
      resolve(false);
    }
  });
}

function toKeyObject({ toJwk }: Algorithm, publicKey: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: toJwk(Buffer.from(publicKey, 'base64')), format: 'jwk' });
  } catch {
    return undefined;
  }
}
