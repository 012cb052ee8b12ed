import type { DraftData, TypeDefinition } from '../type-definition';
import { RdataReader } from './rdata-reader';
import type { Word } from './words';

const HEX = /^(?:[0-9a-f]{2})*$/i;
/** Octets of the RDATA of one record. */
export const MAX_RDATA_LENGTH = 8_192;

/** Whether RDATA is in the format for unknown types, which every type may have (RFC 3597, section 5). */
export function isGeneric(words: readonly Word[]): boolean {
  return words[0]?.text === '\\#' && !words[0].quoted;
}

/** Reads `\# <length> <hexadecimal>`. Undefined if it is malformed. */
export function parseGeneric(words: readonly Word[]): Buffer | undefined {
  const [, length, ...data] = words;
  if (!isGeneric(words) || words.some(({ quoted }) => quoted) || !/^\d{1,5}$/.test(length?.text ?? ''))
    return undefined;
  const hex = data.map(({ text }) => text).join('');
  const octets = Number(length?.text);
  return HEX.test(hex) && hex.length === 2 * octets ? Buffer.from(hex, 'hex') : undefined;
}

/** Reads the octets of a known type in the format for unknown types. Undefined if they are malformed. */
export function decodeGeneric(words: readonly Word[], { decode }: TypeDefinition): DraftData | undefined {
  const octets = parseGeneric(words);
  if (!octets) return undefined;
  try {
    const reader = new RdataReader(octets);
    const data = decode(reader);
    reader.assertEnd();
    return data;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Writes `\# <length> <hexadecimal>`. */
export function genericText(octets: Buffer): string {
  return octets.length === 0 ? '\\# 0' : `\\# ${octets.length} ${octets.toString('hex')}`;
}
