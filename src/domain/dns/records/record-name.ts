import { InvalidRecordName } from '../errors';
import { MAX_NAME_LENGTH, typedName } from './typed-name';

/** How the zone's own name is written among its records. */
export const ROOT = '@';

const MAX_LABEL_LENGTH = 63;
/**
 * Underscores lead service names (RFC 8552), which may have a plus (`_sip+d2t`, RFC 3263); hyphens may stand anywhere, as
 * some verification tokens have them.
 */
const LABEL_CHARACTERS = /^(?:[a-z0-9_-]*|_[a-z0-9_+-]*)$/;

/**
 * The owner name relative to its zone: lower-case A-labels, `@` for the zone itself (RFC 1035, section 5.1).
 * Takes a relative name or a full one; with a trailing dot the name must lie in the zone. A relative name that ends in
 * the zone's name again is refused: as answered, it would be read as a full name.
 * @throws InvalidRecordName
 */
export function recordName(text: string, zoneName: string): string {
  if (text === ROOT) return ROOT;
  const typed = typedName(text);
  if (typed === undefined)
    throw new InvalidRecordName('The name is too long or has a label that no domain name can have');
  if (typed.name === zoneName) return ROOT;

  const full = endsInZone(typed.name, zoneName);
  if (typed.absolute && !full) throw new InvalidRecordName(`A name with a trailing dot must end in ${zoneName}.`);
  const relative = full ? typed.name.slice(0, -zoneName.length - 1) : typed.name;

  const fault = faultOf(relative, zoneName);
  if (fault !== undefined) throw new InvalidRecordName(fault);
  return relative;
}

/** The owner's full name, without trailing dot. */
export function fullName(relative: string, zoneName: string): string {
  return relative === ROOT ? zoneName : `${relative}.${zoneName}`;
}

/** RFC 4592, section 2.1.1. */
export function isWildcard(relative: string): boolean {
  return relative === '*' || relative.startsWith('*.');
}

function endsInZone(name: string, zoneName: string): boolean {
  return name.endsWith(`.${zoneName}`);
}

function faultOf(relative: string, zoneName: string): string | undefined {
  if (relative === zoneName || endsInZone(relative, zoneName)) return `The name repeats ${zoneName}`;
  if (fullName(relative, zoneName).length > MAX_NAME_LENGTH) {
    return `The full name must not exceed ${MAX_NAME_LENGTH} octets`;
  }
  const [first = '', ...rest] = relative.split('.');
  const labels = first === '*' ? rest : [first, ...rest];
  if (labels.includes('')) return 'The name has an empty label; write @ for the root of the domain';
  if (labels.some((label) => label.length > MAX_LABEL_LENGTH))
    return `A label must not exceed ${MAX_LABEL_LENGTH} octets`;
  if (labels.every((label) => LABEL_CHARACTERS.test(label))) return undefined;
  return 'Labels consist of letters, digits, hyphens and underscores; * stands only as the whole first label';
}
