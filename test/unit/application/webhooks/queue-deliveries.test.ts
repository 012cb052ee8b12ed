import { FeedReader } from '../../../../src/application/events/feed-reader';
import type { EventFeed } from '../../../../src/application/ports/access/audit-and-events';
import { QueueDeliveries } from '../../../../src/application/webhooks/queue-deliveries';
import { SERVICE } from '../../../../src/domain/access/actor';
import { RandomIds } from '../../../../src/infrastructure/system/random/random-ids';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';
import { aWebhook } from '../../../support/webhooks/a-webhook';

const CHANGES = { 'was paused': { status: 'paused' }, 'has other types': { types: ['zone.*'] } } as const;

describe('queueing the deliveries of a webhook', () => {
  it.each(Object.entries(CHANGES))('leaves events in the feed if it %s since they were read', async (_what, change) => {
    const { storage, clock } = new UseCaseContext();
    const { accountId } = OURS;
    const webhook = aWebhook({ accountId, createdAt: clock.now() });
    const cursor = { kind: 'webhook', readerId: webhook.id, accountId, position: 0 } as const;
    await storage.run(async ({ feedCursors, webhooks }) => {
      await webhooks.add(webhook);
      await feedCursors.add(cursor);
    });
    const onRead = () =>
      storage.run(({ webhooks }) =>
        webhooks.save({ ...webhook, ...change, updatedAt: new Date(webhook.updatedAt.getTime() + 1) }),
      );
    const event = { position: 1, at: clock.now(), accountId, actor: SERVICE, type: 'domain.renewed' } as const;
    const feed: Pick<EventFeed, 'read'> = {
      read: async () => {
        await onRead();
        return { feed: 'aaaaaaaaaa', events: [{ ...event, domain: null, data: {} }], readTo: 1, more: false };
      },
    };
    const reader = new FeedReader(feed as EventFeed, storage);
    const queue = new QueueDeliveries(reader, storage.feedCursors, storage.webhooks, new RandomIds(), clock);

    await queue.execute(webhook);

    expect(await storage.feedCursors.find(cursor)).toEqual(cursor);
    expect(await storage.webhooks.countPending(webhook.id, 10)).toBe(0);
  });
});
