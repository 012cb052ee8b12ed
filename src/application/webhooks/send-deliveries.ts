import { inject, injectable } from '../ports/inject';
import type { AccountEvent, EventType } from '../../domain/access/events/account-event';
import { parseEventId } from '../../domain/access/events/event-id';
import { abandon, settle, type AttemptResult, type Delivery } from '../../domain/access/webhooks/delivery';
import type { Webhook } from '../../domain/access/webhooks/webhook';
import { signedHeaders } from '../../domain/access/webhooks/webhook-signature';
import { SERVICE } from '../../domain/access/actor';
import { webhookChanged } from '../audit/webhook-audit';
import { eventDocument } from '../events/event-document';
import { EventFeed } from '../ports/access/audit-and-events';
import { WebhookSender } from '../ports/access/webhooks';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system';
import { settleAll } from '../shared/settle-all';
import { emit } from '../shared/observation';
import { WebhookSecrets } from './webhook-secrets';

/** Requests to one receiver at a time, and while its attempts fail. */
const AT_ONCE = 4;
const AT_ONCE_FAILING = 1;
const BATCHES = 4;
/** Longer than all attempts of a batch take: those of a killed process are repeated after it. */
export const CLAIM_MS = 60_000;
/** The event was removed before it could be sent. */
const REMOVED = 'the event is no longer kept';

/** Without a result if it was not begun, or the process stopped meanwhile. */
interface Attempted {
  readonly delivery: Delivery;
  readonly result: AttemptResult | typeof REMOVED | undefined;
}

/**
 * Sends the due deliveries of a webhook, some at a time. An attempt is stored before it is sent, and its result afterwards: killed between
 * them, the process leaves a delivery that is sent again, with the same id.
 */
@injectable()
export class SendDeliveries {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'deliveries' | 'webhooks'>,
    @inject(EventFeed) private readonly feed: EventFeed,
    @inject(WebhookSender) private readonly sender: WebhookSender,
    @inject(WebhookSecrets) private readonly secrets: WebhookSecrets,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Returns whether more may be due. @throws StorageUnavailable */
  async execute(webhook: Webhook, stopping: AbortSignal): Promise<boolean> {
    const atOnce = webhook.failingSince ? AT_ONCE_FAILING : AT_ONCE;
    const limit = atOnce === 1 ? 1 : atOnce * BATCHES;
    const now = this.clock.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const claimed = await this.unitOfWork.run(
      ({ deliveries }) => deliveries.claim(webhook.id, now, until, limit),
      webhook.accountId,
    );
    if (claimed.length === 0) return false;
    const bodies = await this.bodiesOf(webhook.accountId, claimed);
    const waiting = [...claimed];
    const attempted: Attempted[] = [];
    let isUnchanged = true;
    let storing: Promise<void> | undefined;
    const store = async (): Promise<void> => {
      while (attempted.length > 0) isUnchanged = await this.store(webhook, attempted.splice(0));
    };
    const send = async (): Promise<void> => {
      for (let delivery = waiting.shift(); delivery; delivery = waiting.shift()) {
        const mayBegin = isUnchanged && !stopping.aborted;
        const result = mayBegin ? await this.send(webhook, delivery, bodies.get(delivery.id), stopping) : undefined;
        const attempt = { delivery, result };
        attempted.push(attempt);
        while (attempted.includes(attempt)) await (storing ??= store().finally(() => (storing = undefined)));
      }
    };
    await settleAll(Array.from({ length: atOnce }, send));
    return claimed.length === limit;
  }

  /**
   * What came of attempts while the ones before were being stored shares a transaction. Returns whether the webhook is still as it
   * was read: otherwise the rest of the batch is not sent to a receiver that its owner has changed or removed.
   */
  private async store(webhook: Webhook, attempted: readonly Attempted[]): Promise<boolean> {
    const isUnchanged = await this.unitOfWork.run(async (stores) => {
      const present = await stores.webhooks.lock(webhook.id);
      if (!present) return false;
      const now = this.clock.now();
      const ids = attempted.map(({ delivery }) => delivery.id);
      const pending = new Map((await stores.deliveries.lock(webhook.id, ids)).map((each) => [each.id, each]));
      let after = present;
      const settled: Delivery[] = [];
      for (const { delivery, result } of attempted) {
        const stored = pending.get(delivery.id);
        // Another process has repeated it, because this one was frozen, or it is resent.
        if (stored?.attempts !== delivery.attempts || stored.status !== 'pending') continue;
        if (!result) settled.push({ ...stored, attempts: stored.attempts - 1, dueAt: now });
        else if (result === REMOVED) settled.push(abandon(stored, REMOVED, now));
        else {
          const done = settle(stored, after, result, now, Math.random());
          after = done.webhook;
          settled.push(done.delivery);
        }
      }
      await stores.deliveries.save(settled);
      if (webhookState(after) !== webhookState(present)) await stores.webhooks.save(after);
      if (after.status === 'switched_off' && present.status !== 'switched_off')
        await stores.audit.append(
          webhookChanged({ at: now, actor: SERVICE, action: 'webhook.switched_off', before: present, after }),
        );
      return after.updatedAt.getTime() === webhook.updatedAt.getTime();
    }, webhook.accountId);
    for (const { result } of attempted)
      if (result && result !== REMOVED) emit(() => ({ kind: 'webhook sent', outcome: outcomeOf(result) }));
    return isUnchanged;
  }

  private async send(
    webhook: Webhook,
    { eventId }: Delivery,
    body: string | undefined,
    stopping: AbortSignal,
  ): Promise<Attempted['result']> {
    if (body === undefined) return REMOVED;
    const now = this.clock.now();
    const timestamp = Math.floor(now.getTime() / 1_000);
    const headers = signedHeaders({ id: eventId, timestamp, body }, this.secrets.of(webhook, now));
    return this.sender.send({ url: webhook.url, headers, body }, stopping);
  }

  /** By the ids of the deliveries, without those whose events were removed. Most events follow each other, so that one reading finds them. */
  private async bodiesOf(accountId: string, deliveries: readonly Delivery[]): Promise<ReadonlyMap<string, string>> {
    const wanted = deliveries.flatMap(({ id, eventId, type }) => {
      const place = parseEventId(eventId);
      return place ? [{ id, type, ...place }] : [];
    });
    if (wanted.length === 0) return new Map();
    const first = Math.min(...wanted.map(({ position }) => position));
    const types = [...new Set(wanted.map(({ type }) => type))];
    const near = await this.eventsFrom(accountId, types, first, wanted.length);
    const bodies = new Map<string, string>();
    for (const { id, type, feed, position } of wanted) {
      const isWanted = (event: AccountEvent): boolean => event.position === position;
      const event = near.find(isWanted) ?? (await this.eventsFrom(accountId, [type], position, 1)).find(isWanted);
      if (event) bodies.set(id, JSON.stringify(eventDocument(event, feed)));
    }
    return bodies;
  }

  /** By their types: reading all types would begin `zone.published` for the account. */
  private async eventsFrom(accountId: string, types: readonly EventType[], position: number, limit: number) {
    const page = await this.feed.read(accountId, { types }, limit, { position: position - 1 });
    return 'events' in page ? page.events : [];
  }
}

function webhookState({ status, failingSince, heldUntil }: Webhook): string {
  return JSON.stringify([status, failingSince, heldUntil]);
}

function outcomeOf(result: AttemptResult): string {
  return 'error' in result ? 'no response' : `${Math.floor(result.status / 100)}xx`;
}
