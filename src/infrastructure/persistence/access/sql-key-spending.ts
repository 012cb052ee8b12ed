import type { EntityManager } from 'typeorm';
import type { KeyOrder, KeySpending } from '../../../application/ports/access/accounts-and-api-keys';
import { KeySpendingTable } from './access-tables';

export class SqlKeySpending implements KeySpending {
  constructor(private readonly manager: EntityManager) {}

  async add({ orderId, keyId, at, price }: KeyOrder): Promise<void> {
    await this.manager.insert(KeySpendingTable, {
      order_id: orderId,
      key_id: keyId,
      ordered_at: at.getTime(),
      price_minor: price.minor,
      currency: price.currency,
    });
  }

  /** MySQL returns sums as strings. */
  async total(keyId: string, since: Date): Promise<number> {
    const [row] = await this.manager.query<{ total: number | string | null }[]>(
      'SELECT SUM(price_minor) AS total FROM key_spending WHERE key_id = ? AND ordered_at >= ?',
      [keyId, since.getTime()],
    );
    return Number(row?.total ?? 0);
  }

  async release(orderId: string): Promise<void> {
    await this.manager.query('DELETE FROM key_spending WHERE order_id = ?', [orderId]);
  }
}
