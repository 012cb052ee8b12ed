import type { Token } from './zone-file-entries';

const MAX_WIRE_TTL = 2 ** 31 - 1; // RFC 2181, section 8
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const DURATION = /^(?:\d+|(?:\d+[smhdw]){1,20})$/i;
/** RFC 3597, section 5: the class by its name or its number. */
const IN = /^(?:IN|CLASS0*1)$/;
const OTHER_CLASSES: ReadonlySet<string> = new Set(['CH', 'HS', 'CS', 'ANY', 'NONE']);
/** Windows DNS exports the hour of a dynamic registration before the TTL. */
const WINDOWS_TIME_STAMP = /^\[AGE:\d{1,10}\]$/i;

/** A line of a zone file is invalid; the message is shown to the user. */
export class SyntaxIssue extends Error {}

interface Head {
  readonly type: string;
  readonly ttl: number | undefined;
  readonly data: readonly Token[];
  /** Had a time stamp of Windows DNS, which is ignored. */
  readonly hasTimeStamp: boolean;
}

/** Reads TTL, class and type, in the orders that RFC 1035, section 5.1, allows. @throws SyntaxIssue */
export function headOf(tokens: readonly Token[]): Head {
  let ttl: number | undefined;
  let classGiven = false;
  let hasTimeStamp = false;
  for (const [index, { text, quoted }] of tokens.entries()) {
    const word = text.toUpperCase();
    if (quoted) throw new SyntaxIssue(`"${text}" is quoted, but a type is expected`);
    if (IN.test(word) && !classGiven) classGiven = true;
    else if (WINDOWS_TIME_STAMP.test(word)) hasTimeStamp = true;
    else if (OTHER_CLASSES.has(word) || /^CLASS\d+$/.test(word))
      throw new SyntaxIssue(`class ${word} is not supported, only IN`);
    else if (ttl === undefined && DURATION.test(text)) ttl = durationOf({ text, quoted });
    else return { type: word, ttl, data: tokens.slice(index + 1), hasTimeStamp };
  }
  throw new SyntaxIssue('the record has no type');
}

/** Seconds; `1h30m` is 5400. @throws SyntaxIssue */
export function durationOf({ text }: Token): number {
  const seconds = DURATION.test(text)
    ? [...text.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)].reduce(
        (sum, [, count, unit]) => sum + Number(count) * (SECONDS[unit ?? ''] ?? 1),
        0,
      )
    : NaN;
  if (!(seconds <= MAX_WIRE_TTL)) throw new SyntaxIssue(`${text} is not a TTL from 0 to ${MAX_WIRE_TTL} seconds`);
  return seconds;
}
