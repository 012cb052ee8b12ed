import { startOfDay } from '../../../../../src/domain/shared/time/local-time';

const at = (day: string, timeZone: string) => startOfDay(new Date(`${day}T00:00:00Z`), timeZone).toISOString();

it.each([
  ['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01', 'Asia/Tokyo', '2026-02-28T15:00:00.000Z'],
  ['2026-03-01', 'America/New_York', '2026-03-01T05:00:00.000Z'],
  ['2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Paris', '2026-03-29T22:00:00.000Z'],
])('a day begins at its midnight, also when clocks change: %s in %s', (day, timeZone, instant) => {
  expect(at(day, timeZone)).toBe(instant);
});

it('a day without midnight begins an hour later', () => {
  expect(at('2024-09-08', 'America/Santiago')).toBe('2024-09-08T04:00:00.000Z');
});

it('a day begins in UTC in a time zone that Node.js does not know', () => {
  expect(at('2026-03-01', 'Mars/Olympus')).toBe('2026-03-01T00:00:00.000Z');
});
