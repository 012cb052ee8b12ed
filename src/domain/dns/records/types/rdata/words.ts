import { octetsOf } from '../../text/character-string';

/** A word of RDATA in presentation format (RFC 1035, section 5.1), with its escapes. */
export interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

const MAX_SHOWN = 60;
/** More than the longest RDATA with every octet escaped. */
const MAX_INPUT_LENGTH = 40_000;
const NEXT_WORD =
  / *(?:"((?:[^"\\]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D))*)"|((?:[^ "\\;()]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D))+)) */gy;
const ESCAPE = /\\(?:(\d{3})|(\D))/g;

/** Splits RDATA on one line. Undefined if it has control characters, comments, parentheses or invalid escapes. */
export function wordsOf(content: string): readonly Word[] | undefined {
  const text = content.replaceAll('\t', ' ');
  if (content.length > MAX_INPUT_LENGTH || octetsOf(text) === undefined) return undefined;
  const words: Word[] = [];
  let length = 0;
  for (const [match, quoted, bare] of text.matchAll(NEXT_WORD)) {
    length += match.length;
    words.push({ text: quoted ?? bare ?? '', quoted: quoted !== undefined });
  }
  return length === text.length ? words : undefined;
}

/** The octets that a word stands for, one character per octet. Undefined if it has control characters. */
export function octetsOfWord({ text }: Word): string | undefined {
  return octetsOf(text.replaceAll('\t', '\\009'))?.replace(
    ESCAPE,
    (_match, decimal: string | undefined, character: string) =>
      decimal === undefined ? character : String.fromCharCode(Number(decimal)),
  );
}

/** Takes the words of RDATA one after another. */
export class WordReader {
  private at = 0;

  constructor(private readonly words: readonly Word[]) {}

  /** How many words have been taken. */
  get position(): number {
    return this.at;
  }

  /** For errors: what has been taken from `start` on. */
  shownSince(start: number, separator = ' '): string {
    const taken = this.words.slice(start, this.at).map(({ text }) => text);
    const text = taken.join(separator);
    return `"${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}"`;
  }

  get isAtEnd(): boolean {
    return this.at === this.words.length;
  }

  next(): Word | undefined {
    return this.words[this.at++];
  }

  /** The next word if it is not quoted. */
  bare(): string | undefined {
    const word = this.next();
    return word?.quoted === false ? word.text : undefined;
  }

  rest(): readonly Word[] {
    const rest = this.words.slice(this.at);
    this.at = this.words.length;
    return rest;
  }
}
