import { token } from '../inject';
import type { Money } from '../../../domain/shared/money';

/** What the registry last quoted for renewing a domain. */
export interface KnownPrice {
  readonly domainId: string;
  /** For the shortest term that the TLD sells; null if the registry refused to quote. */
  readonly price: Money | null;
  readonly checkedAt: Date;
}

/** Renewal prices as shown to users. An order never relies on them: its price is asked for at that time. */
export interface RenewalPriceStore {
  /** Those that are known, in any order. */
  find(domainIds: readonly string[]): Promise<readonly KnownPrice[]>;
  /** Replaces the stored prices. A repetition changes nothing. */
  save(accountId: string, prices: readonly KnownPrice[]): Promise<void>;
}
export const RenewalPriceStore = token<RenewalPriceStore>('RenewalPriceStore');
