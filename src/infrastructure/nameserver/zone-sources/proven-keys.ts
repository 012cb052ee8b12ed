import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import type { DnskeyAnswer, RrsigAnswer } from 'dns-packet';
import { delegationSignerOf, type DnsKey } from '../../../domain/dns/delegation-signer';
import type { Endpoint } from '../../../domain/dns/secondary';
import { ask } from './dns-query';

/** RFC 4034 section 2.1.1. */
const ZONE_KEY = 0x0100;
const PROTOCOL = 3;
const DNSKEY = 48;
const IN = 1;

type Signature = RrsigAnswer['data'];

/** The zone's keys with a valid signature over the DNSKEY RRset that the nameserver serves; undefined without an answer. */
export async function provenKeys(
  zoneName: string,
  endpoint: Endpoint,
  now: Date,
): Promise<readonly DnsKey[] | undefined> {
  const answer = await ask(endpoint, { name: zoneName, type: 'DNSKEY', withSignatures: true });
  if (!answer) return undefined;
  const keys = answer.answers.flatMap((each) => (each.type === 'DNSKEY' ? [toKey(each)] : []));
  const signatures = answer.answers.flatMap((each) => (each.type === 'RRSIG' ? [each.data] : []));
  return keys.filter(
    (key) => (key.flags & ZONE_KEY) !== 0 && signatures.some((each) => proves({ zoneName, keys, now }, key, each)),
  );
}

function toKey({ data }: DnskeyAnswer): DnsKey {
  return { flags: data.flags, algorithm: data.algorithm, publicKey: data.key.toString('base64') };
}

/** RFC 4035 section 5.3.1. */
function proves(
  { zoneName, keys, now }: { zoneName: string; keys: readonly DnsKey[]; now: Date },
  key: DnsKey,
  signature: Signature,
): boolean {
  const { typeCovered, algorithm, keyTag, signersName, inception, expiration } = signature;
  const seconds = Math.floor(now.getTime() / 1_000);
  return (
    typeCovered === 'DNSKEY' &&
    algorithm === key.algorithm &&
    keyTag === delegationSignerOf(zoneName, key).keyTag &&
    signersName.toLowerCase().replace(/\.$/, '') === zoneName &&
    inception <= seconds &&
    seconds <= expiration &&
    isValid(key, signedData(zoneName, keys, signature), signature.signature)
  );
}

/** RFC 4034 section 3.1.8.1. */
function signedData(zoneName: string, keys: readonly DnsKey[], signature: Signature): Buffer {
  const owner = wireName(zoneName);
  const header = Buffer.alloc(18);
  header.writeUInt16BE(DNSKEY, 0);
  header.writeUInt8(signature.algorithm, 2);
  header.writeUInt8(signature.labels, 3);
  header.writeUInt32BE(signature.originalTTL, 4);
  header.writeUInt32BE(signature.expiration, 8);
  header.writeUInt32BE(signature.inception, 12);
  header.writeUInt16BE(signature.keyTag, 16);
  const records = keys
    .map(({ flags, algorithm, publicKey }) =>
      Buffer.concat([Buffer.from([flags >> 8, flags & 0xff, PROTOCOL, algorithm]), Buffer.from(publicKey, 'base64')]),
    )
    .toSorted((left, right) => left.compare(right))
    .map((data) => {
      const fixed = Buffer.alloc(10);
      fixed.writeUInt16BE(DNSKEY, 0);
      fixed.writeUInt16BE(IN, 2);
      fixed.writeUInt32BE(signature.originalTTL, 4);
      fixed.writeUInt16BE(data.length, 8);
      return Buffer.concat([owner, fixed, data]);
    });
  return Buffer.concat([header, owner, ...records]);
}

function wireName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
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

function isValid({ algorithm, publicKey }: DnsKey, data: Buffer, signature: Buffer): boolean {
  const known = ALGORITHMS[algorithm];
  if (!known) return false;
  try {
    const key = createPublicKey({ key: known.toJwk(Buffer.from(publicKey, 'base64')), format: 'jwk' });
    return verify(known.hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}
