import { describeLimits } from '../../../../src/domain/access/describe-limits';
import type { KeyLimits } from '../../../../src/domain/access/key-limits';

const usd = (minor: number) => ({ minor, currency: 'USD' });

it.each<[KeyLimits, string]>([
  [{ domains: ['a.com'], names: ['www'], types: ['A', 'AAAA'] }, 'A, AAAA records named www of a.com'],
  [{ domains: ['a.com', 'b.com'], actions: ['read'] }, 'a.com, b.com; may read'],
  [{ tags: ['blog', 'shop'], actions: ['read'] }, 'domains tagged blog, shop; may read'],
  [{ domains: ['a.com'], tags: ['shop'] }, 'a.com tagged shop'],
  [{ types: ['TXT'], tags: ['shop'] }, 'TXT records of domains tagged shop'],
  [{ names: ['*'], networks: ['192.0.2.0/24'] }, 'records named *; from 192.0.2.0/24'],
  [
    { unusedAfterDays: 30, spend: { perOrder: usd(2_000), perMonth: usd(5_050) } },
    'expires after 30 days without use; spends at most 20.00 USD per order, 50.50 USD per month',
  ],
  [{}, ''],
])('describes the limits %j as: %s', (limits, words) => {
  expect(describeLimits(limits)).toBe(words);
});
