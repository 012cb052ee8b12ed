import { ValidationError } from '../../shared/validation-error';

export const DEFAULT_TTL = 3600;
export const MIN_TTL = 60;
export const MAX_TTL = 604_800;

/** @param ttl seconds (RFC 2181, section 8, would allow up to 2^31-1) @throws ValidationError */
export function validateTtl(ttl: number = DEFAULT_TTL): number {
  if (Number.isInteger(ttl) && ttl >= MIN_TTL && ttl <= MAX_TTL) return ttl;
  throw ValidationError.of('ttl', `must be an integer from ${MIN_TTL} to ${MAX_TTL}`);
}
