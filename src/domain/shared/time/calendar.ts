export const DAY_MS = 86_400_000;

/** Adds calendar years in UTC. 29 February becomes 28 February if the target year is not a leap year. */
export function addYears(instant: Date, years: number): Date {
  const moved = new Date(instant);
  moved.setUTCFullYear(instant.getUTCFullYear() + years);
  if (moved.getUTCMonth() !== instant.getUTCMonth()) moved.setUTCDate(0);
  return moved;
}

export function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS);
}

/** The date in UTC (ISO 8601). */
export function formatDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/**
 * Whether `instant` is `from` plus `years`, by UTC date. After 29 February, registries differ: some use 28 February of a
 * common year, others 1 March.
 */
export function isYearsAfter(instant: Date, from: Date, years: number): boolean {
  const anniversary = addYears(from, years);
  const mayBeADayLater = from.getUTCDate() !== anniversary.getUTCDate();
  return sameDay(instant, anniversary) || (mayBeADayLater && sameDay(instant, addDays(anniversary, 1)));
}

/** Complete years, 0 or more. One day short still counts: registries differ after 29 February, and in time zones. */
export function wholeYearsBetween(from: Date, to: Date): number {
  const last = addDays(to, 1);
  let years = Math.max(0, to.getUTCFullYear() - from.getUTCFullYear() + 1);
  while (years > 0 && addYears(from, years) > last) years -= 1;
  return years;
}

/** Whether both instants have the same UTC date. Registries compare expiry dates like this (RFC 5731, curExpDate). */
export function sameDay(left: Date, right: Date): boolean {
  return formatDay(left) === formatDay(right);
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/;
export const INSTANT_EXPECTATION = 'a time such as 2027-01-31T12:00:00Z, or a day such as 2027-01-31';

/** A time of RFC 3339, or the midnight of a day in UTC; undefined for anything else. */
export function parseInstant(text: string): Date | undefined {
  const instant = new Date(text);
  const [, day = ''] = INSTANT.exec(text) ?? [];
  return parseDay(day) === undefined || Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** The midnight of a day in UTC; undefined for anything else. `Date` takes 30 February for 2 March. */
export function parseDay(text: string): Date | undefined {
  const midnight = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
  return Number.isNaN(midnight.getTime()) || formatDay(midnight) !== text ? undefined : midnight;
}
