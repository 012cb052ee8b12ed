import { formatRetryDelay } from '../../../../src/http/dashboard/layout/dates';

it.each([
  [1, 'in 1 minute'],
  [60, 'in 1 minute'],
  [61, 'in 2 minutes'],
  [900, 'in 15 minutes'],
])('rounds a retry delay of %i seconds up: %s', (seconds, text) => {
  expect(formatRetryDelay(seconds)).toBe(text);
});
