import { InvalidRecordData, type TypeDefinition } from '../type-definition';
import { genericText, MAX_RDATA_LENGTH, parseGeneric } from './generic-rdata';
import { wordsOf, type Word } from './words';

const EXPECTATION = 'RDATA as RFC 3597 writes it: \\# <number of octets> <hexadecimal>, such as \\# 4 0a000001';

/** A type that the service knows by its number only; its content is RDATA as RFC 3597, section 5, writes it. */
export function unknownType(number: number): TypeDefinition {
  const name = `TYPE${number}`;
  const read = (words: readonly Word[]): string | undefined => {
    const octets = parseGeneric(words);
    return octets && octets.length <= MAX_RDATA_LENGTH && isPossible(number, octets) ? genericText(octets) : undefined;
  };
  return {
    name,
    number,
    expectation: EXPECTATION,
    numbers: {},
    allowedAtRoot: true,
    takesGenericRdata: true,
    content: {
      canonicalize: (content) => read(wordsOf(content) ?? []),
      presentation: (content) => content,
    },
    parse: (words) => {
      const content = read(words);
      if (content === undefined) throw new InvalidRecordData(`the data of a ${name} record must be ${EXPECTATION}`);
      return { content };
    },
    encode: ({ content }) => parseGeneric(wordsOf(content) ?? []) ?? Buffer.alloc(0),
    decode: (reader) => ({ content: genericText(reader.rest()) }),
  };
}

/**
 * RDATA of registered types that nameservers parse and this service does not: `h` 16 bits, `n` a name, `s` a character-string,
 * `S` several, digits so many octets. A secondary rejects a whole transfer that has malformed RDATA.
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
  [58, 'nn'], // TALINK
  [104, 'h8'], // NID
  [105, 'h4'], // L32
  [106, 'h8'], // L64
  [107, 'hn'], // LP
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

function isPossible(number: number, octets: Buffer): boolean {
  const format = FORMATS.get(number);
  if (format === undefined) return !UNCHECKED.has(number);
  let at = 0;
  for (const part of format) {
    const lengths = part === 'S' ? stringLengths(octets, at) : lengthOf(part, octets, at);
    if (lengths === undefined) return false;
    at += lengths;
  }
  return at === octets.length;
}

/** The octets of one part of RDATA, undefined if it is malformed. */
function lengthOf(part: string, octets: Buffer, at: number): number | undefined {
  if (part === '*') return octets.length - at;
  if (part === 'h') return at + 2 <= octets.length ? 2 : undefined;
  if (part === 's') return at < octets.length ? 1 + (octets[at] ?? 0) : undefined;
  if (part === 'n') return nameLength(octets, at);
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
