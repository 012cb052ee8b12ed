/** A word of a zone file, escapes and all. */
export interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** What RFC 1035, section 5.1, calls an entry: a line, or several where parentheses join them. Never empty. */
export interface Entry {
  /** Where it begins; the first line is 1. */
  readonly line: number;
  /** It begins with a blank: the owner is that of the entry before. */
  readonly continuesOwner: boolean;
  readonly tokens: readonly [Token, ...Token[]];
}

/** A line that cannot be taken apart. */
export interface BrokenLine {
  readonly line: number;
  readonly problem: string;
}

const PIECE = /([ \t\r\f\v]+)|;[^\n]*|(\n)|([()])|"((?:[^"\\\n]|\\[^\n])*)"|((?:[^ \t\r\f\v\n;()"\\]|\\[^\n])+)|[^]/gy;

/** RFC 1035, section 5.1: `\X` for any X but a digit, or `\DDD`, an octet in decimal. */
const ESCAPED_WELL = /^(?:[^\\]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D))*$/;

/** Takes a zone file apart. A broken line ends its entry; reading goes on behind it. */
export function* zoneFileEntries(text: string): Generator<Entry | BrokenLine> {
  let line = 1;
  let entry = new EntryInHand(line);
  for (const [piece, blanks, newline, parenthesis, quoted, bare] of text.matchAll(PIECE)) {
    const word = quoted ?? bare;
    if (blanks !== undefined) entry.blank();
    else if (word !== undefined) entry.add({ text: word, quoted: quoted !== undefined });
    else if (parenthesis !== undefined) entry.parenthesis(parenthesis);
    else if (newline === undefined && !piece.startsWith(';')) entry.spoil(piece === '"' ? 'a quote is not closed on its line' : 'a backslash at the end of a line');
    if (newline === undefined) continue;
    line += 1;
    if (entry.goesOn) continue;
    yield* entry.end();
    entry = new EntryInHand(line);
  }
  if (entry.goesOn) entry.spoil('a parenthesis is not closed');
  yield* entry.end();
}

class EntryInHand {
  private readonly tokens: Token[] = [];
  private depth = 0;
  private fresh = true;
  private continuesOwner = false;
  private problem: string | undefined;

  constructor(private readonly line: number) {}

  /** A line that is broken ends where it ends, whatever is open. */
  get goesOn(): boolean {
    return this.depth > 0 && this.problem === undefined;
  }

  blank(): void {
    if (this.fresh) this.continuesOwner = true;
    this.fresh = false;
  }

  add(token: Token): void {
    this.tokens.push(token);
    if (!ESCAPED_WELL.test(token.text)) this.spoil('a backslash and digits are \\000 to \\255');
    this.fresh = false;
  }

  parenthesis(character: string): void {
    this.depth += character === '(' ? 1 : -1;
    this.fresh = false;
    if (this.depth < 0) this.spoil('a parenthesis is closed that was not opened');
  }

  spoil(problem: string): void {
    this.problem ??= problem;
  }

  *end(): Generator<Entry | BrokenLine> {
    const [first, ...others] = this.tokens;
    if (this.problem !== undefined) yield { line: this.line, problem: this.problem };
    else if (first) yield { line: this.line, continuesOwner: this.continuesOwner, tokens: [first, ...others] };
  }
}
