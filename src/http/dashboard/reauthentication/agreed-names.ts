import type { Money } from '../../../domain/shared/money';

/** A name of an order with its term and the price that the review showed. */
interface AgreedName {
  readonly name: string;
  readonly years: number;
  readonly price: Money;
}

/** `example.com 1 1044 USD`: name, years, price in minor units and currency. */
export function formatAgreed({ name, years, price }: AgreedName): string {
  return [name, years, price.minor, price.currency].join(' ');
}

/** Returns nothing for other text. */
export function parseAgreed(text: string): readonly AgreedName[] {
  const match = /^([a-z0-9.-]{3,253}) (\d{1,2}) (\d{1,12}) ([A-Z]{3})$/.exec(text);
  const [, name = '', years, minor, currency = ''] = match ?? [];
  return match ? [{ name, years: Number(years), price: { minor: Number(minor), currency } }] : [];
}
