import { toAsciiName } from '../../shared/idna';

/** Longer input cannot be a name of 253 octets; looking at it would only cost time (Punycode is quadratic). */
const LONGEST_INPUT = 512;

/** Octets of a name without its trailing dot: 255 on the wire, RFC 1035, section 2.3.4. */
export const MAX_NAME_LENGTH = 253;

/** A name as somebody typed it, in lower-case ASCII and without the root's dot. */
export interface TypedName {
  readonly name: string;
  /** It ended in a dot. */
  readonly absolute: boolean;
}

/** Undefined where a label is internationalized but has no A-label (UTS #46). Labels are otherwise not judged. */
export function typedName(text: string): TypedName | undefined {
  const ascii = text.length > LONGEST_INPUT ? undefined : toAsciiName(text);
  if (ascii === undefined) return undefined;
  const absolute = ascii.endsWith('.');
  return { name: absolute ? ascii.slice(0, -1) : ascii, absolute };
}
