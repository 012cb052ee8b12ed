import type { PriceQuote } from '../../application/ports/registry/registry-port';
import { times, type Money } from '../../domain/shared/money';

/** What a TLD costs by a list: the fees of one year, and those of terms that are no multiple of it. */
export interface PriceList extends PriceQuote {
  /** The fee of the whole term, by its years. */
  readonly terms?: { readonly [K in 'registration' | 'renewal']?: Readonly<Record<number, Money>> };
}

/** The fee for registering or renewing once for `years`. */
export function listedFee(list: PriceList, command: 'registration' | 'renewal', years: number): Money {
  return list.terms?.[command]?.[years] ?? times(list[command], years);
}
