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
 * Converts a host name to lower case and its non-ASCII labels to A-labels (UTS #46, non-transitional). ASCII labels such as
 * `_dmarc` and `*` only change case. Returns undefined if a label has no A-label. Decision: docs/decisions/0002.
 */
export function toAsciiName(name: string): string | undefined {
  const labels = splitLabels(name).map(toAsciiLabel);
  return labels.includes(undefined) ? undefined : labels.join('.');
}

/** The labels of a name in any form (UTS #46 has four full stops). */
export function splitLabels(name: string): readonly string[] {
  return name.replace(IDEOGRAPHIC_FULL_STOPS, '.').split('.');
}

function toAsciiLabel(label: string): string | undefined {
  if (!NON_ASCII.test(label)) return label.toLowerCase();
  return toASCII(label, { ...CHECKS, verifyDNSLength: true }) ?? undefined;
}

/** Converts the A-labels of a lower-case ASCII name to Unicode. Returns undefined if no label has a Unicode form. */
export function toUnicodeName(name: string): string | undefined {
  if (!name.includes('xn--')) return undefined;
  const unicode = name
    .split('.')
    .map((label) => (isFakeALabel(label) ? label : toUnicode(label, CHECKS).domain))
    .join('.');
  return unicode === name ? undefined : unicode;
}

/** Which of `scripts`, names of Unicode scripts, the first letter of a lower-case label is in that is not ASCII. Undefined for an ASCII label. */
export function scriptOf(label: string, scripts: readonly string[]): string | undefined {
  const letter = NON_ASCII.exec(toUnicodeName(label) ?? '')?.[0];
  if (letter === undefined) return undefined;
  return scripts.find((script) => new RegExp(`^\\p{Script=${script}}$`, 'u').test(letter));
}

/** Normalizes part of a name for searches in ASCII and Unicode names. Part of a label has no A-label to convert it to. */
export function foldNamePart(text: string): string {
  return text.toLowerCase().normalize('NFKC').replace(IDEOGRAPHIC_FULL_STOPS, '.');
}

/** Whether a lower-case label is a fake A-label (RFC 5890, 2.3.1): it starts with xn-- but encodes no valid U-label. */
export function isFakeALabel(label: string): boolean {
  if (!label.startsWith('xn--')) return false;
  const { domain, error } = toUnicode(label, CHECKS);
  return error || toAsciiLabel(domain) !== label;
}
