import { formatDate, formatDateTime } from '../../../../../src/domain/shared/time/date-text';

it.each([
  ['2027-03-03T14:05:00Z', 'UTC', '3 Mar 2027, 14:05 UTC'],
  ['2027-03-03T14:05:00Z', 'Europe/Vienna', '3 Mar 2027, 15:05 CET'],
  ['2027-03-28T00:59:59Z', 'Europe/Vienna', '28 Mar 2027, 01:59 CET'],
  ['2027-03-28T01:00:00Z', 'Europe/Vienna', '28 Mar 2027, 03:00 CEST'],
  ['2027-10-31T00:30:00Z', 'Europe/Vienna', '31 Oct 2027, 02:30 CEST'],
  ['2027-10-31T01:30:00Z', 'Europe/Vienna', '31 Oct 2027, 02:30 CET'],
  ['2027-12-31T23:00:00Z', 'Europe/Vienna', '1 Jan 2028, 00:00 CET'],
  ['2027-03-03T14:05:00Z', 'Asia/Kathmandu', '3 Mar 2027, 19:50 GMT+5:45'],
])('%s in %s is %s', (instant, timeZone, text) => {
  expect(formatDateTime(new Date(instant), timeZone)).toBe(text);
});

it('a time in a zone that this Node.js does not know is in UTC', () => {
  expect(formatDateTime(new Date('2027-03-03T14:05:00Z'), 'Moon/Tycho')).toBe('3 Mar 2027, 14:05 UTC');
});

it('a day is one in UTC, or in a time zone', () => {
  const late = new Date('2027-12-31T23:30:00Z');
  expect(formatDate(late)).toBe('31 Dec 2027');
  expect(formatDate(late, 'Europe/Vienna')).toBe('1 Jan 2028');
});
