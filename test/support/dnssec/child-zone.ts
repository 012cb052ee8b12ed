import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { dsRecordOf, type DsRecord, type DnsKey } from '../../../src/domain/dns/delegation/ds-record';
import type { ChildRecords } from '../../../src/domain/dns/dnssec/parent/child-ds-records';
import { canonicalRrset, signatureInput } from '../../../src/domain/dns/dnssec/rrsig';
import { writeName } from '../../../src/domain/dns/records/types/rdata/wire-name';
import {
  proofsOf,
  type ApexSet,
  type Signature,
} from '../../../src/infrastructure/nameserver/zone-sources/rrset-proofs';
import type { SeededRandom } from '../../crash/random';

export const CHILD = 'child.example';
/** dnssec-cds does not end under faketime, so that the cases follow the real time. They differ by hours: their outcome does not. */
const CASE_TIME = new Date(Math.floor(Date.now() / 60_000) * 60_000);
const HOUR = 3_600;
const TTL = 3_600;
const NUMBERS = { DNSKEY: 48, CDS: 59, CDNSKEY: 60 } as const;

interface PoolKey {
  readonly key: DnsKey;
  readonly privateKey: KeyObject;
}

/** ECDSA P-256 and Ed25519. */
const POOL: readonly PoolKey[] = [13, 13, 13, 15, 15].map((algorithm, index) => {
  const { publicKey, privateKey } =
    algorithm === 13 ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const octets = publicKey.export({ format: 'der', type: 'spki' }).subarray(algorithm === 13 ? -64 : -32);
  return { key: { flags: index % 2 === 0 ? 257 : 256, algorithm, publicKey: octets.toString('base64') }, privateKey };
});

/** What a zone publishes, and what the parent knows. */
export interface ChildCase {
  readonly present: readonly DsRecord[];
  /** Seconds since 1970. */
  readonly notBefore: number;
  readonly sets: readonly ApexSet[];
  readonly keys: readonly DnsKey[];
  readonly cds: readonly DsRecord[];
  readonly cdnskeys: readonly DnsKey[];
}

/** A zone in the middle of a rollover, often with something that is wrong. */
export function randomCase(random: SeededRandom): ChildCase {
  const chance = (share: number): boolean => random.next() < share;
  const some = <T>(values: readonly T[], share: number): readonly T[] => values.filter(() => chance(share));
  const isClean = chance(0.5);
  const published = atLeastOne(some(POOL, 0.6));
  const presentKeys = atLeastOne(some(isClean ? published : POOL, 0.5));
  const wantedKeys = atLeastOne(some(isClean ? published : POOL, 0.5));
  const dsRecords = isClean ? published : atLeastOne(some(published, 0.7));
  const digestTypes = random.oneOf<readonly (2 | 4)[]>([[2], [2], [2], [2, 4], [4]]);
  const cds = chance(0.85)
    ? wantedKeys.flatMap(({ key }) => (!isClean && chance(0.1) ? [] : digestTypes.map((type) => signerOf(key, type))))
    : [];
  const cdnskeys = chance(0.6) ? (isClean ? wantedKeys : atLeastOne(some(POOL, 0.5))).map(({ key }) => key) : [];
  const notBefore = seconds() - random.between(0, 48) * HOUR;
  const period = () => {
    const inception = Math.max(isClean ? notBefore : 0, seconds() - random.between(1, 48) * HOUR);
    return { inception, expiration: seconds() + (!isClean && chance(0.05) ? -HOUR : 72 * HOUR) };
  };
  const set = (type: ApexSet['type'], rdata: readonly Buffer[]): ApexSet => ({
    zoneName: CHILD,
    type,
    rdata,
    signatures:
      rdata.length === 0
        ? []
        : (isClean ? dsRecords : some(dsRecords, 0.8)).map((each) => {
            const signature = signatureOf(type, rdata, each, period());
            return !isClean && chance(0.1) ? tampered(signature) : signature;
          }),
  });
  const keys = published.map(({ key }) => key);
  const asked = !isClean && chance(0.15) ? cds.map((each, index) => (index === 0 ? wrongDigest(each) : each)) : cds;
  return {
    present: presentKeys.map(({ key }) =>
      !isClean && chance(0.1) ? wrongDigest(signerOf(key, 2)) : signerOf(key, random.oneOf<2 | 4>([2, 2, 4])),
    ),
    notBefore,
    keys,
    cds: asked,
    cdnskeys,
    sets: [
      set('DNSKEY', keys.map(keyRdata)),
      set('CDS', asked.map(dsRecordRdata)),
      set('CDNSKEY', cdnskeys.map(keyRdata)),
    ],
  };
}

/** As the service reads them from a nameserver. */
export async function toChildRecords({ sets, keys, cds, cdnskeys }: ChildCase): Promise<ChildRecords> {
  const [ofKeys = [], ofCds = [], ofCdnskeys = []] = await Promise.all(
    sets.map((set) => proofsOf(set, keys, CASE_TIME)),
  );
  return {
    keys: { records: keys, proofs: ofKeys },
    cds: { records: cds, proofs: ofCds },
    cdnskeys: { records: cdnskeys, proofs: ofCdnskeys },
  };
}

/** Zone file of the child's records. */
export function toChildFile({ sets, keys, cds, cdnskeys }: ChildCase): string {
  const lines = [
    ...keys.map((key) => `DNSKEY ${keyText(key)}`),
    ...cds.map((signer) => `CDS ${dsRecordText(signer)}`),
    ...cdnskeys.map((key) => `CDNSKEY ${keyText(key)}`),
    ...sets.flatMap(({ signatures }) => signatures.map((signature) => `RRSIG ${signatureText(signature)}`)),
  ];
  return lines.map((line) => `${CHILD}. ${TTL} IN ${line}\n`).join('');
}

export function dsRecordText({ keyTag, algorithm, digestType, digest }: DsRecord): string {
  return `${keyTag} ${algorithm} ${digestType} ${digest}`;
}

/** YYYYMMDDHHMMSS, as in RRSIG records. */
export function timeText(instant: number): string {
  return new Date(instant * 1_000).toISOString().replace(/[-:T]|\..*/g, '');
}

function keyText({ flags, algorithm, publicKey }: DnsKey): string {
  return `${flags} 3 ${algorithm} ${publicKey}`;
}

function signatureText(signature: Signature): string {
  const { typeCovered, algorithm, labels, originalTTL, expiration, inception, keyTag, signature: octets } = signature;
  const times = `${timeText(expiration)} ${timeText(inception)}`;
  return `${typeCovered} ${algorithm} ${labels} ${originalTTL} ${times} ${keyTag} ${CHILD}. ${octets.toString('base64')}`;
}

function signatureOf(
  type: ApexSet['type'],
  rdata: readonly Buffer[],
  { key, privateKey }: PoolKey,
  period: { readonly inception: number; readonly expiration: number },
): Signature {
  const rrset = { name: CHILD, type: NUMBERS[type], ttl: TTL, rdata };
  const { algorithm } = key;
  const { keyTag } = dsRecordOf(CHILD, key);
  const { data } = signatureInput({
    rrset,
    canonical: canonicalRrset(rrset),
    signerName: writeName(CHILD),
    key: { id: '', keyTag, algorithm, privateKey },
    period,
  });
  const signature = sign(algorithm === 13 ? 'sha256' : null, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    typeCovered: type,
    algorithm,
    labels: 2,
    originalTTL: TTL,
    ...period,
    keyTag,
    signersName: CHILD,
    signature,
  };
}

function tampered(signature: Signature): Signature {
  const octets = Buffer.from(signature.signature);
  octets[5] = (octets[5] ?? 0) ^ 1;
  return { ...signature, signature: octets };
}

function signerOf(key: DnsKey, digestType: 2 | 4): DsRecord {
  const { key: _key, ...signer } = dsRecordOf(CHILD, key, digestType);
  return signer;
}

function wrongDigest(signer: DsRecord): DsRecord {
  return { ...signer, digest: 'AB'.repeat(signer.digest.length / 2) };
}

function keyRdata({ flags, algorithm, publicKey }: DnsKey): Buffer {
  return Buffer.concat([Buffer.from([flags >> 8, flags & 0xff, 3, algorithm]), Buffer.from(publicKey, 'base64')]);
}

function dsRecordRdata({ keyTag, algorithm, digestType, digest }: DsRecord): Buffer {
  return Buffer.concat([Buffer.from([keyTag >> 8, keyTag & 0xff, algorithm, digestType]), Buffer.from(digest, 'hex')]);
}

function atLeastOne(keys: readonly PoolKey[]): readonly PoolKey[] {
  return keys.length > 0 ? keys : POOL.slice(0, 1);
}

function seconds(): number {
  return CASE_TIME.getTime() / 1_000;
}
