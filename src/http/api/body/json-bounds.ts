import { ValidationError } from '../../../domain/shared/validation-error';

/** Of objects and arrays within the body. */
const MAX_DEPTH = 16;
/** Members and array entries; the largest batch has fewer. Validation takes its time for each. */
const MAX_VALUES = 8_000;

/** What a byte means outside of strings; anything else is part of a value or a name. */
const Meaning = { part: 0, space: 1, open: 2, close: 3, comma: 4, quote: 5 } as const;
const MEANINGS = new Uint8Array(256);
for (const [bytes, meaning] of [
  [' \t\r\n', Meaning.space],
  ['[{', Meaning.open],
  [']}', Meaning.close],
  [',', Meaning.comma],
  ['"', Meaning.quote],
] as const) {
  for (const byte of Buffer.from(bytes)) MEANINGS[byte] = meaning;
}
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Counts the values and the nesting of a JSON text up to their limits, before it is parsed: 4 KB of gzip can hold a million
 * values, and each costs memory and time from JSON.parse on. The text need not be well-formed, and comes in pieces.
 */
export class JsonBounds {
  private depth = 0;
  private values = 0;
  private isFirst = false;
  private isString = false;
  /** The first byte of the next piece is escaped. */
  private isEscaped = false;

  /** @throws ValidationError */
  read(piece: Uint8Array): void {
    for (let at = this.isString ? this.endOfString(piece, 0) : 0; at < piece.length; at += 1) {
      const meaning = MEANINGS[piece[at] ?? 0];
      if (meaning === Meaning.space || (meaning === Meaning.part && !this.isFirst)) continue;
      if (meaning === Meaning.comma || (this.isFirst && meaning !== Meaning.close)) this.values += 1;
      this.isFirst = meaning === Meaning.open;
      if (this.isFirst) this.depth += 1;
      else if (meaning === Meaning.close) this.depth -= 1;
      else if (meaning === Meaning.quote) at = this.endOfString(piece, at + 1) - 1;
      this.assertWithin();
    }
  }

  private assertWithin(): void {
    if (this.values > MAX_VALUES)
      throw new ValidationError([{ path: '', message: `The body must not have more than ${MAX_VALUES} values` }]);
    if (this.depth > MAX_DEPTH + 1)
      throw new ValidationError([{ path: '', message: `The body must not be nested deeper than ${MAX_DEPTH} levels` }]);
  }

  /** The place behind the string, or the end of the piece if it goes on. */
  private endOfString(piece: Uint8Array, from: number): number {
    let at = this.isEscaped ? from + 1 : from;
    for (; at < piece.length; at += 1) {
      const byte = piece[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) break;
    }
    this.isEscaped = at > piece.length;
    this.isString = at >= piece.length;
    return Math.min(at + 1, piece.length);
  }
}
