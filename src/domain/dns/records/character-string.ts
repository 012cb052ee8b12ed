/** One RFC 1035 `<character-string>` as read. */
export interface CharacterString {
  /** A character per octet. */
  readonly octets: string;
  readonly quoted: boolean;
}

/** Control characters and lone surrogates: the former must be escaped, the latter have no octets. */
const UNWRITABLE = /[\p{Cc}\p{Cs}]/u;
const ESCAPE = /\\(?:(\d{3})|(\D))/g;
/** A quoted or a bare string and the blanks behind it. */
const NEXT_STRING = /(?:"((?:[^"\\]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D))*)"(?=[ "]|$)|([^ "\\]+)(?= |$)) */gy;

/** The octets of `text` in UTF-8, a character per octet; undefined where it has characters that need an escape. */
export function octetsOf(text: string): string | undefined {
  return UNWRITABLE.test(text) ? undefined : Buffer.from(text, 'utf8').toString('latin1');
}

/** The text whose octets these are, or undefined where there is none that could be written without escapes. */
export function textOf(octets: string): string | undefined {
  const text = Buffer.from(octets, 'latin1').toString('utf8');
  return octetsOf(text) === octets ? text : undefined;
}

/**
 * Reads strings that stand side by side, RFC 1035, section 5.1: `"…"` or a bare word; within quotes `\X` is X and
 * `\DDD` the octet of that decimal number. Undefined where the whole text does not read so.
 */
export function parseCharacterStrings(text: string): CharacterString[] | undefined {
  const octets = octetsOf(text);
  if (octets === undefined) return undefined;
  const matches = [...octets.matchAll(NEXT_STRING)];
  const read = matches.reduce((length, [match]) => length + match.length, 0);
  if (read !== octets.length) return undefined;
  return matches.map(([, quoted, bare = '']) =>
    quoted === undefined ? { octets: bare, quoted: false } : { octets: unescaped(quoted), quoted: true },
  );
}

/** Writes a string in quotes: `\"`, `\\`, and `\DDD` for what is not printable ASCII. */
export function quoteCharacterString(octets: string): string {
  const escaped = octets
    .replace(/["\\]/g, '\\$&')
    .replace(/[^ -~]/g, (octet) => `\\${String(octet.charCodeAt(0)).padStart(3, '0')}`);
  return `"${escaped}"`;
}

function unescaped(quoted: string): string {
  return quoted.replace(ESCAPE, (_match, decimal: string | undefined, character: string) =>
    decimal === undefined ? character : String.fromCharCode(Number(decimal)),
  );
}
