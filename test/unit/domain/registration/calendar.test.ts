import {
  addYears,
  isYearsAfter,
  parseDay,
  parseInstant,
  wholeYearsBetween,
} from '../../../../src/domain/shared/time/calendar';

const at = (day: string) => new Date(`${day}T12:00:00.000Z`);

describe('years', () => {
  it('end on the same day of the year, and on 28 February in a year without a 29th', () => {
    expect([
      addYears(at('2026-03-31'), 2),
      addYears(at('2028-02-29'), 1),
      addYears(at('2028-02-29'), 4),
      addYears(at('2029-02-28'), -1),
    ]).toEqual([at('2028-03-31'), at('2029-02-28'), at('2032-02-29'), at('2028-02-28')]);
  });

  it.each([
    ['2028-02-29', '2029-02-28', 1, true],
    ['2028-02-29', '2029-03-01', 1, true],
    ['2028-02-29', '2029-03-02', 1, false],
    ['2028-02-29', '2029-02-27', 1, false],
    ['2028-02-29', '2032-02-29', 4, true],
    ['2028-02-29', '2032-03-01', 4, false],
    ['2027-02-28', '2028-02-28', 1, true],
    ['2027-02-28', '2028-02-29', 1, false],
    ['2026-12-31', '2028-12-31', 2, true],
    ['2026-12-31', '2027-12-31', 2, false],
  ])('may, from %s, end on %s: after %d %s', (from, end, count, expected) => {
    expect(isYearsAfter(at(end), at(from), count)).toBe(expected);
  });

  it.each([
    ['2026-05-01', '2027-05-01', 1],
    ['2026-05-01', '2027-04-30', 1],
    ['2026-05-01', '2027-04-29', 0],
    ['2028-02-29', '2029-02-28', 1],
    ['2026-05-01', '2036-05-01', 10],
    ['2026-05-01', '2026-05-01', 0],
    ['2026-05-01', '2025-05-01', 0],
  ])('are, from %s to %s, %d whole years', (from, to, count) => {
    expect(wholeYearsBetween(at(from), at(to))).toBe(count);
  });
});

describe('a time that a client writes', () => {
  it.each([
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.5+02:00', '2027-01-31T10:00:00.500Z'],
  ])('is read: %s', (text, instant) => {
    expect(parseInstant(text)).toEqual(new Date(instant));
  });

  it.each([
    '2027-02-29',
    '2027-02-30T12:00:00Z',
    '2027-04-31',
    '2027-13-01',
    '2027-01-31T12:00:00',
    '2027-01-31T25:00:00Z',
    '',
  ])('is refused if the day does not exist, or without a time zone: %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('is no day if it has a time', () => {
    expect([parseDay('2027-02-28'), parseDay('2027-02-29'), parseDay('2027-02-28T00:00:00Z')]).toEqual([
      new Date('2027-02-28T00:00:00.000Z'),
      undefined,
      undefined,
    ]);
  });
});
