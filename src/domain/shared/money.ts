/** An exact amount: `minor` is an integer count of the currency's minor units (cents). Only presenters make decimals of it. */
export interface Money {
  readonly minor: number;
  /** ISO 4217 code. */
  readonly currency: string;
}

export function times(price: Money, factor: number): Money {
  return { ...price, minor: price.minor * factor };
}

/** A year's share of the fee for several, rounded to the minor unit. */
export function perYear(fee: Money, years: number): Money {
  return { ...fee, minor: Math.round(fee.minor / years) };
}

export function sum(prices: readonly Money[], currency: string): Money {
  return prices.reduce((total, price) => plus(total, price), { minor: 0, currency });
}

export function plus(left: Money, right: Money): Money {
  if (left.currency !== right.currency) throw new TypeError(`cannot add ${right.currency} to ${left.currency}`);
  return { ...left, minor: left.minor + right.minor };
}

export function minus(left: Money, right: Money): Money {
  return plus(left, { ...right, minor: -right.minor });
}

/** Whether it is no more than `limit`. */
export function isWithin(amount: Money, limit: Money): boolean {
  return amount.currency === limit.currency && amount.minor <= limit.minor;
}

export function isSame(left: Money, right: Money): boolean {
  return left.minor === right.minor && left.currency === right.currency;
}
