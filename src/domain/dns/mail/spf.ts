/** RFC 7208, section 4.5: the version ends at a space or with the record. */
const VERSION = /^v=spf1(?: |$)/i;
const ALL = /^[-+?~]?all$/i;

export function isSpfText(text: string): boolean {
  return VERSION.test(text);
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
