import type { EntityManager } from 'typeorm';
import type { WebhookReader, WebhookRepository } from '../../../application/ports/access/webhooks';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { Delivery, DeliveryStatus } from '../../../domain/access/webhooks/delivery';
import type { Webhook } from '../../../domain/access/webhooks/webhook';
import type { Queries } from '../database/database';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { HAS_NEWS } from '../events/sql-feed-cursors';
import { DeliveryTable, WebhookTable, type DeliveryRow, type WebhookRow } from './webhook-tables';

const COLUMNS = columnsOf(WebhookTable);
const DELIVERY_COLUMNS = columnsOf(DeliveryTable);
const IS_DUE =
  'EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL AND d.due_at <= ?)';

export class SqlWebhookReader implements WebhookReader {
  constructor(private readonly database: Queries) {}

  async ofAccount(accountId: string): Promise<readonly Webhook[]> {
    const rows = await this.database.query<WebhookRow>(
      `SELECT ${COLUMNS} FROM webhooks WHERE account_id = ? AND finished_at IS NULL ORDER BY created_at, id`,
      [accountId],
    );
    return rows.map((row) => stateOf(WebhookTable, row));
  }

  async find(accountId: string, id: string): Promise<Webhook | undefined> {
    const [row] = await this.database.query<WebhookRow>(
      `SELECT ${COLUMNS} FROM webhooks WHERE id = ? AND account_id = ? AND finished_at IS NULL`,
      [id, accountId],
    );
    return row && stateOf(WebhookTable, row);
  }

  async withWork(now: Date, limit: number, after = ''): Promise<readonly Pick<Webhook, 'id' | 'accountId'>[]> {
    const time = now.getTime();
    const rows = await this.database.query<{ id: string; account_id: string }>(
      `SELECT w.id, w.account_id FROM webhooks w JOIN feed_cursors c ON c.kind = 'webhook' AND c.reader_id = w.id
      WHERE w.status = 'active' AND w.id > ? AND (w.held_until IS NULL OR w.held_until <= ?) AND (${IS_DUE} OR ${HAS_NEWS})
      ORDER BY w.id LIMIT ?`,
      [after, time, time, limit],
    );
    return rows.map(({ id, account_id: accountId }) => ({ id, accountId }));
  }

  async deliveries(
    webhookId: string,
    status: DeliveryStatus | undefined,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly Delivery[]> {
    const time = after?.createdAt.getTime() ?? 0;
    const conditions = [
      ...(status ? [{ sql: 'status = ?', parameters: [status] }] : []),
      ...(after ? [{ sql: 'created_at <= ? AND (created_at < ? OR id < ?)', parameters: [time, time, after.id] }] : []),
    ];
    const rows = await this.database.query<DeliveryRow>(
      `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE webhook_id = ?${conditions.map(({ sql }) => ` AND ${sql}`).join('')} ORDER BY created_at DESC, id DESC LIMIT ?`,
      [webhookId, ...conditions.flatMap(({ parameters }) => parameters), limit],
    );
    return rows.map((row) => stateOf(DeliveryTable, row));
  }

  async countPending(webhookId: string, most: number): Promise<number> {
    const [row] = await this.database.query<{ amount: number | string }>(
      'SELECT COUNT(*) AS amount FROM (SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND due_at IS NOT NULL LIMIT ?) AS pending',
      [webhookId, most],
    );
    return Number(row?.amount ?? 0);
  }
}

export class SqlWebhookRepository implements WebhookRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async lock(id: string): Promise<Webhook | undefined> {
    const [row] = await this.manager.query<WebhookRow[]>(
      `SELECT ${COLUMNS} FROM webhooks WHERE id = ? AND finished_at IS NULL${this.forUpdate}`,
      [id],
    );
    return row && stateOf(WebhookTable, row);
  }

  async count(accountId: string): Promise<number> {
    const [row] = await this.manager.query<{ amount: number | string }[]>(
      'SELECT COUNT(*) AS amount FROM webhooks WHERE account_id = ? AND finished_at IS NULL',
      [accountId],
    );
    return Number(row?.amount ?? 0);
  }

  async add(webhook: Webhook): Promise<void> {
    await this.manager.insert(WebhookTable, rowOf(WebhookTable, webhook));
  }

  async save(webhook: Webhook): Promise<void> {
    const { id, ...row } = rowOf(WebhookTable, webhook);
    await this.manager.update(WebhookTable, { id }, row);
  }
}
