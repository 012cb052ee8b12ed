import type { PriceQuote } from '../../application/ports/registry/registry-port';
import { times, type Money } from '../../domain/shared/money';

/** Prices of a TLD: fees of one year, and fees of whole terms that are not a multiple of them. */
export interface PriceList extends PriceQuote {
  /** Fees of whole terms, by years. */
  readonly terms?: { readonly [K in 'registration' | 'renewal']?: Readonly<Record<number, Money>> };
}

/** The fee of one registration or renewal for `years`. */
export function listedFee(list: PriceList, command: 'registration' | 'renewal', years: number): Money {
  return list.terms?.[command]?.[years] ?? times(list[command], years);
}
