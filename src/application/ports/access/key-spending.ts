import type { Money } from '../../../domain/shared/money';

/** An order of a key with a limit on spend. */
export interface KeyOrder {
  /** The id of the operation or transfer. */
  readonly orderId: string;
  readonly keyId: string;
  readonly at: Date;
  readonly price: Money;
}

/** What keys with a limit on spend have ordered. Within a unit of work; the unit that has locked the key sees all its orders. */
export interface KeySpending {
  add(order: KeyOrder): Promise<void>;
  /** The sum of the key's orders since then, in minor units. */
  total(keyId: string, since: Date): Promise<number>;
  /** Removes an order that failed. Does nothing if there is none. */
  release(orderId: string): Promise<void>;
}
