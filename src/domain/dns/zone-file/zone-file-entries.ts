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

/** More than the largest record takes (64 KiB), every octet of it escaped. */
const MAX_ENTRY_LENGTH = 300_000;
const TOO_LONG = 'no record is as long as this one';
/** Short enough for one turn of the event loop. */
const SLICE_LENGTH = 65_536;

/**
 * Takes a zone file apart, and yields undefined wherever a line brought nothing. A broken line ends its entry; reading goes
 * on behind it.
 */
export function* zoneFileEntries(text: string | Iterable<string>): Generator<Entry | BrokenLine | undefined> {
  const pieces = new RegExp(PIECE);
  let line = 1;
  let entry = new EntryInHand(line);
  for (const { text: lines, isCut } of wholeLines(typeof text === 'string' ? [text] : text)) {
    let isComment = false;
    pieces.lastIndex = 0;
    for (let match = pieces.exec(lines); match; match = pieces.exec(lines)) {
      const [piece, blanks, newline, parenthesis, quoted, bare] = match;
      const word = quoted ?? bare;
      isComment = piece.startsWith(';');
      if (blanks !== undefined) entry.blank();
      else if (word !== undefined) entry.add({ text: word, quoted: quoted !== undefined });
      else if (parenthesis !== undefined) entry.parenthesis(parenthesis);
      else if (newline === undefined && !isComment)
        entry.spoil(piece === '"' ? 'a quote is not closed on its line' : 'a backslash at the end of a line');
      if (newline === undefined) {
        if (entry.isSpoilt) pieces.lastIndex = endOfLine(lines, pieces.lastIndex);
        continue;
      }
      line += 1;
      if (entry.goesOn) {
        yield undefined;
        continue;
      }
      yield entry.end();
      entry = new EntryInHand(line);
    }
    if (isCut && !isComment) entry.spoil(TOO_LONG);
  }
  if (entry.goesOn) entry.spoil('a parenthesis is not closed');
  yield entry.end();
}

interface Lines {
  readonly text: string;
  /** It is the beginning of one line, without its line feed: the rest is left out. */
  readonly isCut: boolean;
}

/** Lines with their line feeds, some at a time, whatever the pieces. Of a line that is too long for any record, only the beginning. */
function* wholeLines(pieces: Iterable<string>): Generator<Lines> {
  let held = '';
  let isCutting = false;
  for (const piece of slices(pieces)) {
    const from = isCutting ? piece.indexOf('\n') : 0;
    if (from === -1) continue;
    const end = piece.lastIndexOf('\n') + 1;
    if (end > from) {
      yield { text: held + piece.slice(from, end), isCut: false };
      isCutting = false;
      held = piece.slice(end);
    } else {
      held += piece.slice(from);
    }
    if (held.length <= MAX_ENTRY_LENGTH) continue;
    yield { text: held, isCut: true };
    isCutting = true;
    held = '';
  }
  yield { text: held, isCut: false };
}

function* slices(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += SLICE_LENGTH) yield piece.slice(at, at + SLICE_LENGTH);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

class EntryInHand {
  private readonly tokens: Token[] = [];
  private length = 0;
  private depth = 0;
  private fresh = true;
  private continuesOwner = false;
  private problem: string | undefined;

  constructor(private readonly line: number) {}

  get isSpoilt(): boolean {
    return this.problem !== undefined;
  }

  /** A line that is broken ends where it ends, whatever is open. */
  get goesOn(): boolean {
    return this.depth > 0 && !this.isSpoilt;
  }

  blank(): void {
    if (this.fresh) this.continuesOwner = true;
    this.fresh = false;
  }

  add(token: Token): void {
    this.tokens.push(token);
    this.grow(token.text.length);
    if (!this.isSpoilt && !ESCAPED_WELL.test(token.text)) this.spoil('a backslash and digits are \\000 to \\255');
    this.fresh = false;
  }

  parenthesis(character: string): void {
    this.depth += character === '(' ? 1 : -1;
    this.grow(character.length);
    this.fresh = false;
    if (this.depth < 0) this.spoil('a parenthesis is closed that was not opened');
  }

  private grow(length: number): void {
    this.length += length + 1;
    if (this.length > MAX_ENTRY_LENGTH) this.spoil(TOO_LONG);
  }

  spoil(problem: string): void {
    this.problem ??= problem;
  }

  end(): Entry | BrokenLine | undefined {
    const [first, ...others] = this.tokens;
    if (this.problem !== undefined) return { line: this.line, problem: this.problem };
    return first && { line: this.line, continuesOwner: this.continuesOwner, tokens: [first, ...others] };
  }
}
