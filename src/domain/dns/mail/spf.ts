/** RFC 7208, section 4.5: the version ends at a space or with the record. */
const VERSION = /^v=spf1(?: |$)/i;
const ALL = /^[-+?~]?all$/i;
/** RFC 7208, section 4.6.4. */
export const MAX_SPF_LOOKUPS = 10;
/** Terms that cost a look-up. */
const COSTLY = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);
const MECHANISMS = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists']);
const NEED_DOMAIN = new Set(['include', 'exists', 'redirect']);

interface SpfTerm {
  readonly qualifier: string;
  readonly name: string;
  /** As written, in lower case; may be a macro. */
  readonly domain: string;
}

export interface SpfRecord {
  readonly terms: readonly SpfTerm[];
  /** Sentences; any of them makes the record a permanent error. */
  readonly errors: readonly string[];
}

export function isSpfText(text: string): boolean {
  return VERSION.test(text);
}

/** RFC 7208, section 12. */
export function parseSpf(text: string): SpfRecord {
  const terms: SpfTerm[] = [];
  const errors: string[] = [];
  for (const word of text.split(' ').slice(1).filter(Boolean)) {
    const modifier = /^([a-z][a-z0-9_.-]*)=(.*)$/i.exec(word);
    const mechanism = /^([+?~-]?)([a-z0-9]+)(?:[:/](.*))?$/i.exec(word);
    const name = (modifier?.[1] ?? mechanism?.[2] ?? '').toLowerCase();
    const domain = (modifier?.[2] ?? mechanism?.[3] ?? '').toLowerCase().replace(/\.$/, '');
    if (!modifier && !MECHANISMS.has(name)) errors.push(`"${word}" is not a term of SPF`);
    else if (NEED_DOMAIN.has(name) && domain === '') errors.push(`"${word}" has no domain`);
    else terms.push({ qualifier: mechanism?.[1] || '+', name, domain });
  }
  return { terms, errors };
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
