import { InvalidRecordData } from '../type-definition';
import type { Word } from './words';

/** @throws InvalidRecordData if there are not `count` words */
export function fields(data: readonly Word[], count: number, what: string): readonly [Word, ...Word[]] {
  const [first, ...others] = data;
  if (!first || data.length !== count) throw new InvalidRecordData(`the record data must be ${what}`);
  return [first, ...others];
}

export function single(data: readonly Word[], what: string): string {
  return bare(fields(data, 1, what)[0]);
}

export function sixteenBitNumber(word: Word): number {
  const text = bare(word);
  if (!/^\d{1,5}$/.test(text)) throw new InvalidRecordData(`${text} is not a number from 0 to 65535`);
  return Number(text);
}

/** Only character-strings may be quoted. */
export function bare({ text, quoted: isQuoted }: Word): string {
  if (isQuoted) throw new InvalidRecordData(`"${text}" must not be quoted`);
  return text;
}

/** Quotes a string and keeps its escapes. A zone file may contain unescaped tabs; record content may not. */
export function quoted({ text }: Word): string {
  return `"${text.replaceAll('\t', '\\009')}"`;
}
