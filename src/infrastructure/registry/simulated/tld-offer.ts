import type { PriceQuote } from '../../../application/ports/registry-port';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { LifecyclePeriods, TldPolicy } from '../../../domain/registration/tld-policy';
import { PREMIUM_PRICES } from './premium-names';

/** What one suffix costs and asks for. Prices are in minor units of `PRICE_LIST_CURRENCY`. */
export interface TldOffer extends TldPolicy {
  /** For one year. */
  readonly registration: number;
  /** For one year. */
  readonly renewal: number;
  readonly restore: number;
}

export const PRICE_LIST_CURRENCY = 'USD';

/** What most gTLDs agree on (RFC 3915 names the periods; Nomulus' Tld.java and registry agreements their lengths), in days. */
const COMMON_PERIODS: LifecyclePeriods = { addGrace: 5, autoRenewGrace: 45, renewalGrace: 30, redemption: 30, pendingDelete: 5, transfer: 5, authCode: 14 };
const COMMON_YEARS = { min: 1, max: 10 };
const COMMON_NAMESERVERS = { min: 2, max: 13 };
const COMMON_RESTORE = 80_00;

/** Where a suffix departs from what is common. */
export interface Deviations {
  readonly years?: TldPolicy['years'];
  readonly nameservers?: TldPolicy['nameservers'];
  readonly periods?: Partial<LifecyclePeriods>;
  readonly restore?: number;
}

export function offer(suffix: string, registration: number, renewal: number, deviations: Deviations = {}): TldOffer {
  return {
    suffix,
    registration,
    renewal,
    restore: deviations.restore ?? COMMON_RESTORE,
    years: deviations.years ?? COMMON_YEARS,
    nameservers: deviations.nameservers ?? COMMON_NAMESERVERS,
    periods: { ...COMMON_PERIODS, ...deviations.periods },
  };
}

/** What `name` costs: a premium name its own price, any other its suffix's. */
export function quote(offered: TldOffer, name: DomainName): PriceQuote {
  const { registration, renewal } = PREMIUM_PRICES.get(name.value) ?? offered;
  return { registration: money(registration), renewal: money(renewal), restore: money(offered.restore) };
}

function money(minor: number): PriceQuote['restore'] {
  return { minor, currency: PRICE_LIST_CURRENCY };
}
