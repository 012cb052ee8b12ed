import { octetsOf, parseCharacterStrings, quoteCharacterString, textOf } from './character-string';
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
    return isPlain ? plain : quoted(strings);
  },
  problem: (content) => {
    if (content === '') return 'it is empty';
    if (/^"(?:[^"\\]|\\.)*$/.test(content)) return 'the double quote at its start is not closed';
    return undefined;
  },
  presentation: (canonical) => quoted(parseTxt(canonical) ?? []),
};

/** The strings of TXT content, joined as readers of SPF and DMARC records join them (RFC 7208, section 3.3). */
export function joinTxt(content: string): string {
  return (parseTxt(content) ?? []).join('');
}

/** Parses TXT content to its strings, one character per octet. Returns undefined if it is invalid. */
export function parseTxt(content: string): string[] | undefined {
  if (content === '' || content.length > MAX_INPUT_LENGTH) return undefined;
  const strings = content.startsWith('"') ? quotedStrings(content) : plainStrings(content);
  return strings && totalLength(strings) <= MAX_LENGTH ? strings : undefined;
}

function quotedStrings(content: string): string[] | undefined {
  const strings = parseCharacterStrings(content);
  return strings?.every((string) => string.quoted) === true
    ? strings.flatMap((string) => splitOctets(string.octets))
    : undefined;
}

function plainStrings(content: string): string[] | undefined {
  const octets = octetsOf(content);
  return octets === undefined ? undefined : splitOctets(octets);
}

/** An empty string counts as one octet, so that the number of strings is limited too. */
function totalLength(strings: readonly string[]): number {
  return strings.reduce((sum, octets) => sum + Math.max(1, octets.length), 0);
}

function splitOctets(octets: string): string[] {
  const strings = [octets.slice(0, MAX_STRING_LENGTH)];
  for (let at = MAX_STRING_LENGTH; at < octets.length; at += MAX_STRING_LENGTH) {
    strings.push(octets.slice(at, at + MAX_STRING_LENGTH));
  }
  return strings;
}

function plainText(strings: readonly string[]): string | undefined {
  const text = textOf(strings.join(''));
  if (text === undefined || text.startsWith('"')) return undefined;
  const readBack = parseTxt(text);
  const same = readBack?.length === strings.length && readBack.every((octets, index) => octets === strings[index]);
  return same ? text : undefined;
}

function quoted(strings: readonly string[]): string {
  return strings.map(quoteCharacterString).join(' ');
}
