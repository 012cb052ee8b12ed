import { InvalidRecordData, type TypeDefinition } from '../type-definition';
import { genericText, MAX_RDATA_LENGTH, parseGeneric } from './generic-rdata';
import { wordsOf, type Word } from './words';

const EXPECTATION = 'RDATA as RFC 3597 writes it: \\# <number of octets> <hexadecimal>, such as \\# 4 0a000001';

/** A type that the service knows by its number only; its content is RDATA as RFC 3597, section 5, writes it. */
export function unknownType(number: number): TypeDefinition {
  const name = `TYPE${number}`;
  const read = (words: readonly Word[]): Buffer | undefined => {
    const octets = parseGeneric(words);
    return octets && octets.length <= MAX_RDATA_LENGTH ? canonicalRdata(number, octets) : undefined;
  };
  const canonicalize = (content: string): string | undefined => {
    const octets = read(wordsOf(content) ?? []);
    return octets && genericText(octets);
  };
  return {
    name,
    number,
    expectation: EXPECTATION,
    numbers: {},
    allowedAtRoot: true,
    takesGenericRdata: true,
    // Former versions of the service stored names as they were written.
    content: { canonicalize, presentation: (content) => canonicalize(content) ?? content },
    parse: (words) => {
      const octets = read(words);
      if (!octets) throw new InvalidRecordData(`the data of a ${name} record must be ${EXPECTATION}`);
      return { content: genericText(octets) };
    },
    encode: ({ content }) => {
      const octets = parseGeneric(wordsOf(content) ?? []) ?? Buffer.alloc(0);
      return canonicalRdata(number, octets) ?? octets;
    },
    decode: (reader) => ({ content: genericText(reader.rest()) }),
  };
}

/**
 * RDATA of registered types that nameservers parse and this service does not: `h` 16 bits, `n` a name that is in lower case in
 * canonical form (RFC 4034, section 6.2), `N` a name that is not, `s` a character-string, `S` several, digits so many octets.
 * A secondary rejects a whole transfer that has malformed RDATA.
 */
const FORMATS: ReadonlyMap<number, string> = new Map([
  [3, 'n'], // MD
  [4, 'n'], // MF
  [7, 'n'], // MB
  [8, 'n'], // MG
  [9, 'n'], // MR
  [14, 'nn'], // MINFO
  [17, 'nn'], // RP
  [18, 'hn'], // AFSDB
  [19, 's'], // X25
  [20, 'S'], // ISDN
  [21, 'hn'], // RT
  [26, 'hnn'], // PX
  [36, 'hn'], // KX
  [56, 'S'], // NINFO
  [57, '4*'], // RKEY
  [58, 'NN'], // TALINK
  [104, 'h8'], // NID
  [105, 'h4'], // L32
  [106, 'h8'], // L64
  [107, 'hN'], // LP
  [108, '6'], // EUI48
  [109, '8'], // EUI64
  [258, 'S'], // AVC
  [261, 'S'], // RESINFO
  [262, 'S'], // WALLET
]);
/** Formats that are not worth a check: WKS, NSAP-PTR, KEY, GPOS, EID, NIMLOC, ATMA, A6, SINK, APL, IPSECKEY, HIP, CSYNC, DOA, AMTRELAY, TA, DLV. */
const UNCHECKED: ReadonlySet<number> = new Set([
  11, 23, 25, 27, 31, 32, 34, 38, 40, 42, 45, 55, 62, 259, 260, 32_768, 32_769,
]);

/** RDATA in canonical form, as all signatures need it; undefined if it is malformed, or of a type that is not checked. */
function canonicalRdata(number: number, octets: Buffer): Buffer | undefined {
  const format = FORMATS.get(number);
  if (format === undefined) return UNCHECKED.has(number) ? undefined : octets;
  const canonical = Buffer.from(octets);
  let at = 0;
  for (const part of format) {
    const length = part === 'S' ? stringLengths(octets, at) : lengthOf(part, octets, at);
    if (length === undefined) return undefined;
    if (part === 'n') lowerCase(canonical.subarray(at, at + length));
    at += length;
  }
  return at === octets.length ? canonical : undefined;
}

/** In place. The lengths of labels are below the codes of letters. */
function lowerCase(name: Buffer): void {
  for (const [at, octet] of name.entries()) if (octet >= 0x41 && octet <= 0x5a) name[at] = octet + 0x20;
}

/** The octets of one part of RDATA, undefined if it is malformed. */
function lengthOf(part: string, octets: Buffer, at: number): number | undefined {
  if (part === '*') return octets.length - at;
  if (part === 'h') return at + 2 <= octets.length ? 2 : undefined;
  if (part === 's') return at < octets.length ? 1 + (octets[at] ?? 0) : undefined;
  if (part === 'n' || part === 'N') return nameLength(octets, at);
  return Number(part);
}

function stringLengths(octets: Buffer, start: number): number | undefined {
  let at = start;
  do at += 1 + (octets[at] ?? 0);
  while (at < octets.length);
  return at - start;
}

/** Without compression: RFC 3597, section 4. */
function nameLength(octets: Buffer, start: number): number | undefined {
  for (let at = start; at < octets.length && at - start < 255; at += 1 + (octets[at] ?? 0)) {
    const length = octets[at] ?? 0;
    if (length > 63) return undefined;
    if (length === 0) return at + 1 - start;
  }
  return undefined;
}
