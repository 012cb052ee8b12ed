import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import type { AuditAction } from '../../domain/access/audit-entry';
import { assertActionAllowed, assertWholeAccountAllowed } from '../../domain/access/key-permissions';
import {
  MAX_WEBHOOKS,
  parseWebhookSettings,
  type GivenSettings,
  type Webhook,
} from '../../domain/access/webhooks/webhook';
import { TooManyWebhooks, WebhookNotActive, WebhookNotFound } from '../../domain/access/webhooks/webhook-errors';
import { lockAsOwner } from '../access/users/lock-as-owner';
import { webhookChanged } from '../audit/webhook-audit';
import { FeedReader } from '../events/feed-reader';
import { WebhookSender } from '../ports/access/webhooks';
import { UnitOfWork, type HookStore, type Stores, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, IdGenerator } from '../ports/system';
import { WebhookSecrets } from './webhook-secrets';

type WebhookStores = Pick<Stores, 'accounts' | 'audit' | 'feedCursors' | 'users' | 'webhooks' | HookStore>;

/** A webhook, with its new secret, which is shown once. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** For all that shows or changes webhooks: they get events of the whole account. @throws LimitedKey, RoleForbids */
export function assertMayManageWebhooks({ actor }: Pick<Requester, 'actor'>): void {
  assertActionAllowed(actor, 'settings');
  assertWholeAccountAllowed(actor);
}

/**
 * Creates, changes and removes the webhooks of an account. A new one gets the events that are committed after its creation.
 * @throws LimitedKey for a key that is not for the whole account, RoleForbids
 */
@injectable()
export class EditWebhooks {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'feedCursors' | 'users' | 'webhooks' | HookStore>,
    @inject(FeedReader) private readonly feed: FeedReader,
    @inject(WebhookSender) private readonly sender: WebhookSender,
    @inject(WebhookSecrets) private readonly secrets: WebhookSecrets,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws ValidationError, TooManyWebhooks */
  async create(
    requester: Requester,
    given: GivenSettings,
    hook?: TransactionHook<WebhookWithSecret>,
  ): Promise<WebhookWithSecret> {
    assertMayManageWebhooks(requester);
    const { accountId, actor } = requester;
    const settings = parseWebhookSettings(given, this.sender);
    const now = this.clock.now();
    const id = this.ids.next('whk');
    const secret = this.secrets.next(id);
    const webhook: Webhook = {
      ...settings,
      id,
      accountId,
      status: 'active',
      reason: null,
      secret: secret.sealed,
      formerSecret: null,
      failingSince: null,
      heldUntil: null,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    };
    const created = { webhook, secret: secret.text };
    const position = await this.feed.latest(accountId);
    return this.unitOfWork.run(async (stores) => {
      await lockAsOwner(stores, requester);
      if ((await stores.webhooks.count(accountId)) >= MAX_WEBHOOKS) throw new TooManyWebhooks(MAX_WEBHOOKS);
      await stores.webhooks.add(webhook);
      await stores.feedCursors.add({ kind: 'webhook', readerId: id, accountId, position });
      await stores.audit.append(webhookChanged({ at: now, actor, action: 'webhook.created', after: webhook }));
      await hook?.(stores, created);
      return created;
    }, accountId);
  }

  /** @throws ValidationError, WebhookNotFound */
  change(requester: Requester, id: string, given: GivenSettings, hook?: TransactionHook<Webhook>): Promise<Webhook> {
    const settings = parseWebhookSettings(given, this.sender);
    return this.edit(
      requester,
      id,
      'webhook.changed',
      (webhook, now) => ({ ...webhook, ...settings, updatedAt: now }),
      hook,
    );
  }

  /** Its events wait in the feed. @throws WebhookNotFound, WebhookNotActive */
  pause(requester: Requester, id: string, hook?: TransactionHook<Webhook>): Promise<Webhook> {
    return this.edit(
      requester,
      id,
      'webhook.changed',
      (webhook, now) => {
        if (webhook.status === 'switched_off') throw new WebhookNotActive();
        return { ...webhook, status: 'paused', updatedAt: now };
      },
      hook,
    );
  }

  /** After a pause, or after the service has switched it off. It gets the events since then. @throws WebhookNotFound */
  resume(requester: Requester, id: string, hook?: TransactionHook<Webhook>): Promise<Webhook> {
    return this.edit(
      requester,
      id,
      'webhook.changed',
      (webhook, now) => ({
        ...webhook,
        status: 'active',
        reason: null,
        failingSince: null,
        heldUntil: null,
        updatedAt: now,
      }),
      hook,
    );
  }

  /** Its deliveries are removed later. @throws WebhookNotFound */
  async remove(requester: Requester, id: string, hook?: TransactionHook<Webhook>): Promise<Webhook> {
    return this.edit(requester, id, 'webhook.removed', (webhook, now) => ({ ...webhook, finishedAt: now }), hook);
  }

  /** The former secret signs, too, for a day. @throws WebhookNotFound */
  async rotateSecret(
    requester: Requester,
    id: string,
    hook?: TransactionHook<WebhookWithSecret>,
  ): Promise<WebhookWithSecret> {
    const secret = this.secrets.next(id);
    const webhook = await this.edit(
      requester,
      id,
      'webhook.changed',
      (present, now) => this.secrets.rotated(present, secret, now),
      hook && ((stores, rotated) => hook(stores, { webhook: rotated, secret: secret.text })),
    );
    return { webhook, secret: secret.text };
  }

  /** Appends an event to the feed that only this webhook gets. @throws WebhookNotFound, WebhookNotActive */
  async test(requester: Requester, id: string, hook?: TransactionHook<Webhook>): Promise<Webhook> {
    return this.edit(
      requester,
      id,
      'webhook.tested',
      (webhook) => {
        if (webhook.status !== 'active') throw new WebhookNotActive();
        return webhook;
      },
      hook,
    );
  }

  private async edit(
    requester: Requester,
    id: string,
    action: Extract<AuditAction, `webhook.${string}`>,
    change: (webhook: Webhook, now: Date) => Webhook,
    hook?: TransactionHook<Webhook>,
  ): Promise<Webhook> {
    assertMayManageWebhooks(requester);
    const { accountId, actor } = requester;
    return this.unitOfWork.run(async (stores: WebhookStores) => {
      await lockAsOwner(stores, requester);
      const cursor = { kind: 'webhook', readerId: id } as const;
      // Before the webhook, as FeedReader does: in another order, they could wait for each other.
      await stores.feedCursors.lock(cursor);
      const before = await stores.webhooks.lock(id);
      if (before?.accountId !== accountId) throw new WebhookNotFound();
      const now = this.clock.now();
      const after = change(before, now);
      await stores.webhooks.save(after);
      if (after.finishedAt) await stores.feedCursors.remove(cursor);
      const changed = after.finishedAt ? { before } : { before, after };
      await stores.audit.append(webhookChanged({ at: now, actor, action, ...changed }));
      await hook?.(stores, after);
      return after;
    }, accountId);
  }
}
