import { createHash } from 'node:crypto';
import { dsRecordOf, type DnsKey } from '../delegation/ds-record';
import { writeName } from '../records/types/rdata/wire-name';

/** RFC 4034, section 2.1.1: a zone key that is also a secure entry point (a CSK). */
export const CSK_FLAGS = 257;
/** ECDSA P-256 with SHA-256: RFC 6605. */
export const ECDSA_P256 = 13;
const PROTOCOL = 3;
const SHA1_IN_NSEC3 = 1;
const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';

/** RDATA of DNSKEY (RFC 4034, section 2.1) and CDNSKEY (RFC 7344, section 3.2). */
export function dnskeyData({ flags, algorithm, publicKey }: DnsKey): Buffer {
  const head = Buffer.from([flags >> 8, flags & 0xff, PROTOCOL, algorithm]);
  return Buffer.concat([head, Buffer.from(publicKey, 'base64')]);
}

/** RDATA of CDS, which is that of DS: RFC 7344, section 3.1. */
export function cdsData(zoneName: string, key: DnsKey): Buffer {
  const { keyTag, algorithm, digestType, digest } = dsRecordOf(zoneName, key);
  return Buffer.concat([Buffer.from([keyTag >> 8, keyTag & 0xff, algorithm, digestType]), Buffer.from(digest, 'hex')]);
}

/** RFC 8078, section 4: the contents that ask the parent to delete the DS records. */
export const DELETE_CDS = Buffer.from([0, 0, 0, 0, 0]);
export const DELETE_CDNSKEY = Buffer.from([0, 0, PROTOCOL, 0, 0]);

/** Hash algorithm SHA-1, no flags, no iterations, no salt: RFC 5155, section 4, and RFC 9276. */
export const NSEC3PARAM_DATA = Buffer.from([SHA1_IN_NSEC3, 0, 0, 0, 0]);

/** The hash of a name without salt and iterations (RFC 5155, section 5), 20 octets. */
export function nsec3Hash(fullName: string): Buffer {
  return createHash('sha1').update(writeName(fullName)).digest();
}

/** RFC 4648, section 7, in lower case without padding; sorts as the octets do. @param octets a multiple of 5 */
export function base32hex(octets: Buffer): string {
  let text = '';
  for (let from = 0; from < octets.length; from += 5) {
    let bits = octets.readUIntBE(from, 5);
    let group = '';
    for (let digit = 0; digit < 8; digit += 1) {
      group = (BASE32HEX[bits % 32] ?? '') + group;
      bits = Math.floor(bits / 32);
    }
    text += group;
  }
  return text;
}

export function fromBase32hex(text: string): Buffer {
  const octets = Buffer.alloc((text.length / 8) * 5);
  for (let group = 0; group * 8 < text.length; group += 1) {
    let bits = 0;
    for (const digit of text.slice(group * 8, group * 8 + 8)) bits = bits * 32 + BASE32HEX.indexOf(digit);
    octets.writeUIntBE(bits, group * 5, 5);
  }
  return octets;
}

/** The bitmaps of the few sets of types that the names of most zones have. */
const knownBitmaps = new Map<string, Buffer>();
const MAX_KNOWN_BITMAPS = 1_000;

/** RFC 4034, section 4.1.2. */
export function typeBitmap(types: readonly number[]): Buffer {
  const id = types.join();
  const known = knownBitmaps.get(id) ?? writeBitmap(types);
  if (knownBitmaps.size < MAX_KNOWN_BITMAPS) knownBitmaps.set(id, known);
  return known;
}

function writeBitmap(types: readonly number[]): Buffer {
  const windows = new Map<number, Buffer>();
  for (const type of types) {
    const window = type >> 8;
    const bits = windows.get(window) ?? Buffer.alloc(32);
    const octet = (type & 0xff) >> 3;
    bits.writeUInt8(bits.readUInt8(octet) | (0x80 >> (type & 7)), octet);
    windows.set(window, bits);
  }
  return Buffer.concat(
    [...windows]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([window, bits]) => {
        const length = bits.findLastIndex((octet) => octet !== 0) + 1;
        return [Buffer.from([window, length]), bits.subarray(0, length)];
      }),
  );
}
