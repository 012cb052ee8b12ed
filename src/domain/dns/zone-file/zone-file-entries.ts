/** A word of a zone file, with its escapes. */
export interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** An entry (RFC 1035, section 5.1): one line, or several that are joined by parentheses. Never empty. */
export interface Entry {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** It starts with white space, so it has the owner of the previous entry. */
  readonly continuesOwner: boolean;
  readonly tokens: readonly [Token, ...Token[]];
  readonly hasComment: boolean;
  /** The comment at its end, outside parentheses, without its semicolon. */
  readonly comment: string;
}

/** An error on one line. */
export interface LineError {
  readonly line: number;
  readonly message: string;
}

const PIECE = /([ \t\r\f\v]+)|;[^\n]*|(\n+)|([()])|"((?:[^"\\\n]|\\[^\n])*)"|((?:[^ \t\r\f\v\n;()"\\]|\\[^\n])+)|[^]/gy;

/** RFC 1035, section 5.1: `\X` if X is not a digit, or `\DDD`, an octet in decimal. */
const VALID_ESCAPES = /^(?:[^\\]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]|\D))*$/;

/** More than the largest record (64 KiB) with every octet escaped. */
const MAX_ENTRY_LENGTH = 300_000;
/** TXT content has at most 4096 strings. Each word takes memory and, until the next yield, time. */
const MAX_WORDS = 10_000;
/** What is kept of one: more than the notes of a record with every character escaped. */
const MAX_COMMENT_LENGTH = 2_000;
/** Of a surrogate pair. */
const HALF_AT_END = /[\ud800-\udbff]$/;
const TOO_LONG = 'the line is too long for a record';
/** Bounds the time between two yields. */
const SLICE_LENGTH = 65_536;

/**
 * Splits a zone file into entries. Yields undefined for a line without an entry, so that the caller can pause. An invalid line
 * ends its entry; parsing continues on the next line.
 */
export function* zoneFileEntries(text: string | Iterable<string>): Generator<Entry | LineError | undefined> {
  const pieces = new RegExp(PIECE);
  let line = 1;
  let entry = new EntryBuilder(line);
  for (const { text: lines, isCut } of wholeLines(typeof text === 'string' ? [text] : text)) {
    let isComment = false;
    pieces.lastIndex = 0;
    for (let match = pieces.exec(lines); match; match = pieces.exec(lines)) {
      const [piece, blanks, newline, parenthesis, quoted, bare] = match;
      const word = quoted ?? bare;
      isComment = piece.startsWith(';');
      if (isComment) entry.readComment(piece);
      if (blanks !== undefined) entry.readBlank();
      else if (word !== undefined) entry.add({ text: word, quoted: quoted !== undefined });
      else if (parenthesis !== undefined) entry.readParenthesis(parenthesis);
      else if (newline === undefined && !isComment)
        entry.fail(piece === '"' ? 'a quote is not closed on its line' : 'a line ends with a backslash');
      if (newline === undefined) {
        if (entry.isInvalid) pieces.lastIndex = endOfLine(lines, pieces.lastIndex);
        continue;
      }
      line += newline.length;
      if (entry.isIncomplete) {
        yield undefined;
        continue;
      }
      yield entry.end();
      entry = new EntryBuilder(line);
    }
    if (isCut && !isComment) entry.fail(TOO_LONG);
  }
  if (entry.isIncomplete) entry.fail('a parenthesis is not closed');
  yield entry.end();
}

interface Lines {
  readonly text: string;
  /** `text` is the start of one line that is too long; the rest of the line is dropped. */
  readonly isCut: boolean;
}

/** Regroups pieces of text into whole lines with their line feeds. Cuts lines that are too long for any record. */
function* wholeLines(pieces: Iterable<string>): Generator<Lines> {
  let pending = '';
  let isCutting = false;
  for (const piece of slices(pieces)) {
    const from = isCutting ? piece.indexOf('\n') : 0;
    if (from === -1) continue;
    const end = piece.lastIndexOf('\n') + 1;
    if (end > from) {
      yield { text: pending + piece.slice(from, end), isCut: false };
      isCutting = false;
      pending = piece.slice(end);
    } else {
      pending += piece.slice(from);
    }
    if (pending.length <= MAX_ENTRY_LENGTH) continue;
    yield { text: pending, isCut: true };
    isCutting = true;
    pending = '';
  }
  yield { text: pending, isCut: false };
}

function* slices(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += SLICE_LENGTH) yield piece.slice(at, at + SLICE_LENGTH);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

class EntryBuilder {
  private readonly tokens: Token[] = [];
  private length = 0;
  private depth = 0;
  private isAtStart = true;
  private continuesOwner = false;
  private hasComment = false;
  private comment = '';
  private message: string | undefined;

  constructor(private readonly line: number) {}

  get isInvalid(): boolean {
    return this.message !== undefined;
  }

  /** An invalid line ends its entry even if a parenthesis is open. */
  get isIncomplete(): boolean {
    return this.depth > 0 && !this.isInvalid;
  }

  readBlank(): void {
    if (this.isAtStart) this.continuesOwner = true;
    this.isAtStart = false;
  }

  readComment(piece: string): void {
    this.hasComment = true;
    if (this.depth === 0) this.comment = piece.slice(1, MAX_COMMENT_LENGTH).replace(HALF_AT_END, '');
  }

  add(token: Token): void {
    this.tokens.push(token);
    this.grow(token.text.length);
    if (this.tokens.length > MAX_WORDS) this.fail(TOO_LONG);
    if (!this.isInvalid && !VALID_ESCAPES.test(token.text))
      this.fail('a backslash with digits must be from \\000 to \\255');
    this.isAtStart = false;
  }

  readParenthesis(character: string): void {
    this.depth += character === '(' ? 1 : -1;
    this.grow(character.length);
    this.isAtStart = false;
    if (this.depth < 0) this.fail('a closing parenthesis has no opening one');
  }

  private grow(length: number): void {
    this.length += length + 1;
    if (this.length > MAX_ENTRY_LENGTH) this.fail(TOO_LONG);
  }

  fail(message: string): void {
    this.message ??= message;
  }

  end(): Entry | LineError | undefined {
    const [first, ...others] = this.tokens;
    if (this.message !== undefined) return { line: this.line, message: this.message };
    const { line, continuesOwner, hasComment, comment } = this;
    return first && { line, continuesOwner, hasComment, comment, tokens: [first, ...others] };
  }
}
