import { ValidationError } from '../../../domain/shared/validation-error';

/** Of objects and arrays within the body. */
const MAX_DEPTH = 16;
/** Members and array entries; the largest batch has fewer. Validation takes its time for each. */
const MAX_VALUES = 8_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = new Set(Buffer.from('[{'));
const CLOSE = new Set(Buffer.from(']}'));
const WHITESPACE = new Set(Buffer.from(' \t\r\n'));

/**
 * Counts the values and the nesting of a JSON text up to their limits, before it is parsed: 4 KB of gzip can hold a million
 * values, and each costs memory and time from JSON.parse on. The text need not be well-formed.
 * @returns how many bytes it read
 * @throws ValidationError
 */
export function assertJsonBounds(text: Uint8Array): number {
  let depth = 0;
  let values = 0;
  let isString = false;
  let isFirst = false;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (isString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isString = false;
      continue;
    }
    if (WHITESPACE.has(byte)) continue;
    if (byte === COMMA || (isFirst && !CLOSE.has(byte))) values += 1;
    isFirst = OPEN.has(byte);
    if (isFirst) depth += 1;
    else if (CLOSE.has(byte)) depth -= 1;
    else if (byte === QUOTE) isString = true;
    if (values > MAX_VALUES) throw new ValidationError([{ field: '', problem: `The body must not have more than ${MAX_VALUES} values` }]);
    if (depth > MAX_DEPTH + 1) throw new ValidationError([{ field: '', problem: `The body must not be nested deeper than ${MAX_DEPTH} levels` }]);
  }
  return text.length;
}
