/** An exact amount. `minor` is an integer number of minor units (cents); only presenters convert it to a decimal. */
export interface Money {
  readonly minor: number;
  /** ISO 4217 code. */
  readonly currency: string;
}

const digits = new Map<string, number>();

/** The number of decimals of a currency. @throws RangeError unless it is an ISO 4217 code */
export function decimalsOf(currency: string): number {
  const known = digits.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  digits.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}

/** The amount as a client writes it, such as 12.5; its `minor` is NaN if it has more decimals than the currency. */
export function ofAmount(amount: number, currency: string): Money {
  const factor = 10 ** decimalsOf(currency);
  const minor = Math.round(amount * factor);
  return { minor: minor / factor === amount ? minor : Number.NaN, currency };
}

/** The amount as a number of the currency's unit, with as many decimals as it has: 12.5 for 1250 cents. */
export function majorUnits({ minor, currency }: Money): number {
  const digits = decimalsOf(currency);
  return Number((minor / 10 ** digits).toFixed(digits));
}

/** The amount as text: `12.50 USD`. */
export function moneyText({ minor, currency }: Money): string {
  const digits = decimalsOf(currency);
  return `${(minor / 10 ** digits).toFixed(digits)} ${currency}`;
}

export function times(price: Money, factor: number): Money {
  return { ...price, minor: price.minor * factor };
}

/** The average fee per year, rounded to the minor unit. */
export function perYear(fee: Money, years: number): Money {
  return { ...fee, minor: Math.round(fee.minor / years) };
}

export function sum(prices: readonly Money[], currency: string): Money {
  return prices.reduce((total, price) => plus(total, price), { minor: 0, currency });
}

/** Undefined if a price is unknown, the currencies differ, or there is no price. */
export function knownTotal(prices: readonly (Money | undefined)[]): Money | undefined {
  const [first] = prices;
  const known = prices.filter((price) => price !== undefined);
  if (!first || known.length < prices.length || known.some(({ currency }) => currency !== first.currency))
    return undefined;
  return sum(known, first.currency);
}

export function plus(left: Money, right: Money): Money {
  if (left.currency !== right.currency) throw new TypeError(`cannot add ${right.currency} to ${left.currency}`);
  return { ...left, minor: left.minor + right.minor };
}

export function minus(left: Money, right: Money): Money {
  return plus(left, { ...right, minor: -right.minor });
}

/** Whether `amount` is at most `limit`, in the same currency. */
export function isWithin(amount: Money, limit: Money): boolean {
  return amount.currency === limit.currency && amount.minor <= limit.minor;
}

export function isSame(left: Money, right: Money): boolean {
  return left.minor === right.minor && left.currency === right.currency;
}
