import { isSpfText, lookupTermsOf, MAX_SPF_LOOKUPS, parseSpf, type SpfRecord } from '../dns/mail/spf';
import { failureOf, recordsOf, type Lookup } from './lookup';

interface SpfTree {
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
  const visit = (each: SpfRecord): void => {
    for (const { name, domain } of lookupTermsOf(each)) {
      tree.lookups += 1;
      if (tree.lookups > MAX_SPF_LOOKUPS) return;
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
