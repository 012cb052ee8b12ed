import { DAY_MS } from '../../../domain/shared/time/calendar';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const MONTH_NAME = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });

/** March 2027 */
export function formatMonth(date: Date): string {
  return MONTH.format(date);
}

/** Mar */
export function formatMonthName(date: Date): string {
  return MONTH_NAME.format(date);
}

/** Whole calendar days (UTC) from `now` until `date`; negative for a past date. */
function daysUntil(date: Date, now: Date): number {
  return Math.floor(date.getTime() / DAY_MS) - Math.floor(now.getTime() / DAY_MS);
}

/** in 104 days, tomorrow, today, yesterday, 3 days ago */
export function formatRelativeDay(date: Date, now: Date): string {
  const days = daysUntil(date, now);
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'yesterday';
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}

/** just now, 5 minutes ago, 3 hours ago, and so on */
export function formatTimeAgo(date: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - date.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} ${hours === 1 ? 'hour' : 'hours'} ago`;
  return formatRelativeDay(date, now);
}

/** in 1 minute, in 12 minutes; rounded up */
export function formatRetryDelay(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'in 1 minute' : `in ${minutes} minutes`;
}
