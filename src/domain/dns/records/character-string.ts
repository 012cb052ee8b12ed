/** A parsed `<character-string>` (RFC 1035). */
interface CharacterString {
  /** One character per octet. */
  readonly octets: string;
  readonly quoted: boolean;
}

/** Control characters must be escaped; lone surrogates have no UTF-8 form. */
const NEEDS_ESCAPE = /[\p{Cc}\p{Cs}]/u;
const ESCAPE = /\\(?:(\d{3})|(\D))/g;
/** A quoted or bare string and the spaces after it. */
const NEXT_STRING = /(?:"((?:[^"\\]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D))*)"(?=[ "]|$)|([^ "\\]+)(?= |$)) */gy;

/** Quoted strings without escapes, one space apart: most of them. */
const WITHOUT_ESCAPES = /^"[ !#-[\]-~]*"(?: "[ !#-[\]-~]*")*$/;
const NEEDS_QUOTING = /["\\]|[^ -~]/;

/** Encodes `text` as UTF-8, one character per octet. Returns undefined if a character needs an escape. */
export function octetsOf(text: string): string | undefined {
  return NEEDS_ESCAPE.test(text) ? undefined : Buffer.from(text, 'utf8').toString('latin1');
}

/** Decodes UTF-8 octets. Returns undefined if the text cannot be written without escapes. */
export function textOf(octets: string): string | undefined {
  const text = Buffer.from(octets, 'latin1').toString('utf8');
  return octetsOf(text) === octets ? text : undefined;
}

/**
 * Parses a sequence of strings (RFC 1035, section 5.1): `"…"` or bare words; in quotes, `\X` is X and `\DDD` an octet in
 * decimal. Returns undefined if any part is invalid.
 */
export function parseCharacterStrings(text: string): CharacterString[] | undefined {
  if (WITHOUT_ESCAPES.test(text))
    return text
      .slice(1, -1)
      .split('" "')
      .map((octets) => ({ octets, quoted: true }));
  const octets = octetsOf(text);
  if (octets === undefined) return undefined;
  const matches = [...octets.matchAll(NEXT_STRING)];
  const matched = matches.reduce((length, [match]) => length + match.length, 0);
  if (matched !== octets.length) return undefined;
  return matches.map(([, quoted, bare = '']) =>
    quoted === undefined ? { octets: bare, quoted: false } : { octets: unescape(quoted), quoted: true },
  );
}

/** Quotes a string and escapes it: `\"`, `\\`, and `\DDD` for octets that are not printable ASCII. */
export function quoteCharacterString(octets: string): string {
  if (!NEEDS_QUOTING.test(octets)) return `"${octets}"`;
  const escaped = octets
    .replace(/["\\]/g, '\\$&')
    .replace(/[^ -~]/g, (octet) => `\\${String(octet.charCodeAt(0)).padStart(3, '0')}`);
  return `"${escaped}"`;
}

function unescape(quoted: string): string {
  return quoted.replace(ESCAPE, (_match, decimal: string | undefined, character: string) =>
    decimal === undefined ? character : String.fromCharCode(Number(decimal)),
  );
}
