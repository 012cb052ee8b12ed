import { ValidationError } from '../../domain/shared/validation-error';

export type Members = Readonly<Record<string, unknown>>;

/** @throws ValidationError */
export function membersOf(value: unknown, place: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw ValidationError.of(place, 'must be an object');
  return value as Members;
}
