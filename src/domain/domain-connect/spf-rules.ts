/** What a receiver makes of a match, the most permissive first (RFC 7208, section 4.6.2). */
const QUALIFIERS = ['+', '?', '~', '-'] as const;
type Qualifier = (typeof QUALIFIERS)[number];

const VERSION = /^v=spf1$/i;
const ALL = /^[-+?~]?all$/i;
/** The draft, "SPF Record Merging": a fixed modifier, which neither lets through nor refuses mail of others. */
const END = '~all';

/** The terms of `spfRules`, without a version and without `all`, which the merged record has once. */
export function spfTermsOf(rules: string): readonly string[] {
  return rules.split(/\s+/).filter((term) => term !== '' && !VERSION.test(term) && !ALL.test(term));
}

/** The `all` of an SPF record, if it has one. */
export function spfEndOf(text: string): string | undefined {
  return text.split(/\s+/).find((term) => ALL.test(term));
}

/** How templates change the SPF record of a name. */
export interface SpfChange {
  readonly add: readonly string[];
  readonly drop: readonly string[];
  /** The `all` of a new record, if a template tells it. */
  readonly end?: string | undefined;
}

/**
 * One SPF record in place of those that a name has: new terms come first, so that no earlier one decides against them, and `all`
 * stays as it is. Of a term with different qualifiers, the most permissive one stays. Undefined if nothing is left that a template has
 * not written.
 */
export function mergedSpf(present: readonly string[], change: SpfChange): string | undefined {
  const dropped = new Set(change.drop.map(sameKey));
  const before = present.flatMap(termsOf).filter((term) => !dropped.has(sameKey(term)));
  const kept = before.filter((term) => !ALL.test(term));
  const known = new Set(kept.map(mechanismOf));
  const terms = new Map<string, string>();
  for (const term of [...change.add.filter((each) => !known.has(mechanismOf(each))), ...kept, ...change.add]) {
    const other = terms.get(mechanismOf(term));
    if (other === undefined || isMorePermissive(term, other)) terms.set(mechanismOf(term), term);
  }
  const presentEnd = before.find((term) => ALL.test(term));
  const hasRedirect = [...terms.keys()].some((term) => term.startsWith('redirect='));
  const end = presentEnd ?? change.end ?? (hasRedirect ? undefined : END);
  const isLeft = terms.size > 0 || change.end !== undefined || (presentEnd !== undefined && presentEnd !== END);
  return isLeft ? ['v=spf1', ...terms.values(), ...(end === undefined ? [] : [end])].join(' ') : undefined;
}

/** Whether two SPF records differ in spaces only. */
export function isSameSpf(one: string, other: string): boolean {
  return termsOf(one).join(' ') === termsOf(other).join(' ');
}

/** Of `terms`, those that a record does not have yet, with any qualifier. */
export function newSpfTerms(terms: readonly string[], present: readonly string[]): readonly string[] {
  const known = new Set(present.flatMap(termsOf).map(mechanismOf));
  return terms.filter((term) => !known.has(mechanismOf(term)));
}

function termsOf(text: string): readonly string[] {
  return text.trim().split(/ +/).slice(1);
}

function sameKey(term: string): string {
  return `${qualifierOf(term)}${mechanismOf(term)}`;
}

function mechanismOf(term: string): string {
  return term.toLowerCase().replace(/^[-+?~]/, '');
}

function qualifierOf(term: string): Qualifier {
  return QUALIFIERS.find((each) => term.startsWith(each)) ?? '+';
}

function isMorePermissive(term: string, other: string): boolean {
  return QUALIFIERS.indexOf(qualifierOf(term)) < QUALIFIERS.indexOf(qualifierOf(other));
}
