import { isMechanism, readSpfTerm, SINGLE_MODIFIERS, type SpfTerm } from './spf-term';

/** RFC 7208, section 4.5: the version ends at a space or with the record. */
const VERSION = /^v=spf1(?: |$)/i;
const ALL = /^[-+?~]?all$/i;
/** RFC 7208, section 4.6.4. */
export const MAX_SPF_LOOKUPS = 10;
/** Terms that cost a look-up. */
const COSTLY = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);

export interface SpfRecord {
  /** Those that have an effect. */
  readonly terms: readonly SpfTerm[];
  /** Sentences; any of them makes the record a permanent error. */
  readonly errors: readonly string[];
  /** Sentences about terms without effect. */
  readonly warnings: readonly string[];
}

export function isSpfText(text: string): boolean {
  return VERSION.test(text);
}

/** RFC 7208, section 12. A record with an error anywhere is not evaluated at all (section 4.6). */
export function parseSpf(text: string): SpfRecord {
  const terms: SpfTerm[] = [];
  const errors: string[] = [];
  const warnings: string[] = [];
  for (const word of text.split(' ').slice(1).filter(Boolean)) {
    const term = readSpfTerm(word);
    if (typeof term === 'string') errors.push(term);
    else if (term.isModifier && isMechanism(term.name))
      warnings.push(`"${word}" has no effect: a mechanism is written with ":", not with "="`);
    else if (!term.isModifier && terms.some(({ name }) => name === 'all'))
      warnings.push(`"${word}" has no effect, because it follows all`);
    else terms.push(term);
  }
  for (const modifier of SINGLE_MODIFIERS)
    if (terms.filter(({ name }) => name === modifier).length > 1)
      errors.push(`The record has ${modifier}= more than once`);
  return { terms, errors, warnings };
}

/** The terms that cost a receiver a look-up each. With `all`, a redirect is not followed (section 6.1). */
export function lookupTermsOf({ terms }: SpfRecord): readonly SpfTerm[] {
  const hasAll = terms.some(({ name }) => name === 'all');
  return terms.filter(({ name }) => COSTLY.has(name) && !(name === 'redirect' && hasAll));
}

/**
 * One SPF record that allows what both allow; a name may have only one (RFC 7208, section 3.2). `added` decides the `all` at the
 * end, and replaces a record that it cannot be merged with: if either allows no one, or the present one redirects.
 */
export function mergeSpf(present: string, added: string): string {
  const [before, after] = [termsOf(present), termsOf(added)];
  if (allowsNone(before) || allowsNone(after) || before.some((term) => /^redirect=/i.test(term))) return added;
  const known = new Set(before.map((term) => term.toLowerCase()));
  const terms = [
    ...before.filter((term) => !ALL.test(term)),
    ...after.filter((term) => !ALL.test(term) && !known.has(term.toLowerCase())),
    ...after.filter((term) => ALL.test(term)),
  ];
  return ['v=spf1', ...terms].join(' ');
}

function termsOf(record: string): readonly string[] {
  return record.trim().split(/ +/).slice(1);
}

function allowsNone(terms: readonly string[]): boolean {
  return terms.every((term) => ALL.test(term));
}
