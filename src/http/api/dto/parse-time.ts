import { ValidationError } from '../../../domain/shared/validation-error';

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?$/;

/** A time of RFC 3339, or a day in UTC. @throws ValidationError */
export function parseTime(path: string, text: string): Date {
  const time = new Date(text);
  if (!TIME.test(text) || Number.isNaN(time.getTime()))
    throw ValidationError.of(path, 'must be a time such as 2027-01-31T12:00:00Z, or a day such as 2027-01-31');
  return time;
}
