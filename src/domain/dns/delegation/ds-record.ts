import { createHash } from 'node:crypto';

/** A DS record at the registry (RFC 4034 section 5), with the key that it was made from if known. */
export interface DsRecord {
  readonly keyTag: number;
  /** DNS security algorithm number (RFC 8624). */
  readonly algorithm: number;
  /** 2 is SHA-256, 4 is SHA-384. */
  readonly digestType: number;
  /** Upper-case hexadecimal. */
  readonly digest: string;
  /** For registries that take keys and compute the DS record themselves (RFC 5910 section 4.2). */
  readonly key?: DnsKey;
}

/** A DNSKEY record (RFC 4034 section 2). Protocol is always 3. */
export interface DnsKey {
  readonly flags: number;
  readonly algorithm: number;
  /** Base64. */
  readonly publicKey: string;
}

/** The DS record of a zone's key (RFC 4034 section 5.1.4), with SHA-256 (2) or SHA-384 (4). */
export function dsRecordOf(zone: string, key: DnsKey, digestType: 2 | 4 = 2): DsRecord {
  const data = Buffer.concat([
    Buffer.from([key.flags >> 8, key.flags & 0xff, DNSKEY_PROTOCOL, key.algorithm]),
    Buffer.from(key.publicKey, 'base64'),
  ]);
  const digest = createHash(digestType === 2 ? 'sha256' : 'sha384')
    .update(Buffer.concat([wireName(zone), data]))
    .digest('hex')
    .toUpperCase();
  return { keyTag: keyTagOf(data), algorithm: key.algorithm, digestType, digest, key };
}

/** For a person who sets DS records: those of the same keys with SHA-256 and with SHA-384, of which one of each key is enough. */
export function dsRecordsToCopy(zone: string, records: readonly DsRecord[]): readonly DsRecord[] {
  return records.flatMap((record) => {
    const { key } = record;
    return key ? [dsRecordOf(zone, key, 2), dsRecordOf(zone, key, 4)] : [record];
  });
}

/** Whether two DS records are equal, whether or not their keys are known. */
export function isSameDsRecord(left: DsRecord, right: DsRecord): boolean {
  return (
    left.keyTag === right.keyTag &&
    left.algorithm === right.algorithm &&
    left.digestType === right.digestType &&
    left.digest === right.digest
  );
}

/**
 * Whether `present` are the DS records of exactly the `wanted` keys, each with at least one digest. Registries that take keys
 * choose the digest types themselves (RFC 5910 section 4.2).
 */
export function matchesDsRecords(zone: string, wanted: readonly DsRecord[], present: readonly DsRecord[]): boolean {
  const isOf = (dsRecord: DsRecord, found: DsRecord): boolean =>
    isSameDsRecord(dsRecord, found) ||
    (dsRecord.key !== undefined &&
      (found.digestType === 2 || found.digestType === 4) &&
      isSameDsRecord(dsRecordOf(zone, dsRecord.key, found.digestType), found));
  return (
    wanted.every((dsRecord) => present.some((found) => isOf(dsRecord, found))) &&
    present.every((found) => wanted.some((dsRecord) => isOf(dsRecord, found)))
  );
}

const DNSKEY_PROTOCOL = 3;

/** RFC 4034 appendix B, without the obsolete algorithm 1. */
function keyTagOf(data: Buffer): number {
  let sum = 0;
  for (const [index, octet] of data.entries()) sum += index % 2 === 0 ? octet << 8 : octet;
  return (sum + (sum >> 16)) & 0xffff;
}

/** RFC 1035 section 3.1, in lower case. */
function wireName(zone: string): Buffer {
  const labels = zone.toLowerCase().split('.').filter(Boolean);
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'ascii')])),
    Buffer.from([0]),
  ]);
}
