/** What is used of `tldts`. */
interface SuffixList {
  readonly parse: (name: string, options: Readonly<Record<string, boolean>>) => SuffixMatch;
}

interface SuffixMatch {
  readonly publicSuffix: string | null;
  /** Both are false for a TLD that the list does not have, such as `internal`. */
  readonly isIcann: boolean | null;
  readonly isPrivate: boolean | null;
}

const OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

/** Whether the Public Suffix List has a lower-case name, in A-labels, in its ICANN or its private section. */
export function isPublicSuffix(name: string): boolean {
  // Its list takes 10 milliseconds and 2 MB, which a service that creates no zones need not spend.
  const { parse } = require('tldts') as SuffixList;
  const { publicSuffix, isIcann, isPrivate } = parse(name, OPTIONS);
  return publicSuffix === name && (isIcann === true || isPrivate === true);
}
