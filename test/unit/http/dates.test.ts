import { inMinutes } from '../../../src/http/dashboard/layout/dates';

it.each([
  [1, 'in a minute'],
  [60, 'in a minute'],
  [61, 'in 2 minutes'],
  [900, 'in 15 minutes'],
])('sends nobody back too early: %i seconds are %s', (seconds, words) => {
  expect(inMinutes(seconds)).toBe(words);
});
