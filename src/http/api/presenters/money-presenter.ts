import type { Money } from '../../../domain/shared/money';

const decimals = new Map<string, number>();

/** A JSON number with as many decimals as the currency has. */
export function amount({ minor, currency }: Money): number {
  const digits = decimals.get(currency) ?? digitsOf(currency);
  return Number((minor / 10 ** digits).toFixed(digits));
}

function digitsOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  decimals.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}
