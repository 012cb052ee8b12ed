import type { LifecyclePeriods, TldPolicy, YearRange } from '../../domain/registration/tld-policy';
import type { PriceList } from './price-list';

/** What the operator wrote about a suffix; an adapter or what is common fills in the rest. */
export interface TldRules {
  /** Lower-case A-labels without a leading dot: `com`, `co.uk`. */
  readonly suffix: string;
  readonly years?: YearRange;
  /** As `years` where absent. */
  readonly renewalYears?: YearRange;
  readonly nameservers?: TldPolicy['nameservers'];
  readonly periods?: Partial<LifecyclePeriods>;
  /** What the registry asks, where it cannot be asked by itself. */
  readonly price?: PriceList;
}

/** What most gTLDs agree on (RFC 3915 names the periods; Nomulus' Tld.java and registry agreements their lengths), in days. */
const COMMON: Omit<TldPolicy, 'suffix'> = {
  years: { min: 1, max: 10 },
  renewalYears: { min: 1, max: 10 },
  nameservers: { min: 2, max: 13 },
  periods: {
    addGrace: 5,
    autoRenewGrace: 45,
    renewalGrace: 30,
    redemption: 30,
    pendingDelete: 5,
    transfer: 5,
    authCode: 14,
  },
};

/** The whole policy of a suffix: its rules where there are some, `base` everywhere else. */
export function policyOf(
  { suffix, years, renewalYears, nameservers, periods }: TldRules,
  base: Omit<TldPolicy, 'suffix'> = COMMON,
): TldPolicy {
  return {
    suffix,
    years: years ?? base.years,
    renewalYears: renewalYears ?? years ?? base.renewalYears,
    nameservers: nameservers ?? base.nameservers,
    periods: { ...base.periods, ...periods },
  };
}
