import type { DomainName } from '../../../../../domain/shared/domain-name';
import type { TldPolicy } from '../../../../../domain/registration/names/tld-policy';
import type { Money } from '../../../../../domain/shared/money';
import { listedFee, type PriceList } from '../../../price-list';
import { policyOf, type TldRules } from '../../../tld-rules';
import { PREMIUM_PRICES } from './premium-names';

/** Policy and prices of a suffix. Prices are in `PRICE_LIST_CURRENCY`. */
export interface TldOffer extends TldPolicy {
  readonly prices: PriceList;
}

export const PRICE_LIST_CURRENCY = 'USD';
/** The issue if the service's currency is another one. */
export const CURRENCY_ISSUE = {
  path: 'CURRENCY',
  message: `must be ${PRICE_LIST_CURRENCY}, which the simulated registry's prices are in`,
} as const;

const DEFAULT_RESTORE = 80_00;

/** Prices of a name in minor units of `PRICE_LIST_CURRENCY`, by years. */
export interface Prices {
  readonly registration: (years: number) => number;
  readonly renewal: (years: number) => number;
  /** Undefined if a restore has no price. */
  readonly restore: number | undefined;
}

/** Fees of whole terms in minor units, by years. */
type Fees = Readonly<Record<number, number>>;

/** A suffix's differences from the defaults. */
export interface OfferOverrides extends Pick<TldRules, 'years' | 'renewalYears' | 'nameservers' | 'periods'> {
  readonly restore?: number;
  /** Terms whose fee is not a multiple of one year's. */
  readonly terms?: { readonly registration?: Fees; readonly renewal?: Fees };
}

/** `registration` and `renewal` are for one year. */
export function offer(
  suffix: string,
  registration: number,
  renewal: number,
  { restore = DEFAULT_RESTORE, terms = {}, ...rules }: OfferOverrides = {},
): TldOffer {
  const prices = {
    registration: money(registration),
    renewal: money(renewal),
    restore: money(restore),
    terms: { registration: inMoney(terms.registration), renewal: inMoney(terms.renewal) },
  };
  return { ...policyOf({ suffix, ...rules }), prices };
}

/** Registration fees of several years if only the first year is cheaper. */
export function firstYearOffer(first: number, renewal: number): Fees {
  return Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 9, 10].map((years) => [years, first + (years - 1) * renewal]));
}

/** The price of a premium name, otherwise the suffix's. */
export function pricesOf({ prices }: TldOffer, name: DomainName): PriceList {
  const premium = PREMIUM_PRICES.get(name.value);
  return premium
    ? {
        registration: money(premium.registration),
        renewal: money(premium.renewal),
        ...(prices.restore && { restore: prices.restore }),
      }
    : prices;
}

/** `pricesOf` in minor units. */
export function minorPricesOf(offered: TldOffer, name: DomainName): Prices {
  const list = pricesOf(offered, name);
  return {
    registration: (years) => listedFee(list, 'registration', years).minor,
    renewal: (years) => listedFee(list, 'renewal', years).minor,
    restore: list.restore?.minor,
  };
}

function inMoney(fees: Fees = {}): Readonly<Record<number, Money>> {
  return Object.fromEntries(Object.entries(fees).map(([years, minor]) => [years, money(minor)]));
}

function money(minor: number): Money {
  return { minor, currency: PRICE_LIST_CURRENCY };
}
