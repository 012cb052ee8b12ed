import { ProtocolError } from './protocol-error';

const DATE_TIME = /^(\d{4,6}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** `xs:boolean`. */
export function booleanOf(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

/** `xs:dateTime`, or the date that some registries send. UTC without a time zone. @throws ProtocolError */
export function instantOf(text: string | undefined): Date {
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = DATE_TIME.exec(text ?? '') ?? [];
  const instant = new Date(`${date}T${time}${fraction.slice(0, 4)}${zone}`);
  if (Number.isNaN(instant.getTime())) throw new ProtocolError('invalid date');
  return instant;
}
