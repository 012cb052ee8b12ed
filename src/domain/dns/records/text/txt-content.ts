import { octetsOf, parseQuotedStrings, quoteStrings, textOf, type JoinedStrings } from './character-string';
import type { ContentForm } from './content-form';
import { pastedStrings } from './pasted-txt';

/** Octets per character-string: its length field is one octet (RFC 1035, section 3.3). */
const MAX_STRING_LENGTH = 255;
const MAX_LENGTH = 4096;
/** The longest valid input: every octet escaped, in a separate string: `"\255" `. */
const MAX_INPUT_LENGTH = 7 * MAX_LENGTH;

/**
 * TXT content, RFC 1035, section 3.3.14. Input that starts with a double quote is read as quoted strings, other input as
 * plain text, split at 255 octets; a line of a zone file is read as its strings. Stored as plain text if that reads back as the same
 * strings (RFC 6763 pairs do not), else quoted.
 */
export const txtContent: ContentForm = {
  canonicalize: (content, { ownerName, zoneName }) => {
    const pasted = pastedStrings(content, ownerName, zoneName);
    const strings = parseTxt(pasted ?? content);
    if (!strings) return undefined;
    const plain = plainText(strings);
    const isPlain = plain !== undefined && pastedStrings(plain, ownerName, zoneName) === undefined;
    return isPlain ? plain : quoteStrings(strings);
  },
  problem: (content) => {
    if (content === '') return 'it is empty';
    if (/^"(?:[^"\\]|\\.)*$/.test(content)) return 'the double quote at its start is not closed';
    return undefined;
  },
  presentation: (canonical) => {
    const strings = canonical.startsWith('"') ? undefined : parseTxt(canonical);
    return strings ? quoteStrings(strings) : canonical;
  },
};

/** The strings of TXT content, joined as readers of SPF and DMARC records join them (RFC 7208, section 3.3). */
export function joinTxt(content: string): string {
  return parseTxt(content)?.octets.toString('latin1') ?? '';
}

/** TXT content in wire format. */
export function wireTxt(content: string): Buffer {
  const { octets, ends } = parseTxt(content) ?? NO_STRINGS;
  const wire = Buffer.allocUnsafe(octets.length + ends.length);
  let at = 0;
  let length = 0;
  for (const end of ends) {
    wire[length++] = end - at;
    while (at < end) wire[length++] = octets[at++] ?? 0;
  }
  return wire;
}

const NO_STRINGS: JoinedStrings = { octets: Buffer.alloc(0), ends: [] };

/** Parses TXT content to its strings. Returns undefined if it is invalid. */
function parseTxt(content: string): JoinedStrings | undefined {
  if (content === '' || content.length > MAX_INPUT_LENGTH) return undefined;
  const given = content.startsWith('"') ? parseQuotedStrings(content) : plainString(content);
  if (!given) return undefined;
  const strings = { octets: given.octets, ends: splitEnds(given.ends) };
  return totalLength(strings) <= MAX_LENGTH ? strings : undefined;
}

function plainString(content: string): JoinedStrings | undefined {
  const octets = octetsOf(content);
  return octets === undefined ? undefined : { octets: Buffer.from(octets, 'latin1'), ends: [octets.length] };
}

/** An empty string counts as one octet, so that the number of strings is limited too. */
function totalLength({ octets, ends }: JoinedStrings): number {
  let start = 0;
  let empty = 0;
  for (const end of ends) {
    if (end === start) empty += 1;
    start = end;
  }
  return octets.length + empty;
}

/** Splits strings that are too long. */
function splitEnds(ends: readonly number[]): readonly number[] {
  if (ends.every((end, index) => end - (ends[index - 1] ?? 0) <= MAX_STRING_LENGTH)) return ends;
  const split: number[] = [];
  let start = 0;
  for (const end of ends) {
    for (start += MAX_STRING_LENGTH; start < end; start += MAX_STRING_LENGTH) split.push(start);
    split.push(end);
    start = end;
  }
  return split;
}

/** The text that reads back as the same strings. */
function plainText({ octets, ends }: JoinedStrings): string | undefined {
  const isSplitAsText = ends.length === splitEnds([octets.length]).length && areFull(ends);
  const text = isSplitAsText ? textOf(octets.toString('latin1')) : undefined;
  return text === '' || text?.startsWith('"') ? undefined : text;
}

/** Whether all but the last string are as long as possible. */
function areFull(ends: readonly number[]): boolean {
  return ends.every((end, index) => index === ends.length - 1 || end === MAX_STRING_LENGTH * (index + 1));
}
