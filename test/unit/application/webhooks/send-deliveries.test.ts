import type { EventFeed, EventFilter } from '../../../../src/application/ports/access/audit-and-events';
import type { WebhookMessage, WebhookSender } from '../../../../src/application/ports/access/webhooks';
import { SendDeliveries } from '../../../../src/application/webhooks/send-deliveries';
import type { WebhookSecrets } from '../../../../src/application/webhooks/webhook-secrets';
import { SERVICE } from '../../../../src/domain/access/actor';
import { eventIdOf } from '../../../../src/domain/access/events/event-id';
import type { Webhook } from '../../../../src/domain/access/webhooks/webhook';
import { newWebhookSecret } from '../../../../src/domain/access/webhooks/webhook-signature';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';
import { aWebhook } from '../../../support/webhooks/a-webhook';

const DELIVERIES = 16;
const type = 'domain.renewed';

describe('sending the deliveries of a webhook', () => {
  let around: UseCaseContext;
  let webhook: Webhook;
  let sent: WebhookMessage[];
  let onSend: () => void;
  let wanted: EventFilter[];
  let removedTo: number;
  /** Positions from one event of the type to the next. */
  let apart: number;
  let use: SendDeliveries;
  beforeEach(async () => {
    around = new UseCaseContext();
    const { storage, clock } = around;
    const now = clock.now();
    webhook = aWebhook({ accountId: OURS.accountId, createdAt: now });
    const deliveries = Array.from({ length: DELIVERIES }, (_, index) => ({
      id: `dlv_${index}`,
      webhookId: webhook.id,
      eventId: eventIdOf({ feed: 'aaaaaaaaaa', position: index + 1 }),
      type,
      domainName: null,
      createdAt: now,
      status: 'pending' as const,
      attempts: 0,
      dueAt: now,
      attemptedAt: null,
      result: null,
      finishedAt: null,
    }));
    await storage.run(async (stores) => {
      await stores.webhooks.add(webhook);
      await stores.deliveries.add([...deliveries] as Parameters<typeof stores.deliveries.add>[0]);
    });
    sent = [];
    wanted = [];
    removedTo = 0;
    apart = 1;
    onSend = () => undefined;
    const feed: Pick<EventFeed, 'read'> = {
      read: async (accountId, filter, limit, after) => {
        wanted.push(filter);
        const start = typeof after === 'object' ? after.position : 0;
        if (start < removedTo) return { feed: 'aaaaaaaaaa', removedTo };
        const event = { type, at: now, accountId, actor: SERVICE, domain: null, data: {} } as const;
        const positions = Array.from({ length: limit }, (_, index) => start + 1 + index * apart);
        const events = positions.map((position) => ({ ...event, position }));
        return { feed: 'aaaaaaaaaa', events, readTo: positions.at(-1) ?? start, more: true };
      },
    };
    const sender: WebhookSender = {
      allowsHttp: false,
      send: async (message) => {
        sent.push(message);
        onSend();
        return { status: 204, body: '', ms: 1 };
      },
    };
    const secrets = { of: () => [newWebhookSecret()] } as unknown as WebhookSecrets;
    use = new SendDeliveries(storage, feed as EventFeed, sender, secrets, clock);
  });

  const statuses = () => [...around.storage.tables.deliveries.values()].map(({ status }) => status);
  const change = (changed: Partial<Webhook>) => {
    around.storage.tables.webhooks.set(webhook.id, { ...webhook, updatedAt: new Date(0), ...changed });
  };

  it('reads events by their type, so that the account gets no zone.published for them', async () => {
    await use.execute(webhook, new AbortController().signal);

    expect(statuses()).toEqual(Array.from({ length: DELIVERIES }, () => 'succeeded'));
    expect(new Set(wanted.map(({ types }) => types?.join()))).toEqual(new Set([type]));
  });

  const sentIds = () => sent.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  const allIds = () => [...around.storage.tables.deliveries.values()].map(({ eventId }) => eventId);

  it('reads the events of a batch at once if they follow each other', async () => {
    await use.execute(webhook, new AbortController().signal);

    expect(wanted).toHaveLength(1);
    expect(sentIds()).toEqual(allIds());
  });

  it('finds events that the first reading of a batch does not reach', async () => {
    apart = 3;

    await use.execute(webhook, new AbortController().signal);

    expect(wanted.length).toBeGreaterThan(1);
    expect(sentIds()).toEqual(allIds());
  });

  it('sends those of a batch whose events are kept if others were removed', async () => {
    removedTo = 1;

    await use.execute(webhook, new AbortController().signal);

    expect(sentIds()).toEqual(allIds().slice(1));
    expect(statuses()).toEqual(['failed', ...Array.from({ length: DELIVERIES - 1 }, () => 'succeeded')]);
  });

  it('abandons those whose events are removed, and does not take the receiver as failing', async () => {
    removedTo = DELIVERIES;

    await use.execute(webhook, new AbortController().signal);

    expect(statuses()).toEqual(Array.from({ length: DELIVERIES }, () => 'failed'));
    expect(sent).toEqual([]);
    expect(around.storage.tables.webhooks.get(webhook.id)).toEqual(webhook);
  });

  it('does not begin those that wait in the batch once the webhook has another URL', async () => {
    onSend = () => change({ url: 'https://other.example.com/' });

    await use.execute(webhook, new AbortController().signal);

    expect(sent.length).toBeLessThan(DELIVERIES);
    const waiting = [...around.storage.tables.deliveries.values()].filter(({ status }) => status === 'pending');
    expect(waiting).toHaveLength(DELIVERIES - sent.length);
    expect(
      waiting.every(({ attempts, dueAt }) => attempts === 0 && dueAt?.getTime() === around.clock.now().getTime()),
    ).toBe(true);
  });

  it.each([{ status: 'paused' as const }, { finishedAt: new Date(1) }])(
    'does not begin those that wait in the batch once the webhook is paused or removed: %j',
    async (changed) => {
      onSend = () => change(changed);

      await use.execute(webhook, new AbortController().signal);

      expect(sent.length).toBeLessThan(DELIVERIES);
    },
  );
});
