import { ValidationError } from '../../shared/validation-error';

/** Which names a zone that needs no registration may have. */
export interface ZoneNameRules {
  /** Whether names below it belong to different owners: <https://publicsuffix.org>. */
  readonly isPublicSuffix: (name: string) => boolean;
  /** Public suffixes and single labels that the operator permits. */
  readonly permitted: readonly string[];
}

/** RFC 8375: for the network of a home, although the list has it. */
const FOR_LOCAL_USE = 'home.arpa';
const BY_OPERATOR = 'the operator can permit it with ZONE_PUBLIC_SUFFIXES';

/** @throws ValidationError about `field` if the name is a public suffix or a single label, and not permitted */
export function assertNotReserved(name: string, { isPublicSuffix, permitted }: ZoneNameRules, field = 'name'): void {
  if (permitted.includes(name) || name === FOR_LOCAL_USE) return;
  if (!name.includes('.')) throw ValidationError.of(field, `must have at least two labels; ${BY_OPERATOR}`);
  if (!isPublicSuffix(name)) return;
  throw ValidationError.of(
    field,
    `must not be ${name}, a public suffix: names below it belong to different owners; ${BY_OPERATOR}`,
  );
}
