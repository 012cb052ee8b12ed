/** What a clock in `timeZone` shows at `instant`, written as UTC. */
export function wallClock(instant: Date, timeZone: string): Date {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second, fractionalSecond } = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fractionalSecond}Z`);
}

/** The instant at which a clock in `timeZone` shows `wanted` (as UTC). An hour that does not exist counts as the next. */
export function instantShowing(wanted: Date, timeZone: string): Date {
  const offsetAt = (instant: Date) => wallClock(instant, timeZone).getTime() - instant.getTime();
  const first = new Date(wanted.getTime() - offsetAt(wanted));
  const second = new Date(wanted.getTime() - offsetAt(first));
  const exists = wallClock(second, timeZone).getTime() === wanted.getTime();
  return exists || second > first ? second : first;
}

/** The instant at which a day begins in `timeZone`: in UTC if this version of Node.js does not know it, as pages show times then. */
export function startOfDay(day: Date, timeZone: string): Date {
  try {
    return instantShowing(day, timeZone);
  } catch (error) {
    if (error instanceof RangeError) return day;
    throw error;
  }
}
