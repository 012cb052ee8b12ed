import { domainToASCII } from 'node:url';
import { instantShowing, wallClock } from '../../../../domain/shared/time/local-time';
import { ProtocolError } from './protocol-error';

const DATE_TIME = /^(\d{4,6}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** `xs:boolean`. */
export function booleanOf(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

/** A name in lower-case A-labels, which some registries write in Unicode. */
export function aLabelsOf(name: string): string {
  return /^\p{ASCII}*$/u.test(name) ? name.toLowerCase() : domainToASCII(name);
}

/** `xs:dateTime`, or the date that some registries send. In `timeZone` (IANA) without an offset. @throws ProtocolError */
export function instantOf(text: string | undefined, timeZone = 'UTC'): Date {
  const [, date, time = '00:00:00', fraction = '', zone] = DATE_TIME.exec(text ?? '') ?? [];
  const instant = new Date(`${date}T${time}${fraction.slice(0, 4)}${zone ?? 'Z'}`);
  if (Number.isNaN(instant.getTime())) throw new ProtocolError('invalid date');
  return zone === undefined && timeZone !== 'UTC' ? instantShowing(instant, timeZone) : instant;
}

/** The date of an instant in a time zone: `2027-03-28`. */
export function dateIn(instant: Date, timeZone: string): string {
  if (timeZone === 'UTC') return instant.toISOString().slice(0, 10);
  return wallClock(instant, timeZone).toISOString().slice(0, 10);
}
