import { lifecycleTimeline } from '../../../../../src/domain/registration/lifecycle/lifecycle-timeline';
import type { DomainState } from '../../../../../src/domain/registration/domain';
import type { RegistryFeature } from '../../../../../src/domain/registration/names/tld-policy';
import { aDomain } from '../../../../support/data/a-domain';
import { PERIODS } from '../../../../support/data/some-tlds';

const SCHEDULE = { leadDays: 30, retryDays: 1 };
const at = (day: string) => new Date(`${day}T00:00:00.000Z`);

function timelineOf(overrides: Partial<DomainState>, unsupported: readonly RegistryFeature[] = []): string[] {
  const state = aDomain({ registeredAt: at('2026-01-01'), expiresAt: at('2027-01-01'), ...overrides }).toState();
  return lifecycleTimeline(state, { periods: PERIODS, unsupported }, SCHEDULE).map(
    ({ event, at: date }) => `${date.toISOString().slice(0, 10)} ${event}`,
  );
}

describe('the timeline of a domain', () => {
  it.each<[string, Partial<DomainState>, readonly RegistryFeature[], readonly string[]]>([
    [
      'has the automatic renewal, and what follows if it fails',
      {},
      [],
      [
        '2026-01-01 registered',
        '2026-12-02 renewal',
        '2027-01-01 expiry',
        '2027-01-31 grace_end',
        '2027-03-02 redemption_end',
        '2027-03-07 deletion',
      ],
    ],
    [
      'has no renewal if auto-renewal is off, and ends with the grace period if the registrar deletes by itself',
      { autoRenew: false },
      ['delete'],
      ['2026-01-01 registered', '2027-01-01 expiry', '2027-01-31 grace_end'],
    ],
    [
      'ends with the expiry if the registrar renews by itself',
      { registrarRenews: true },
      [],
      ['2026-01-01 registered', '2027-01-01 expiry'],
    ],
    [
      'has the next attempt to renew after the expiry',
      { status: 'expired', renewalTriedAt: at('2027-01-04') },
      ['delete'],
      ['2026-01-01 registered', '2027-01-01 expiry', '2027-01-05 renewal', '2027-01-31 grace_end'],
    ],
    [
      'ends with the grace period at a registry without auto-renewal, where the service deletes no domain that it renews',
      {},
      ['auto_renew'],
      ['2026-01-01 registered', '2026-12-02 renewal', '2027-01-01 expiry', '2027-01-31 grace_end'],
    ],
    [
      'has the ends of redemption and deletion',
      { status: 'redemption', phaseEndsAt: at('2027-03-02') },
      [],
      ['2026-01-01 registered', '2027-03-02 redemption_end', '2027-03-07 deletion'],
    ],
    ['is empty before the registry confirms the registration', { status: 'pending', registeredAt: null }, [], []],
    ['is empty after a transfer to another registrar', { status: 'transferred_out' }, [], []],
  ])('%s', (_rule, overrides, unsupported, expected) => {
    expect(timelineOf(overrides, unsupported)).toEqual(expected);
  });
});
