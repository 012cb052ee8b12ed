import { INSTANT_EXPECTATION, parseInstant } from '../../../domain/shared/calendar';
import { ValidationError } from '../../../domain/shared/validation-error';

/** @throws ValidationError */
export function parseTime(path: string, text: string): Date {
  const time = parseInstant(text);
  if (!time) throw ValidationError.of(path, `must be ${INSTANT_EXPECTATION}`);
  return time;
}
