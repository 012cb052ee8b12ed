import type { EntityManager } from 'typeorm';
import type { DeliveryRepository } from '../../../application/ports/access/webhooks';
import { settleAll } from '../../../application/shared/settle-all';
import type { Delivery } from '../../../domain/access/webhooks/delivery';
import { columnsOf, insertRows, placeholders, rowOf, stateOf } from '../database/table';
import { DeliveryTable, type DeliveryRow } from './webhook-tables';

const COLUMNS = columnsOf(DeliveryTable);
const CHANGED = ['status', 'attempts', 'due_at', 'attempted_at', 'result', 'finished_at'] as const;
const UPDATE = `UPDATE webhook_deliveries SET ${CHANGED.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;

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

  async lock(webhookId: string, ids: readonly string[]): Promise<readonly Delivery[]> {
    const rows = await this.manager.query<DeliveryRow[]>(
      `SELECT ${COLUMNS} FROM webhook_deliveries WHERE id IN (${placeholders(ids)}) AND webhook_id = ?${this.forUpdate}`,
      [...ids, webhookId],
    );
    return rows.map((row) => stateOf(DeliveryTable, row));
  }

  /** On SQLite all travel to the writer together. */
  async save(deliveries: readonly Delivery[]): Promise<void> {
    await settleAll(
      deliveries.map((delivery) => {
        const row = rowOf(DeliveryTable, delivery);
        return this.manager.query(UPDATE, [...CHANGED.map((column) => row[column]), row.id]);
      }),
    );
  }
}
