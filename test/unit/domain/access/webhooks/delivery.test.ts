import {
  RETRY_AFTER_MS,
  settle,
  type AttemptResult,
  type Delivery,
} from '../../../../../src/domain/access/webhooks/delivery';
import type { Webhook } from '../../../../../src/domain/access/webhooks/webhook';
import { aWebhook } from '../../../../support/webhooks/a-webhook';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const after = (ms: number) => new Date(NOW.getTime() + ms);

const WEBHOOK = aWebhook({ createdAt: NOW });
const DELIVERY: Delivery = {
  id: 'dlv_1',
  webhookId: 'whk_1',
  eventId: 'evt_1',
  type: 'domain.renewed',
  domainName: null,
  createdAt: NOW,
  status: 'pending',
  attempts: 1,
  dueAt: after(60_000),
  attemptedAt: null,
  result: null,
  finishedAt: null,
};
const answer = (status: number, rest = {}): AttemptResult => ({ status, body: '', ms: 1, ...rest });
const REFUSED: AttemptResult = { error: 'the connection was refused', ms: 1 };

const held = (retryAfterMs: number) =>
  settle(DELIVERY, WEBHOOK, answer(503, { retryAfterMs }), NOW, 0).webhook.heldUntil;

/** After an attempt that failed, of a webhook that has failed for so long. */
const since = (ms: number, status: Webhook['status'] = 'active') =>
  settle({ ...DELIVERY, attempts: 5 }, { ...WEBHOOK, status, failingSince: after(-ms) }, REFUSED, NOW, 0);

describe('a delivery', () => {
  it.each([200, 204, 299])('has succeeded after the status %s, and its webhook fails no longer', (status) => {
    const failing = { ...WEBHOOK, failingSince: NOW, heldUntil: NOW };

    const { delivery, webhook } = settle(DELIVERY, failing, answer(status), NOW, 0);

    expect(delivery).toMatchObject({ status: 'succeeded', dueAt: null, finishedAt: NOW, attemptedAt: NOW });
    expect(webhook).toMatchObject({ failingSince: null, heldUntil: null });
  });

  it.each([answer(302), answer(400), answer(500), REFUSED])('is retried after %j', (result) => {
    const { delivery, webhook } = settle(DELIVERY, WEBHOOK, result, NOW, 0);

    expect(delivery).toMatchObject({ status: 'pending', dueAt: after(5_000), result });
    expect(webhook).toMatchObject({ failingSince: NOW, heldUntil: null, status: 'active' });
  });

  it('is retried after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, up to a fifth later, and has then failed', () => {
    const waits = Array.from({ length: 10 }, (_each, index) => {
      const [soon, late] = [0, 1].map((random) =>
        settle({ ...DELIVERY, attempts: index + 1 }, WEBHOOK, REFUSED, NOW, random),
      );
      return [soon?.delivery, late?.delivery];
    });

    const hours = [2, 5, 10, 14, 20, 24].map((each) => each * HOUR_MS);
    expect(RETRY_AFTER_MS).toEqual([5_000, 300_000, 1_800_000, ...hours]);
    for (const [index, wait] of RETRY_AFTER_MS.entries())
      expect(waits[index]?.map((each) => each?.dueAt)).toEqual([after(wait), after(wait * 1.2)]);
    expect(waits[9]?.[0]).toMatchObject({ status: 'failed', dueAt: null, finishedAt: NOW });
  });

  it.each([429, 502, 504])('holds its webhook for a minute after %s', (status) => {
    const { delivery, webhook } = settle(DELIVERY, WEBHOOK, answer(status), NOW, 0);

    expect(webhook.heldUntil).toEqual(after(60_000));
    expect(delivery.dueAt).toEqual(after(60_000));
  });

  it('holds its webhook for as long as Retry-After says, at most a day', () => {
    expect(held(90_000)).toEqual(after(90_000));
    expect(held(90 * DAY_MS)).toEqual(after(DAY_MS));
  });

  it('has failed after 410, and switches its webhook off', () => {
    const { delivery, webhook } = settle(DELIVERY, WEBHOOK, answer(410), NOW, 0);

    expect(delivery).toMatchObject({ status: 'failed', dueAt: null, finishedAt: NOW });
    expect(webhook).toMatchObject({ status: 'switched_off', reason: 'gone' });
  });

  it('switches its webhook off, and is not lost, when all attempts of five days have failed', () => {
    expect(since(5 * DAY_MS - 1)).toMatchObject({ webhook: { status: 'active' } });
    expect(since(5 * DAY_MS)).toMatchObject({
      webhook: { status: 'switched_off', reason: 'failing' },
      delivery: { status: 'pending' },
    });
    expect(since(5 * DAY_MS, 'paused')).toMatchObject({ webhook: { status: 'paused' } });
  });
});
