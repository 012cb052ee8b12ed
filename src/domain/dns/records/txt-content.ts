import { octetsOf, parseCharacterStrings, quoteCharacterString, textOf } from './character-string';
import type { ContentForm } from './content-form';

/** Octets of one string, whose length is an octet itself: RFC 1035, section 3.3. */
const MAX_STRING_LENGTH = 255;
const MAX_LENGTH = 4096;
/** No acceptable text needs more, even with every octet escaped in a string of its own: `"\255" `. */
const LONGEST_INPUT = 7 * MAX_LENGTH;

/**
 * Text, RFC 1035, section 3.3.14. What starts with a double quote is read as quoted strings, anything else as it
 * stands; longer strings are cut at 255 octets. It is kept as plain text where that reads back as the same strings, and
 * quoted otherwise: where strings are cut elsewhere (the pairs of RFC 6763, section 6.1) or octets are no plain text.
 */
export const txtContent: ContentForm = {
  canonicalize: (content) => {
    const strings = parseTxt(content);
    return strings && (plain(strings) ?? quoted(strings));
  },
  presentation: (canonical) => quoted(parseTxt(canonical) ?? []),
  wireLength: (canonical) => (parseTxt(canonical) ?? []).reduce((sum, octets) => sum + 1 + octets.length, 0),
};

/** The strings of a TXT record's content, a character per octet; undefined where it is not acceptable. */
export function parseTxt(content: string): string[] | undefined {
  if (content === '' || content.length > LONGEST_INPUT) return undefined;
  const strings = content.startsWith('"') ? quotedStrings(content) : plainStrings(content);
  return strings && spaceTaken(strings) <= MAX_LENGTH ? strings : undefined;
}

function quotedStrings(content: string): string[] | undefined {
  const strings = parseCharacterStrings(content);
  return strings?.every((string) => string.quoted) === true
    ? strings.flatMap((string) => cut(string.octets))
    : undefined;
}

function plainStrings(content: string): string[] | undefined {
  const octets = octetsOf(content);
  return octets === undefined ? undefined : cut(octets);
}

/** An empty string counts as one octet, so that their number is limited, too. */
function spaceTaken(strings: readonly string[]): number {
  return strings.reduce((sum, octets) => sum + Math.max(1, octets.length), 0);
}

function cut(octets: string): string[] {
  const strings = [octets.slice(0, MAX_STRING_LENGTH)];
  for (let at = MAX_STRING_LENGTH; at < octets.length; at += MAX_STRING_LENGTH) {
    strings.push(octets.slice(at, at + MAX_STRING_LENGTH));
  }
  return strings;
}

function plain(strings: readonly string[]): string | undefined {
  const text = textOf(strings.join(''));
  if (text === undefined || text.startsWith('"')) return undefined;
  const readBack = parseTxt(text);
  const same = readBack?.length === strings.length && readBack.every((octets, index) => octets === strings[index]);
  return same ? text : undefined;
}

function quoted(strings: readonly string[]): string {
  return strings.map(quoteCharacterString).join(' ');
}
