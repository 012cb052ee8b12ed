import { foldNamePart, toUnicodeName } from '../../shared/idna';
import type { DnsRecordState } from './dns-record';
import { recordMatcher } from './record-search';
import { findRecordType, type RecordType } from './types/record-types';

/** What records are searched for: `mx shop.com` is a type and a word. */
export interface RecordWords {
  readonly type: RecordType | undefined;
  /** Each is in the record, or in the name of its zone. */
  readonly words: readonly string[];
  /** The words as parts of names. */
  readonly nameParts: readonly string[];
}

/** Fewer characters are in too many records. */
const MIN_WORD = 3;
const MIN_TYPE = 2;

/** Undefined if the text is too short to search for. */
export function parseRecordWords(text: string): RecordWords | undefined {
  const all = text.split(/\s+/).filter(Boolean);
  const typeAt = all.findIndex((word) => findRecordType(word.toUpperCase()) !== undefined);
  const type = findRecordType(all[typeAt]?.toUpperCase() ?? '');
  const words = all.filter((_word, index) => index !== typeAt);
  const longest = Math.max(0, ...words.map(({ length }) => length));
  const isEnough = words.length > 0 ? longest >= MIN_WORD : (type?.length ?? 0) >= MIN_TYPE;
  if (!isEnough) return undefined;
  return { type, words, nameParts: words.map((word) => foldNamePart(word).replace(/\.$/, '')) };
}

/**
 * What a record of the zone itself must have: without what the zone's name has, so that `www.shop.com` finds `www` in `shop.com`.
 * If only the zone's name is searched for, its records have to have it, too.
 */
export function wordsWithin(zoneName: string, { type, words, nameParts }: RecordWords): readonly string[] {
  const forms = zoneName.includes('xn--') ? [zoneName, toUnicodeName(zoneName) ?? zoneName] : [zoneName];
  const left = words.flatMap((word, index) => {
    const part = nameParts[index] ?? word;
    if (forms.some((form) => form.includes(part))) return [];
    const form = forms.find((each) => part.endsWith(`.${each}`));
    return [form === undefined ? word : part.slice(0, -form.length - 1)];
  });
  return left.length === 0 && type === undefined ? words : left;
}

/** Whether a record has all the words. */
export function wordsMatcher(words: readonly string[]): (record: DnsRecordState) => boolean {
  const matchers = words.map(recordMatcher);
  return (record) => matchers.every((matches) => matches(record));
}
