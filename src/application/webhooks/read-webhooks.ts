import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import type { Delivery, DeliveryStatus } from '../../domain/access/webhooks/delivery';
import type { Webhook } from '../../domain/access/webhooks/webhook';
import { WebhookNotFound } from '../../domain/access/webhooks/webhook-errors';
import { WebhookReader } from '../ports/access/webhooks';
import type { ListPosition, Page } from '../ports/storage/page';
import { assertMayManageWebhooks } from './edit-webhooks';

interface DeliveriesQuery extends Reader {
  readonly webhookId: string;
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
  readonly after?: ListPosition | undefined;
}

/** The webhooks of an account and their deliveries. @throws LimitedKey, RoleForbids */
@injectable()
export class ReadWebhooks {
  constructor(@inject(WebhookReader) private readonly webhooks: WebhookReader) {}

  /** Oldest first. */
  async list(reader: Reader): Promise<readonly Webhook[]> {
    assertMayManageWebhooks(reader);
    return this.webhooks.ofAccount(reader.accountId);
  }

  /** @throws WebhookNotFound */
  async find(reader: Reader, id: string): Promise<Webhook> {
    assertMayManageWebhooks(reader);
    const webhook = await this.webhooks.find(reader.accountId, id);
    if (!webhook) throw new WebhookNotFound();
    return webhook;
  }

  /** Newest first. @throws WebhookNotFound */
  async deliveries(query: DeliveriesQuery): Promise<Page<Delivery, ListPosition>> {
    const { webhookId, status, limit, after } = query;
    await this.find(query, webhookId);
    const found = await this.webhooks.deliveries(webhookId, status, limit + 1, after);
    return { items: found.slice(0, limit), next: found.length > limit ? found[limit - 1] : undefined };
  }
}
