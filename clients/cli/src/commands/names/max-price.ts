import type { Options } from '../../program/command.ts';
import { UsageError } from '../../program/usage-error.ts';

export const MAX_PRICE = {
  'max-price': { type: 'string', value: 'AMOUNT', description: 'refuse a higher price' },
} as const satisfies Options;

/** What an order costs, in the members of the API. */
export interface AgreedPrice {
  readonly amount: number;
  readonly currency: string;
}

/** What the order may cost: it was shown, or is within `--max-price`, and may rise until the order. @throws UsageError */
export function agreedTo(
  name: string,
  price: AgreedPrice | undefined,
  most: string | undefined,
): { readonly max_price?: AgreedPrice } {
  if (most === undefined) return price ? { max_price: price } : {};
  if (!/^\d+(\.\d+)?$/.test(most)) throw new UsageError(`--max-price is an amount such as 12.50, not ${most}`);
  if (!price) throw new UsageError(`${name} has no price now, so that it cannot be compared with --max-price`);
  if (price.amount > Number(most))
    throw new UsageError(`${name} costs ${price.amount} ${price.currency}, more than ${most}`);
  return { max_price: price };
}
