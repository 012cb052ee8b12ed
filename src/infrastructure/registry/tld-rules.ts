import type { CdsPolicy } from '../../domain/dns/dnssec/parent/cds-scan';
import type { LifecyclePeriods, TldPolicy, YearRange } from '../../domain/registration/names/tld-policy';
import type { PriceList } from './price-list';

/** A suffix as configured. `policyOf` adds the defaults. */
export interface TldRules {
  /** Lower-case A-labels without a leading dot: `com`, `co.uk`. */
  readonly suffix: string;
  readonly years?: YearRange;
  /** Same as `years` if absent. */
  readonly renewalYears?: YearRange;
  readonly nameservers?: TldPolicy['nameservers'];
  readonly periods?: Partial<LifecyclePeriods>;
  readonly cds?: CdsPolicy;
  /** The operator's, instead of the adapter's (`TldPolicy`). */
  readonly readLagSeconds?: number;
  /** The registry's prices, for a registry that does not report fees. */
  readonly price?: PriceList;
}

/** Common gTLD policy. Periods in days: named by RFC 3915, lengths from Nomulus' Tld.java and registry agreements. */
const GTLD_DEFAULTS: Omit<TldPolicy, 'suffix'> = {
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

/** The complete policy of a suffix. `base` replaces what the rules leave out. */
export function policyOf(
  { suffix, years, renewalYears, nameservers, periods, cds, readLagSeconds }: TldRules,
  base: Omit<TldPolicy, 'suffix'> = GTLD_DEFAULTS,
): TldPolicy {
  return {
    suffix,
    years: years ?? base.years,
    renewalYears: renewalYears ?? years ?? base.renewalYears,
    nameservers: nameservers ?? base.nameservers,
    periods: { ...base.periods, ...periods },
    ...(cds && { cds }),
    ...(readLagSeconds !== undefined && { readLagSeconds }),
  };
}
