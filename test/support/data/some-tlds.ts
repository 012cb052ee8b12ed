import type { LifecyclePeriods, TldPolicy } from '../../../src/domain/registration/names/tld-policy';

/** Of most registries, in days. */
export const PERIODS: LifecyclePeriods = {
  addGrace: 5,
  autoRenewGrace: 45,
  renewalGrace: 30,
  redemption: 30,
  pendingDelete: 5,
  transfer: 5,
  authCode: 14,
};

const COMMON: Omit<TldPolicy, 'suffix'> = {
  years: { min: 1, max: 10 },
  renewalYears: { min: 1, max: 10 },
  nameservers: { min: 2, max: 13 },
  periods: PERIODS,
  readLagSeconds: 0,
};

/** A common suffix or three, one within another, and one of each kind that asks for more. */
export const SOME_TLDS: readonly TldPolicy[] = [
  { ...COMMON, suffix: 'com' },
  { ...COMMON, suffix: 'net' },
  { ...COMMON, suffix: 'org', readLagSeconds: 60 },
  { ...COMMON, suffix: 'uk' },
  { ...COMMON, suffix: 'co.uk', releases: true, transfersWithoutCode: true },
  {
    ...COMMON,
    suffix: 'de',
    idnLanguages: { Latin: ['de', 'fr'] },
    years: { min: 1, max: 1 },
    renewalYears: { min: 1, max: 1 },
  },
  { ...COMMON, suffix: 'ai', years: { min: 2, max: 5 }, renewalYears: { min: 2, max: 5 } },
  { ...COMMON, suffix: 'is', nameservers: { min: 3, max: 4 } },
];
