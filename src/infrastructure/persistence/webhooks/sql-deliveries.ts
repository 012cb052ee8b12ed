import type { EntityManager } from 'typeorm';
import type { DeliveryRepository } from '../../../application/ports/access/webhooks';
import type { Delivery } from '../../../domain/access/webhooks/delivery';
import { columnsOf, insertRows, placeholders, rowOf, stateOf } from '../database/table';
import { DeliveryTable, type DeliveryRow } from './webhook-tables';

const COLUMNS = columnsOf(DeliveryTable);

export class SqlDeliveryRepository implements DeliveryRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
  ) {}

  async add(deliveries: readonly Delivery[]): Promise<void> {
    await insertRows(
      this.manager,
      DeliveryTable,
      deliveries.map((delivery) => rowOf(DeliveryTable, delivery)),
    );
  }

  async claim(webhookId: string, now: Date, until: Date, limit: number): Promise<readonly Delivery[]> {
    const rows = await this.manager.query<DeliveryRow[]>(
      `SELECT ${COLUMNS} FROM webhook_deliveries WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at LIMIT ?${this.forUpdate}${this.skipLocked}`,
      [webhookId, now.getTime(), limit],
    );
    if (rows.length === 0) return [];
    await this.manager.query(
      `UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = ? WHERE id IN (${placeholders(rows)})`,
      [until.getTime(), ...rows.map(({ id }) => id)],
    );
    return rows.map((row) => ({ ...stateOf(DeliveryTable, row), attempts: row.attempts + 1, dueAt: until }));
  }

  async endClaims(now: Date, until: Date): Promise<void> {
    await this.manager.query(
      "UPDATE webhook_deliveries SET due_at = ? WHERE webhook_id IN (SELECT id FROM webhooks WHERE status = 'active') AND due_at > ? AND due_at <= ?",
      [now.getTime(), now.getTime(), until.getTime()],
    );
  }

  async lock(webhookId: string, id: string): Promise<Delivery | undefined> {
    const [row] = await this.manager.query<DeliveryRow[]>(
      `SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = ? AND webhook_id = ?${this.forUpdate}`,
      [id, webhookId],
    );
    return row && stateOf(DeliveryTable, row);
  }

  async save(delivery: Delivery): Promise<void> {
    const { id, ...row } = rowOf(DeliveryTable, delivery);
    await this.manager.update(DeliveryTable, { id }, row);
  }
}
