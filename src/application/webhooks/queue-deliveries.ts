import { inject, injectable } from '../ports/inject';
import type { EventType } from '../../domain/access/events/account-event';
import { eventIdOf } from '../../domain/access/events/event-id';
import { typesMatching } from '../../domain/access/events/event-types';
import type { Delivery } from '../../domain/access/webhooks/delivery';
import type { Webhook } from '../../domain/access/webhooks/webhook';
import { FeedReader } from '../events/feed-reader';
import { type EventFilter, FeedCursorReader } from '../ports/access/audit-and-events';
import { WebhookReader } from '../ports/access/webhooks';
import { Clock, IdGenerator } from '../ports/system';

const EVENTS_AT_ONCE = 200;
/** Of one webhook. Beyond it, its events wait in the feed, so that a receiver that is down for days fills no table. */
const MAX_PENDING = 5_000;
const TEST: EventType = 'webhook.test';

/** Makes deliveries of the events that a webhook has not read yet; its cursor moves in the same transaction. */
@injectable()
export class QueueDeliveries {
  constructor(
    @inject(FeedReader) private readonly feed: FeedReader,
    @inject(FeedCursorReader) private readonly cursors: FeedCursorReader,
    @inject(WebhookReader) private readonly webhooks: WebhookReader,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Returns whether the feed has more for it. @throws StorageUnavailable */
  async execute(webhook: Webhook): Promise<boolean> {
    const cursor = await this.cursors.find({ kind: 'webhook', readerId: webhook.id });
    if (!cursor || (await this.webhooks.countPending(webhook.id, MAX_PENDING)) >= MAX_PENDING) return false;
    const now = this.clock.now();
    return this.feed.readOn(
      cursor,
      filterOf(webhook),
      EVENTS_AT_ONCE,
      async ({ deliveries, webhooks }, { feed, events }) => {
        const present = await webhooks.lock(webhook.id);
        // Paused or changed since the events were chosen: the next pass chooses again.
        if (present?.status !== 'active' || present.updatedAt.getTime() !== webhook.updatedAt.getTime()) return false;
        const wanted = events.filter(({ type, data }) => type !== TEST || data['webhook_id'] === webhook.id);
        await deliveries.add(
          wanted.map(({ position, type, domain }): Delivery => ({
            id: this.ids.next('dlv'),
            webhookId: webhook.id,
            eventId: eventIdOf({ feed, position }),
            type,
            domainName: domain?.name ?? null,
            createdAt: now,
            status: 'pending',
            attempts: 0,
            dueAt: now,
            attemptedAt: null,
            result: null,
            finishedAt: null,
          })),
        );
        return true;
      },
    );
  }
}

/** A test event is for one webhook, whatever else it wants. */
function filterOf({ types, domains, tags }: Webhook): EventFilter {
  return {
    types: types?.flatMap(typesMatching),
    domainNames: domains ?? undefined,
    tags: tags ?? undefined,
    orType: TEST,
  };
}
