import { decimalsOf, type Money } from '../../../domain/shared/money';

/** A JSON number with as many decimals as the currency has. */
export function amount({ minor, currency }: Money): number {
  const digits = decimalsOf(currency);
  return Number((minor / 10 ** digits).toFixed(digits));
}
