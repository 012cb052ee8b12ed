import { quantityText } from '../shared/text/quantity-text';
import { moneyText, isWithin, type Money } from '../shared/money';
import { ValidationError } from '../shared/validation-error';

/** What can be ordered at a price. */
export type OrderKind = 'register' | 'renew' | 'restore' | 'transfer';

/** What an order costs for its whole term. A restore has no term. */
export interface QuotedPrice {
  readonly price: Money;
  readonly years?: number;
}

/** An order that is about to be stored. */
export interface PricedOrder extends QuotedPrice {
  readonly kind: OrderKind;
  readonly name: string;
}

/** Prices for a name that hold until they expire: an order with the quote costs at most that. */
export interface BindingQuote {
  readonly name: string;
  readonly prices: Readonly<Partial<Record<OrderKind, QuotedPrice>>>;
  readonly expiresAt: Date;
}

const NOUNS: Readonly<Record<OrderKind, string>> = {
  register: 'registration',
  renew: 'renewal',
  restore: 'restore',
  transfer: 'transfer',
};

/** The price of the order in the quote. @throws ValidationError about `quote_id` */
export function quotedPrice(
  { name, prices, expiresAt }: BindingQuote,
  order: Omit<PricedOrder, 'price'>,
  now: Date,
): Money {
  if (expiresAt <= now) throw refuse(`expired at ${expiresAt.toISOString()}. Ask for a new quote`);
  if (name !== order.name) throw refuse(`is for ${name}, not for ${order.name}`);
  const quoted = prices[order.kind];
  if (!quoted) throw refuse(`has no price for a ${NOUNS[order.kind]}`);
  if (quoted.years !== order.years)
    throw refuse(`is for a term of ${quantityText(quoted.years ?? 0, 'year')}, not of ${order.years ?? 0}`);
  return quoted.price;
}

function refuse(why: string): ValidationError {
  return ValidationError.of('quote_id', why);
}

/** Why an order at the price is not what was agreed to; undefined if it costs at most that. */
export function priceRise(agreed: Money, price: Money): string | undefined {
  return isWithin(price, agreed)
    ? undefined
    : `The price has changed: it is ${moneyText(price)} now, and at most ${moneyText(agreed)} was agreed to`;
}
