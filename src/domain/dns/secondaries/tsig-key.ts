import { ValidationError } from '../../shared/validation-error';

/** RFC 8945, section 6: hmac-sha256, which is mandatory, and stronger ones. */
export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

/** The shared secret of a secondary (RFC 8945). */
export interface TsigKey {
  /** A domain name in lower case, without trailing dot. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Buffer;
}

const NAME = /^(?=.{1,63}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** @throws ValidationError */
export function parseTsigKeyName(text: string, path = 'key'): string {
  const name = text.toLowerCase().replace(/\.$/, '');
  if (!NAME.test(name))
    throw ValidationError.of(path, 'must be a name of at most 63 letters, digits, hyphens and dots');
  return name;
}

/** @throws ValidationError */
export function parseTsigAlgorithm(text: string, path = 'algorithm'): TsigAlgorithm {
  const algorithm = TSIG_ALGORITHMS.find((known) => known === text);
  if (!algorithm) throw ValidationError.of(path, `must be one of ${TSIG_ALGORITHMS.join(', ')}`);
  return algorithm;
}
