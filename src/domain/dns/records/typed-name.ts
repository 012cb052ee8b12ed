import { toAsciiName } from '../../shared/idna';

/** Longer input cannot become a name of 253 octets. Rejected early because Punycode takes quadratic time. */
const LONGEST_INPUT = 512;

/** Octets of a name without trailing dot; 255 in wire format (RFC 1035, section 2.3.4). */
export const MAX_NAME_LENGTH = 253;

/** User input as a name in lower-case ASCII, without trailing dot. */
export interface TypedName {
  readonly name: string;
  /** The input had a trailing dot. */
  readonly absolute: boolean;
}

/** Parses a name without validating its labels. Returns undefined if a non-ASCII label has no A-label (UTS #46). */
export function typedName(text: string): TypedName | undefined {
  const ascii = text.length > LONGEST_INPUT ? undefined : toAsciiName(text);
  if (ascii === undefined) return undefined;
  const absolute = ascii.endsWith('.');
  return { name: absolute ? ascii.slice(0, -1) : ascii, absolute };
}
