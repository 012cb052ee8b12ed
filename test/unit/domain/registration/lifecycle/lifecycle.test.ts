import { lifecycleDates, nextDueAt, stepsDue } from '../../../../../src/domain/registration/lifecycle/lifecycle';
import type { DomainState } from '../../../../../src/domain/registration/domain';
import { aDomain } from '../../../../support/data/a-domain';
import { PERIODS } from '../../../../support/data/some-tlds';

const SCHEDULE = { leadDays: 30, retryDays: 1 };
const at = (day: string) => new Date(`${day}T00:00:00.000Z`);
const state = (overrides: Partial<DomainState>) => aDomain({ expiresAt: at('2027-01-01'), ...overrides }).toState();

describe('the next check of a domain is', () => {
  it.each<[string, Partial<DomainState>, Date | null]>([
    ['a month before expiry, with auto-renewal', {}, at('2026-12-02')],
    ['a day after a renewal was tried', { renewalTriedAt: at('2026-12-10') }, at('2026-12-11')],
    [
      'a month before the next expiry, where a renewal was tried for the last',
      { renewalTriedAt: at('2025-12-10') },
      at('2026-12-02'),
    ],
    ['at expiry, if the registrar renews it', { registrarRenews: true }, at('2027-01-01')],
    [
      'a day after the last check, once expired, if the registrar renews it',
      { status: 'expired', registrarRenews: true, updatedAt: at('2027-03-01') },
      at('2027-03-02'),
    ],
    ['at expiry, without auto-renewal', { autoRenew: false }, at('2027-01-01')],
    ['when its auth code is no longer valid', { autoRenew: false, authCodeUntil: at('2026-06-01') }, at('2026-06-01')],
    ['at the end of the renewal grace period, once expired', { status: 'expired', autoRenew: false }, at('2027-01-31')],
    [
      'daily in the renewal grace period, with auto-renewal',
      { status: 'expired', renewalTriedAt: at('2027-01-03') },
      at('2027-01-04'),
    ],
    ['at the end of redemption', { status: 'redemption', phaseEndsAt: at('2027-03-02') }, at('2027-03-02')],
    ['at the end of pending deletion', { status: 'pending_delete', phaseEndsAt: at('2027-03-07') }, at('2027-03-07')],
    [
      'an hour after it was looked at last, while its registration is pending',
      { status: 'pending' },
      new Date('2026-01-01T01:00:00.000Z'),
    ],
    ['never again, once it was transferred out', { status: 'transferred_out' }, null],
  ])('%s', (_when, overrides, due) => {
    expect(nextDueAt(state(overrides), { periods: PERIODS }, SCHEDULE)).toEqual(due);
  });
});

describe('what is due', () => {
  it.each<[string, Partial<DomainState>, string, readonly string[]]>([
    ['nothing, before the month before expiry', {}, '2026-12-01', []],
    ['the renewal, from then on', {}, '2026-12-02', ['renew']],
    ['nothing, on the day of an attempt', { renewalTriedAt: at('2026-12-02') }, '2026-12-02', []],
    ['no renewal, without auto-renewal', { autoRenew: false }, '2026-12-31', []],
    [
      'the renewal, in the grace period, too',
      { status: 'expired', renewalTriedAt: at('2027-01-03') },
      '2027-01-04',
      ['renew'],
    ],
    [
      'to delete, at its end, and no renewal any more',
      { status: 'expired', renewalTriedAt: at('2027-01-29') },
      '2027-01-31',
      ['delete'],
    ],
    ['to delete, at its end, without auto-renewal', { status: 'expired', autoRenew: false }, '2027-01-31', ['delete']],
    ['the renewal, even after its end, where none was tried', { status: 'expired' }, '2027-02-05', ['renew']],
    [
      'the withdrawal of an auth code, beside a renewal',
      { authCodeUntil: at('2026-12-01') },
      '2026-12-02',
      ['renew', 'withdraw auth code'],
    ],
    ['nothing, in redemption', { status: 'redemption', authCodeUntil: at('2026-12-01') }, '2027-02-02', []],
  ])('is %s', (_what, overrides, day, steps) => {
    expect(stepsDue(state(overrides), { periods: PERIODS }, SCHEDULE, at(day))).toEqual(steps);
  });
});

describe('at a registry that adds no year to an expired domain', () => {
  const policy = { periods: PERIODS, unsupported: ['auto_renew' as const, 'restore' as const] };
  const expired = { status: 'expired', renewalTriedAt: at('2027-02-05'), updatedAt: at('2027-02-05') } as const;

  it('a domain with auto-renewal is never deleted by the service, but renewed once a day', () => {
    const failed = state(expired);

    expect(stepsDue(failed, policy, SCHEDULE, at('2027-02-05'))).toEqual([]);
    expect(nextDueAt(failed, policy, SCHEDULE)).toEqual(at('2027-02-06'));
    expect(stepsDue(failed, policy, SCHEDULE, at('2027-02-06'))).toEqual(['renew']);
  });

  it('a domain without auto-renewal is deleted at the end of its renewal grace period', () => {
    expect(stepsDue(state({ ...expired, autoRenew: false }), policy, SCHEDULE, at('2027-02-05'))).toEqual(['delete']);
  });
});

describe('the dates of a domain’s lifecycle', () => {
  const NONE = {
    renewableUntil: null,
    redemptionEndsAt: null,
    deletesAt: null,
    transferLockedUntil: null,
    deletionDueAt: null,
  };

  it.each<[DomainState['status'], object]>([
    ['pending', NONE],
    ['active', { ...NONE, renewableUntil: at('2027-01-31') }],
    ['expired', { ...NONE, renewableUntil: at('2027-01-31') }],
    ['redemption', { ...NONE, redemptionEndsAt: at('2027-03-02'), deletesAt: at('2027-03-07') }],
    ['pending_delete', { ...NONE, deletesAt: at('2027-03-02') }],
    ['transferred_out', NONE],
  ])('are those of its phase while it is %s', (status, dates) => {
    expect(lifecycleDates(state({ status, phaseEndsAt: at('2027-03-02') }), { periods: PERIODS })).toEqual(dates);
  });
});
