import { describeExpiry, describeRenewal } from '../../../../src/http/dashboard/layout/domain/domain-labels';
import { formatRetryDelay } from '../../../../src/http/dashboard/layout/dates';
import { aDomain } from '../../../support/data/a-domain';

it.each([
  [1, 'in 1 minute'],
  [60, 'in 1 minute'],
  [61, 'in 2 minutes'],
  [900, 'in 15 minutes'],
])('rounds a retry delay of %i seconds up: %s', (seconds, text) => {
  expect(formatRetryDelay(seconds)).toBe(text);
});

it.each([
  ['active', '2026-12-31', 'paid until 1 Jan 2027, tomorrow'],
  ['expired', '2027-01-03', 'expired on 1 Jan 2027, 2 days ago'],
  ['redemption', '2027-03-01', 'expired on 1 Jan 2027, 59 days ago'],
  ['redemption', '2026-12-01', 'deleted, was paid until 1 Jan 2027'],
  ['pending_delete', '2026-12-01', 'deleted, was paid until 1 Jan 2027'],
  ['transferred_out', '2026-12-01', 'transferred to another registrar'],
] as const)('describes the expiry of a domain with the status %s on %s: %s', (status, today, text) => {
  expect(describeExpiry(aDomain({ status }).toState(), new Date(today))).toBe(text);
});

it.each([
  [{ autoRenew: true }, /is renewed before it expires/],
  [{ autoRenew: false }, /ends at its expiry unless it is renewed or auto-renewal is switched on/],
  [{ autoRenew: true, registrarRenews: true }, /The registrar renews/],
  [{ autoRenew: false, registrarRenews: true }, /deletes the domain before the registry/],
  [{ autoRenew: true, status: 'expired' }, /tries to renew the domain until it is deleted/],
  [{ autoRenew: false, status: 'expired' }, /has expired and is deleted unless it is renewed/],
  [{ autoRenew: false, registrarRenews: true, status: 'expired' }, /has expired and is deleted/],
] as const)('describes the renewal of a domain with %j: %s', (state, text) => {
  expect(describeRenewal(aDomain(state).toState())).toMatch(text);
});
