import { failureOf, recordsOf, type Lookup } from './lookup';

/** RFC 7208 section 4.6.4. */
export const MOST_SPF_LOOKUPS = 10;
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

/** RFC 7208 section 4.5: the version ends at a space or with the record. */
export function isSpfText(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** RFC 7208 section 12. */
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

export interface SpfTree {
  /** The look-ups that a receiver has to make, at most; the count ends soon after the limit. */
  readonly lookups: number;
  /** The names whose TXT records the tree still needs. */
  readonly missing: readonly string[];
  readonly errors: readonly string[];
  /** Includes that could not be looked up. */
  readonly failures: readonly string[];
}

/** Follows includes and redirects through what was looked up so far, by name. */
export function followSpf(record: SpfRecord, texts: ReadonlyMap<string, Lookup>): SpfTree {
  const tree = { lookups: 0, missing: [] as string[], errors: [...record.errors], failures: [] as string[] };
  const visit = ({ terms }: SpfRecord): void => {
    const hasAll = terms.some(({ name }) => name === 'all');
    for (const { name, domain } of terms) {
      if (!COSTLY.has(name) || (name === 'redirect' && hasAll)) continue;
      tree.lookups += 1;
      if (tree.lookups > MOST_SPF_LOOKUPS) return;
      // A macro depends on the message.
      if ((name !== 'include' && name !== 'redirect') || domain.includes('%')) continue;
      visitTarget(domain);
    }
  };
  const visitTarget = (domain: string): void => {
    const lookup = texts.get(domain);
    if (!lookup) {
      tree.missing.push(domain);
      return;
    }
    const failure = failureOf(lookup);
    if (failure !== undefined) {
      tree.failures.push(`${domain}: ${failure}`);
      return;
    }
    const [text, ...others] = recordsOf(lookup).filter(isSpfText);
    if (text === undefined) tree.errors.push(`${domain} has no SPF record`);
    else if (others.length > 0) tree.errors.push(`${domain} has ${others.length + 1} SPF records`);
    else {
      const included = parseSpf(text);
      tree.errors.push(...included.errors.map((error) => `${domain}: ${error}`));
      visit(included);
    }
  };
  visit(record);
  return tree;
}
