import { toAsciiName } from '../../shared/idna';
import { InvalidRecordName } from '../dns-errors';
import { isClasslessLabel } from '../zone-names/reverse-tree';

/** Longer input cannot become a name of 253 octets. Rejected early because Punycode takes quadratic time. */
const MAX_INPUT_LENGTH = 512;

/** Octets of a name without trailing dot; 255 in wire format (RFC 1035, section 2.3.4). */
export const MAX_NAME_LENGTH = 253;

/** User input as a name in lower-case ASCII, without trailing dot. */
interface TypedName {
  readonly name: string;
  /** The input had a trailing dot. */
  readonly absolute: boolean;
}

/** Parses a name without validating its labels. Returns undefined if a non-ASCII label has no A-label (UTS #46). */
export function typedName(text: string): TypedName | undefined {
  const ascii = text.length > MAX_INPUT_LENGTH ? undefined : toAsciiName(text);
  if (ascii === undefined) return undefined;
  const absolute = ascii.endsWith('.');
  return { name: absolute ? ascii.slice(0, -1) : ascii, absolute };
}

/** The zone apex as an owner name. */
export const ROOT = '@';

const MAX_LABEL_LENGTH = 63;
/**
 * Service names start with an underscore (RFC 8552) and may have a plus (`_sip+d2t`, RFC 3263). Hyphens are allowed anywhere
 * because some verification tokens start or end with one.
 */
const LABEL_CHARACTERS = /^(?:[a-z0-9_-]*|_[a-z0-9_+-]*)$/;

/**
 * Parses an owner name, relative or full, to a name relative to its zone: lower-case A-labels, `@` for the apex (RFC 1035,
 * section 5.1). A relative name that repeats the zone's name is rejected, because it would be read as a full name next time.
 * @throws InvalidRecordName
 */
export function parseRecordName(text: string, zoneName: string): string {
  if (text === ROOT) return ROOT;
  const typed = typedName(text);
  if (typed === undefined)
    throw new InvalidRecordName('The name is too long or has a label that is not valid in a domain name');
  if (typed.name === zoneName) return ROOT;

  const full = endsInZone(typed.name, zoneName);
  if (typed.absolute && !full) throw new InvalidRecordName(`A name with a trailing dot must end in ${zoneName}.`);
  const relative = full ? typed.name.slice(0, -zoneName.length - 1) : typed.name;

  const error = nameError(relative, zoneName);
  if (error !== undefined) throw new InvalidRecordName(error);
  return relative;
}

/** The fully qualified owner name, without trailing dot. */
export function fullOwnerName(relative: string, zoneName: string): string {
  return relative === ROOT ? zoneName : `${relative}.${zoneName}`;
}

/** @param full at or below the zone, without trailing dot */
export function relativeOwnerName(full: string, zoneName: string): string {
  return full === zoneName ? ROOT : full.slice(0, -zoneName.length - 1);
}

/** RFC 4592, section 2.1.1. */
export function isWildcard(relative: string): boolean {
  return relative === '*' || relative.startsWith('*.');
}

function endsInZone(name: string, zoneName: string): boolean {
  return name.endsWith(`.${zoneName}`);
}

function nameError(relative: string, zoneName: string): string | undefined {
  if (relative === zoneName || endsInZone(relative, zoneName)) return `The name repeats ${zoneName}`;
  if (fullOwnerName(relative, zoneName).length > MAX_NAME_LENGTH) {
    return `The full name must not exceed ${MAX_NAME_LENGTH} octets`;
  }
  const [first = '', ...rest] = relative.split('.');
  const labels = first === '*' ? rest : [first, ...rest];
  if (labels.includes('')) return 'The name has an empty label; use @ for the zone apex';
  if (labels.some((label) => label.length > MAX_LABEL_LENGTH))
    return `A label must not exceed ${MAX_LABEL_LENGTH} octets`;
  const invalid = labels.find((label) => !LABEL_CHARACTERS.test(label) && !isClasslessLabel(label, zoneName));
  if (invalid === undefined) return undefined;
  if (labels.at(-1) === ROOT) return `Remove ".@" at the end of the name: names are relative to ${zoneName} already`;
  return `The label "${invalid}" is invalid: labels may contain letters, digits, hyphens and underscores; * is allowed only as the whole first label`;
}
