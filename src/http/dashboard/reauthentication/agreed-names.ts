import type { Money } from '../../../domain/shared/money';

/** A name of an order with its term and the price that the review showed. */
export interface AgreedName {
  readonly name: string;
  readonly years: number;
  readonly price: Money;
  /** By which it is ordered; undefined in forms of a version before, during an upgrade. */
  readonly quoteId?: string | undefined;
}

/** `example.com 1 1044 USD quote_…`: name, years, price in minor units, currency and quote. */
export function formatAgreed({ name, years, price, quoteId }: AgreedName): string {
  return [name, years, price.minor, price.currency, ...(quoteId === undefined ? [] : [quoteId])].join(' ');
}

/** Returns nothing for other text. */
export function parseAgreed(text: string): readonly AgreedName[] {
  const match = /^([a-z0-9.-]{3,253}) (\d{1,2}) (\d{1,12}) ([A-Z]{3})(?: (quote_\S{1,1000}))?$/.exec(text);
  const [, name = '', years, minor, currency = '', quoteId] = match ?? [];
  return match ? [{ name, years: Number(years), price: { minor: Number(minor), currency }, quoteId }] : [];
}
