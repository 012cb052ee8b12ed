import { toASCII, toUnicode } from 'tr46';

/** U+3002, U+FF0E and U+FF61 are full stops to UTS #46. */
const IDEOGRAPHIC_FULL_STOPS = /[\u3002\uff0e\uff61]/g;
const NON_ASCII = /\P{ASCII}/u;
const CHECKS = {
  checkBidi: true,
  checkHyphens: false,
  checkJoiners: true,
  useSTD3ASCIIRules: false,
  transitionalProcessing: false,
} as const;

/**
 * Lower-cases a host name and turns its internationalized labels into A-labels (UTS #46, non-transitional).
 * Labels that are ASCII already pass through untouched but for case, so that `_dmarc` and `*` survive.
 * Returns undefined where a label has no A-label. The rest of a name's rules are its type's own.
 * The one library that the domain layer uses: docs/decisions/0002.
 */
export function toAsciiName(name: string): string | undefined {
  const labels = name.replace(IDEOGRAPHIC_FULL_STOPS, '.').split('.').map(toAsciiLabel);
  return labels.includes(undefined) ? undefined : labels.join('.');
}

function toAsciiLabel(label: string): string | undefined {
  if (!NON_ASCII.test(label)) return label.toLowerCase();
  return toASCII(label, { ...CHECKS, verifyDNSLength: true }) ?? undefined;
}

/** A lower-case ASCII name with its A-labels in Unicode; undefined if no label has a Unicode form. */
export function toUnicodeName(name: string): string | undefined {
  if (!name.includes('xn--')) return undefined;
  const unicode = name
    .split('.')
    .map((label) => (isFakeALabel(label) ? label : toUnicode(label, CHECKS).domain))
    .join('.');
  return unicode === name ? undefined : unicode;
}

/** Part of a name as typed, in the form that both `toAsciiName` and `toUnicodeName` return: a part, unlike a whole label, has no A-label. */
export function foldNamePart(text: string): string {
  return text.toLowerCase().normalize('NFKC').replace(IDEOGRAPHIC_FULL_STOPS, '.');
}

/** Whether a lower-case label only looks like an A-label (RFC 5890, 2.3.1): nothing in Unicode is written so. */
export function isFakeALabel(label: string): boolean {
  if (!label.startsWith('xn--')) return false;
  const { domain, error } = toUnicode(label, CHECKS);
  return error || toAsciiLabel(domain) !== label;
}
