import type {
  DeliveryRepository,
  WebhookReader,
  WebhookRepository,
} from '../../../../../src/application/ports/access/webhooks';
import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import type { Delivery, DeliveryStatus } from '../../../../../src/domain/access/webhooks/delivery';
import type { Webhook } from '../../../../../src/domain/access/webhooks/webhook';
import { InMemoryFeedCursorReader } from './in-memory-feed-cursors';
import type { Tables } from '../tables';

const inOrder = (one: ListPosition, other: ListPosition) =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);

export class InMemoryWebhookReader implements WebhookReader {
  constructor(private readonly committed: () => Tables) {}

  async ofAccount(accountId: string): Promise<readonly Webhook[]> {
    return [...this.committed().webhooks.values()]
      .filter((webhook) => webhook.accountId === accountId && !webhook.finishedAt)
      .toSorted(inOrder);
  }

  async find(accountId: string, id: string): Promise<Webhook | undefined> {
    return (await this.ofAccount(accountId)).find((webhook) => webhook.id === id);
  }

  async withWork(now: Date, limit: number, after = ''): Promise<readonly Pick<Webhook, 'id' | 'accountId'>[]> {
    const { webhooks, deliveries } = this.committed();
    const behind = await new InMemoryFeedCursorReader(this.committed).withNews('webhook', Infinity);
    const withNews = new Set(behind.map(({ readerId }) => readerId));
    const due = [...deliveries.values()].filter(({ dueAt }) => dueAt && dueAt <= now).map((each) => each.webhookId);
    return [...webhooks.values()]
      .filter(({ id, status, finishedAt }) => status === 'active' && !finishedAt && id > after)
      .filter(({ heldUntil }) => !heldUntil || heldUntil <= now)
      .filter(({ id }) => withNews.has(id) || due.includes(id))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, accountId }) => ({ id, accountId }));
  }

  async deliveries(
    webhookId: string,
    status: DeliveryStatus | undefined,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly Delivery[]> {
    return [...this.committed().deliveries.values()]
      .filter((delivery) => delivery.webhookId === webhookId && (!status || delivery.status === status))
      .filter((delivery) => !after || inOrder(delivery, after) < 0)
      .toSorted((one, other) => inOrder(other, one))
      .slice(0, limit);
  }

  async countPending(webhookId: string, most: number): Promise<number> {
    return (await this.deliveries(webhookId, 'pending', most)).length;
  }
}

export class InMemoryWebhooks implements WebhookRepository {
  constructor(private readonly tables: Tables) {}

  async lock(id: string): Promise<Webhook | undefined> {
    const webhook = this.tables.webhooks.get(id);
    return webhook?.finishedAt ? undefined : webhook;
  }

  async count(accountId: string): Promise<number> {
    return [...this.tables.webhooks.values()].filter((each) => each.accountId === accountId && !each.finishedAt).length;
  }

  async add(webhook: Webhook): Promise<void> {
    this.tables.webhooks.set(webhook.id, webhook);
  }

  async save(webhook: Webhook): Promise<void> {
    this.tables.webhooks.set(webhook.id, webhook);
  }
}

export class InMemoryDeliveries implements DeliveryRepository {
  constructor(private readonly tables: Tables) {}

  async add(deliveries: readonly Delivery[]): Promise<void> {
    for (const delivery of deliveries) this.tables.deliveries.set(delivery.id, delivery);
  }

  async claim(webhookId: string, now: Date, until: Date, limit: number): Promise<readonly Delivery[]> {
    const due = [...this.tables.deliveries.values()]
      .filter((each) => each.webhookId === webhookId && each.dueAt && each.dueAt <= now)
      .toSorted((one, other) => (one.dueAt?.getTime() ?? 0) - (other.dueAt?.getTime() ?? 0))
      .slice(0, limit);
    const claimed = due.map((each) => ({ ...each, attempts: each.attempts + 1, dueAt: until }));
    await this.add(claimed);
    return claimed;
  }

  async endClaims(now: Date, until: Date): Promise<void> {
    for (const each of this.tables.deliveries.values())
      if (each.dueAt && each.dueAt > now && each.dueAt <= until) await this.add([{ ...each, dueAt: now }]);
  }

  async lock(webhookId: string, ids: readonly string[]): Promise<readonly Delivery[]> {
    return ids.flatMap((id) => this.tables.deliveries.get(id) ?? []).filter((each) => each.webhookId === webhookId);
  }

  async save(deliveries: readonly Delivery[]): Promise<void> {
    await this.add(deliveries);
  }
}
