import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { resent, type Delivery } from '../../domain/access/webhooks/delivery';
import { DeliveryNotFound, WebhookNotActive, WebhookNotFound } from '../../domain/access/webhooks/webhook-errors';
import { lockAsOwner } from '../access/users/lock-as-owner';
import { webhookChanged } from '../audit/webhook-audit';
import { UnitOfWork, type HookStore, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system';
import { assertMayManageWebhooks } from './edit-webhooks';

interface ResendDeliveryCommand extends Requester {
  readonly webhookId: string;
  readonly deliveryId: string;
}

/** Sends a delivery again, with the same id. @throws WebhookNotFound, DeliveryNotFound, WebhookNotActive, LimitedKey, RoleForbids */
@injectable()
export class ResendDelivery {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'deliveries' | 'users' | 'webhooks' | HookStore>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(command: ResendDeliveryCommand, hook?: TransactionHook<Delivery>): Promise<Delivery> {
    assertMayManageWebhooks(command);
    const { accountId, actor, webhookId, deliveryId } = command;
    return this.unitOfWork.run(async (stores) => {
      await lockAsOwner(stores, command);
      const webhook = await stores.webhooks.lock(webhookId);
      if (webhook?.accountId !== accountId) throw new WebhookNotFound();
      const [before] = await stores.deliveries.lock(webhookId, [deliveryId]);
      if (!before) throw new DeliveryNotFound();
      if (webhook.status !== 'active') throw new WebhookNotActive();
      const now = this.clock.now();
      const delivery = resent(before, now);
      await stores.deliveries.save([delivery]);
      const change = { at: now, actor, action: 'webhook.resent', before: webhook, after: webhook } as const;
      await stores.audit.append(webhookChanged(change));
      await hook?.(stores, delivery);
      return delivery;
    }, accountId);
  }
}
