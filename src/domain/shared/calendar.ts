export const DAY_MS = 86_400_000;

/** Calendar years in UTC; 29 February falls back to 28 February where the year has none. */
export function addYears(instant: Date, years: number): Date {
  const moved = new Date(instant);
  moved.setUTCFullYear(instant.getUTCFullYear() + years);
  if (moved.getUTCMonth() !== instant.getUTCMonth()) moved.setUTCDate(0);
  return moved;
}

export function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS);
}

/**
 * Whether a registry that added years to `from` came to `instant`, by its UTC date. What follows 29 February where the year has
 * none is the day before it to some registries, and the day after it to others.
 */
export function isYearsAfter(instant: Date, from: Date, years: number): boolean {
  const anniversary = addYears(from, years);
  const mayBeADayLater = from.getUTCDate() !== anniversary.getUTCDate();
  return sameDay(instant, anniversary) || (mayBeADayLater && sameDay(instant, addDays(anniversary, 1)));
}

/** Whether two instants are on one UTC date: how registries compare expiries (RFC 5731, curExpDate). */
export function sameDay(left: Date, right: Date): boolean {
  return left.toISOString().slice(0, 10) === right.toISOString().slice(0, 10);
}
