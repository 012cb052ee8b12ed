/** Character-strings (RFC 1035) without an object for each, because TXT content can have thousands. */
export interface JoinedStrings {
  /** Of all strings, one after the other. */
  readonly octets: Buffer;
  /** Where each string ends. */
  readonly ends: readonly number[];
}

interface ParsedStrings extends JoinedStrings {
  readonly areAllQuoted: boolean;
}

/** Control characters must be escaped; lone surrogates have no UTF-8 form. */
const NEEDS_ESCAPE = /[\p{Cc}\p{Cs}]/u;
const PRINTABLE_ASCII = /^[ -~]*$/;

const [SPACE, QUOTE, BACKSLASH, TILDE, ZERO, NINE] = [0x20, 0x22, 0x5c, 0x7e, 0x30, 0x39];

/** Encodes `text` as UTF-8, one character per octet. Returns undefined if a character needs an escape. */
export function octetsOf(text: string): string | undefined {
  if (PRINTABLE_ASCII.test(text)) return text;
  return NEEDS_ESCAPE.test(text) ? undefined : Buffer.from(text, 'utf8').toString('latin1');
}

/** Decodes UTF-8 octets. Returns undefined if the text cannot be written without escapes. */
export function textOf(octets: string): string | undefined {
  if (PRINTABLE_ASCII.test(octets)) return octets;
  const text = Buffer.from(octets, 'latin1').toString('utf8');
  return octetsOf(text) === octets ? text : undefined;
}

/**
 * Parses a sequence of strings (RFC 1035, section 5.1): `"…"` or bare words; in quotes, `\X` is X and `\DDD` an octet in
 * decimal. Returns them with one character per octet, or undefined if any part is invalid.
 */
export function parseCharacterStrings(text: string): string[] | undefined {
  const parsed = parseStrings(text);
  return parsed?.ends.map((end, index) => parsed.octets.toString('latin1', parsed.ends[index - 1] ?? 0, end));
}

/** As `parseCharacterStrings`, if all strings are in quotes. */
export function parseQuotedStrings(text: string): JoinedStrings | undefined {
  const parsed = parseStrings(text);
  return parsed?.areAllQuoted === true ? parsed : undefined;
}

function parseStrings(text: string): ParsedStrings | undefined {
  if (!PRINTABLE_ASCII.test(text) && NEEDS_ESCAPE.test(text)) return undefined;
  return new StringsParser(Buffer.from(text, 'utf8')).parse();
}

/** Octet by octet: a regular expression would make a match for each string and each escape. */
class StringsParser {
  private readonly octets: Buffer;
  private readonly ends: number[] = [];
  private length = 0;
  private at = 0;

  constructor(private readonly input: Buffer) {
    this.octets = Buffer.allocUnsafe(input.length);
  }

  parse(): ParsedStrings | undefined {
    let areAllQuoted = true;
    while (this.at < this.input.length) {
      const isQuoted = this.input[this.at] === QUOTE;
      if (!(isQuoted ? this.takeQuoted() : this.takeBare())) return undefined;
      areAllQuoted &&= isQuoted;
      this.ends.push(this.length);
      while (this.input[this.at] === SPACE) this.at += 1;
    }
    return { octets: this.octets.subarray(0, this.length), ends: this.ends, areAllQuoted };
  }

  /** Returns false if the string is invalid. */
  private takeQuoted(): boolean {
    this.at += 1;
    for (let next = this.input[this.at]; next !== QUOTE; next = this.input[this.at]) {
      const octet = next === BACKSLASH ? this.takeEscape() : next;
      if (octet === undefined) return false;
      this.octets[this.length++] = octet;
      this.at += 1;
    }
    this.at += 1;
    const after = this.input[this.at];
    return after === undefined || after === SPACE || after === QUOTE;
  }

  /** Ends at its last character. Returns undefined if the escape is invalid. */
  private takeEscape(): number | undefined {
    this.at += 1;
    const first = this.input[this.at];
    if (!isDigit(first)) return first;
    const [second, third] = [this.input[this.at + 1], this.input[this.at + 2]];
    if (!isDigit(second) || !isDigit(third)) return undefined;
    this.at += 2;
    const octet = (first - ZERO) * 100 + (second - ZERO) * 10 + third - ZERO;
    return octet < 256 ? octet : undefined;
  }

  /** Returns false if the word is invalid. */
  private takeBare(): boolean {
    const start = this.at;
    for (let next = this.input[this.at]; next !== undefined && next !== SPACE; next = this.input[this.at]) {
      if (next === QUOTE || next === BACKSLASH) return false;
      this.octets[this.length++] = next;
      this.at += 1;
    }
    return this.at > start;
  }
}

function isDigit(octet: number | undefined): octet is number {
  return octet !== undefined && octet >= ZERO && octet <= NINE;
}

/** Quotes a string and escapes it: `\"`, `\\`, and `\DDD` for octets that are not printable ASCII. */
export function quoteCharacterString(octets: string): string {
  return quoteStrings({ octets: Buffer.from(octets, 'latin1'), ends: [octets.length] });
}

/** As `quoteCharacterString`, with a space between two strings. */
export function quoteStrings({ octets, ends }: JoinedStrings): string {
  const output = Buffer.allocUnsafe(octets.length * '\\255'.length + ends.length * '"" '.length);
  let length = 0;
  let at = 0;
  for (const end of ends) {
    if (length > 0) output[length++] = SPACE;
    output[length++] = QUOTE;
    for (; at < end; at += 1) {
      const octet = octets[at] ?? 0;
      const isPrintable = octet >= SPACE && octet <= TILDE;
      if (!isPrintable || octet === QUOTE || octet === BACKSLASH) output[length++] = BACKSLASH;
      if (!isPrintable) {
        output[length++] = ZERO + Math.floor(octet / 100);
        output[length++] = ZERO + (Math.floor(octet / 10) % 10);
      }
      output[length++] = isPrintable ? octet : ZERO + (octet % 10);
    }
    output[length++] = QUOTE;
  }
  return output.toString('latin1', 0, length);
}
