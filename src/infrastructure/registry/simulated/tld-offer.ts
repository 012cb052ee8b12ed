import type { PriceQuote } from '../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { TldPolicy } from '../../../domain/registration/tld-policy';
import { policyOf, type TldRules } from '../tld-rules';
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
/** Where the service is to count in another one. */
export const CURRENCY_FAULT = { variable: 'CURRENCY', problem: `must be ${PRICE_LIST_CURRENCY}, which the simulated registry's prices are in` } as const;

const COMMON_RESTORE = 80_00;

/** Where a suffix departs from what is common. */
export interface Deviations extends Pick<TldRules, 'years' | 'nameservers' | 'periods'> {
  readonly restore?: number;
}

export function offer(suffix: string, registration: number, renewal: number, deviations: Deviations = {}): TldOffer {
  return { ...policyOf({ suffix, ...deviations }), registration, renewal, restore: deviations.restore ?? COMMON_RESTORE };
}

/** What `name` costs: a premium name its own price, any other its suffix's. */
export function quote(offered: TldOffer, name: DomainName): PriceQuote {
  const { registration, renewal } = PREMIUM_PRICES.get(name.value) ?? offered;
  return { registration: money(registration), renewal: money(renewal), restore: money(offered.restore) };
}

function money(minor: number): PriceQuote['restore'] {
  return { minor, currency: PRICE_LIST_CURRENCY };
}
