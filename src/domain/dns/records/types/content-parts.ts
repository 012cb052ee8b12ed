import { parseCharacterStrings, quoteCharacterString } from '../text/character-string';

/** A part of a record's content that forms show as a separate field. */
export interface ContentPart {
  readonly label: string;
  readonly example: string;
  readonly hint?: string;
  /** How many words it has; 1 if absent. The last part of a type takes the rest. */
  readonly words?: number;
  /** A quoted string in the content. In forms, it has no quotes and escapes. */
  readonly isQuoted?: boolean;
  /** May be empty. Others are required. */
  readonly isOptional?: boolean;
}

const NEXT_WORD = /("(?:[^"\\]|\\.)*"|[^ ]+) */gy;

/** The value of each part of a record's content, as it is stored. */
export function splitContent(parts: readonly ContentPart[], content: string): readonly string[] {
  const words = [...content.matchAll(NEXT_WORD)].map(([match]) => match);
  let at = 0;
  return parts.map(({ words: count = 1, isQuoted = false }, index) => {
    const end = index === parts.length - 1 ? words.length : at + count;
    const text = words.slice(at, end).join('').trim();
    at = end;
    return isQuoted ? (parseCharacterStrings(text)?.[0] ?? text) : text;
  });
}

/** The content that has these parts. It is not validated. */
export function joinContent(parts: readonly ContentPart[], values: readonly string[]): string {
  return parts
    .map(({ isQuoted = false }, index) => {
      const value = (values[index] ?? '').trim();
      return isQuoted ? quoteCharacterString(value) : value;
    })
    .join(' ')
    .trim();
}
