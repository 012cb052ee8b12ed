import type { Delivery } from '../../../src/domain/access/webhooks/delivery';
import type { Webhook } from '../../../src/domain/access/webhooks/webhook';
import { after, anAccount, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const WEBHOOK: Omit<Webhook, 'id' | 'accountId'> = {
  url: 'https://hooks.example.com/in?from=names',
  description: 'Ünïcode 🦆',
  types: ['domain.*', 'zone.created'],
  domains: null,
  tags: ['shop'],
  status: 'active',
  reason: null,
  secret: 'sealed',
  formerSecret: null,
  failingSince: null,
  heldUntil: null,
  createdAt: T0,
  updatedAt: T0,
  finishedAt: null,
};
const DELIVERY: Omit<Delivery, 'id' | 'webhookId' | 'eventId'> = {
  type: 'domain.renewed',
  domainName: 'example.com',
  createdAt: T0,
  status: 'pending',
  attempts: 0,
  dueAt: T0,
  attemptedAt: null,
  result: null,
  finishedAt: null,
};

/** What every store of webhooks must do. */
export function webhooksContract(storage: () => StorageUnderTest): void {
  const aWebhook = async (overrides: Partial<Webhook> = {}): Promise<Webhook> => {
    const accountId = overrides.accountId ?? (await anAccount(storage()));
    const webhook = { ...WEBHOOK, id: fresh('whk_'), accountId, ...overrides };
    await storage().unitOfWork.run(async ({ webhooks, feedCursors }) => {
      await webhooks.add(webhook);
      await feedCursors.add({ kind: 'webhook', readerId: webhook.id, accountId, position: 0 });
    });
    return webhook;
  };
  const addDeliveries = async ({ id }: Webhook, ...all: readonly Partial<Delivery>[]): Promise<readonly Delivery[]> => {
    const added = all.map((each) => ({
      ...DELIVERY,
      id: fresh('dlv_'),
      webhookId: id,
      eventId: fresh('evt_'),
      ...each,
    }));
    await storage().unitOfWork.run(({ deliveries }) => deliveries.add(added));
    return added;
  };
  const claim = ({ id }: Webhook, now: Date, limit = 10) =>
    storage().unitOfWork.run(({ deliveries }) => deliveries.claim(id, now, after(60_000), limit));
  const hasWork = async ({ id }: Webhook, now = T0) =>
    (await storage().webhooks.withWork(now, 100)).some((each) => each.id === id);

  describe('webhooks', () => {
    it('are found as they were saved, in their account only, and no longer after their removal', async () => {
      const webhook = await aWebhook();
      const changed: Webhook = {
        ...webhook,
        types: null,
        domains: ['example.com'],
        status: 'switched_off',
        reason: 'failing',
        formerSecret: { sealed: 'former', until: after(5) },
        failingSince: T0,
        heldUntil: after(7),
      };
      expect(await storage().webhooks.ofAccount(webhook.accountId)).toEqual([webhook]);

      await storage().unitOfWork.run(({ webhooks }) => webhooks.save(changed));

      expect(await storage().webhooks.find(webhook.accountId, webhook.id)).toEqual(changed);
      expect(await storage().webhooks.find(await anAccount(storage()), webhook.id)).toBeUndefined();
      const [locked, count] = await storage().unitOfWork.run(async ({ webhooks }) => [
        await webhooks.lock(webhook.id),
        await webhooks.count(webhook.accountId),
      ]);
      expect([locked, count]).toEqual([changed, 1]);

      await storage().unitOfWork.run(({ webhooks }) => webhooks.save({ ...changed, finishedAt: T0 }));

      expect(await storage().webhooks.ofAccount(webhook.accountId)).toEqual([]);
      expect(await storage().webhooks.find(webhook.accountId, webhook.id)).toBeUndefined();
      expect(await storage().unitOfWork.run(({ webhooks }) => webhooks.lock(webhook.id))).toBeUndefined();
      expect(await storage().unitOfWork.run(({ webhooks }) => webhooks.count(webhook.accountId))).toBe(0);
    });

    it('have work if they are active and not held, and a delivery is due or their feed has news', async () => {
      const [idle, due, held, paused, behind] = [
        await aWebhook(),
        await aWebhook(),
        await aWebhook({ heldUntil: after(1) }),
        await aWebhook({ status: 'paused' }),
        await aWebhook(),
      ];
      for (const webhook of [due, held, paused]) await addDeliveries(webhook, {});
      await addDeliveries(idle, { dueAt: after(1) }, { dueAt: null, status: 'failed', finishedAt: T0 });
      await storage().unitOfWork.run(({ events }) =>
        events.append({
          accountId: behind.accountId,
          at: T0,
          actor: { kind: 'service' },
          type: 'domain.renewed',
          domain: null,
          data: {},
        }),
      );

      const work = await Promise.all([idle, due, held, paused, behind].map((webhook) => hasWork(webhook)));

      expect(work).toEqual([false, true, false, false, true]);
      expect(await Promise.all([idle, held].map((webhook) => hasWork(webhook, after(1))))).toEqual([true, true]);
      expect(await storage().webhooks.withWork(T0, 100, behind.id)).toEqual([]);
    });

    it('have deliveries, each of which one process claims at a time, the longest due first', async () => {
      const webhook = await aWebhook();
      const [second, first, later] = await addDeliveries(
        webhook,
        { dueAt: after(2) },
        { dueAt: after(1) },
        { dueAt: after(99) },
      );

      expect(await claim(webhook, after(2), 1)).toEqual([{ ...first, attempts: 1, dueAt: after(60_000) }]);
      expect(await claim(webhook, after(2))).toEqual([{ ...second, attempts: 1, dueAt: after(60_000) }]);
      expect(await claim(webhook, after(2))).toEqual([]);
      const again = await claim(webhook, after(60_000));
      expect(new Map(again.map(({ id, attempts }) => [id, attempts]))).toEqual(
        new Map([
          [first?.id, 2],
          [second?.id, 2],
          [later?.id, 1],
        ]),
      );
    });

    it('have deliveries whose claims are ended together', async () => {
      const webhook = await aWebhook();
      const [claimed, late] = await addDeliveries(webhook, {}, { dueAt: after(60_001) });
      await claim(webhook, T0);

      await storage().unitOfWork.run(({ deliveries }) => deliveries.endClaims(after(5), after(60_000)));

      expect((await claim(webhook, after(5))).map(({ id, attempts }) => [id, attempts])).toEqual([[claimed?.id, 2]]);
      expect(
        (await storage().webhooks.deliveries(webhook.id, 'pending', 10)).find(({ id }) => id === late?.id),
      ).toEqual(late);
    });

    it('list their deliveries, newest first, by status and page, and count those that are pending', async () => {
      const webhook = await aWebhook();
      const [one, two, three] = await addDeliveries(
        webhook,
        {},
        {
          createdAt: after(1),
          status: 'succeeded',
          dueAt: null,
          finishedAt: after(2),
          attempts: 1,
          attemptedAt: after(2),
        },
        { createdAt: after(1) },
      );
      await addDeliveries(await aWebhook(), {});
      const list = async (...parameters: [('pending' | 'failed')?, number?, Delivery?]) => {
        const [status, limit = 10, last] = parameters;
        return storage().webhooks.deliveries(webhook.id, status, limit, last);
      };

      expect(await list()).toEqual([three, two, one]);
      expect(await list(undefined, 1, three)).toEqual([two]);
      expect(await list('pending')).toEqual([three, one]);
      expect(await list('failed')).toEqual([]);
      expect(await storage().webhooks.countPending(webhook.id, 10)).toBe(2);
      expect(await storage().webhooks.countPending(webhook.id, 1)).toBe(1);
    });

    it('store what came of a delivery', async () => {
      const webhook = await aWebhook();
      const [delivery] = await addDeliveries(webhook, {});
      const saved: Delivery = {
        ...delivery!,
        attempts: 3,
        attemptedAt: after(5),
        dueAt: after(9),
        result: { status: 503, body: 'not now 🦆', ms: 12, retryAfterMs: 4 },
      };

      await storage().unitOfWork.run(({ deliveries }) => deliveries.save([saved]));

      const found = await storage().unitOfWork.run(async ({ deliveries }) => [
        await deliveries.lock(webhook.id, [saved.id, 'dlv_unknown']),
        await deliveries.lock('whk_other', [saved.id]),
      ]);
      expect(found).toEqual([[saved], []]);
    });
  });
}
