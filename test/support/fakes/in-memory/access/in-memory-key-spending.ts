import type { KeyOrder, KeySpending } from '../../../../../src/application/ports/access/accounts-and-api-keys';
import type { Tables } from '../tables';

export class InMemoryKeySpending implements KeySpending {
  constructor(private readonly tables: Tables) {}

  async add(order: KeyOrder): Promise<void> {
    this.tables.keySpending.set(order.orderId, order);
  }

  async total(keyId: string, since: Date): Promise<number> {
    return [...this.tables.keySpending.values()]
      .filter((order) => order.keyId === keyId && order.at >= since)
      .reduce((sum, { price }) => sum + price.minor, 0);
  }

  async release(orderId: string): Promise<void> {
    this.tables.keySpending.delete(orderId);
  }
}
