import type { EventType } from '../events/account-event';
import type { SwitchOffReason, Webhook } from './webhook';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** From one attempt to the next, before jitter. After the last, the delivery has failed. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
/** Each wait is longer by a random share of this, so that the retries of an outage do not come at once. */
const JITTER = 0.2;
/** The receiver is overloaded: all deliveries to it wait. */
const SLOW_DOWN = [429, 502, 504];
const HOLD_MS = MINUTE_MS;
const MAX_HOLD_MS = 24 * HOUR_MS;
/** A webhook whose attempts have failed for so long is switched off. */
export const SWITCH_OFF_AFTER_MS = 5 * 24 * HOUR_MS;
const GONE = 410;

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An event on its way to the receiver of a webhook. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  /** Also the id of the message, on each attempt. */
  readonly eventId: string;
  readonly type: EventType;
  readonly domainName: string | null;
  readonly createdAt: Date;
  readonly status: DeliveryStatus;
  /** Those that have begun. */
  readonly attempts: number;
  /** The next attempt. During one, when it counts as lost, because its process was killed. */
  readonly dueAt: Date | null;
  readonly attemptedAt: Date | null;
  /** Of the last attempt. */
  readonly result: AttemptResult | null;
  readonly finishedAt: Date | null;
}

/** What came of an attempt: a response, or why there was none. */
export type AttemptResult =
  | { readonly status: number; readonly body: string; readonly ms: number; readonly retryAfterMs?: number }
  | { readonly error: string; readonly ms: number };

interface Settled {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
}

/** The delivery and its webhook after an attempt. @param random from 0 to 1 */
export function settle(
  delivery: Delivery,
  webhook: Webhook,
  result: AttemptResult,
  now: Date,
  random: number,
): Settled {
  const attempted = { ...delivery, result, attemptedAt: now };
  const status = 'status' in result ? result.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) {
    const delivered = { ...attempted, status: 'succeeded', dueAt: null, finishedAt: now } as const;
    return {
      delivery: delivered,
      webhook: { ...webhook, failingSince: null, heldUntil: null },
    };
  }
  const failingSince = webhook.failingSince ?? now;
  const heldUntil = holdOf(result, now) ?? webhook.heldUntil;
  const failing = { ...webhook, failingSince, heldUntil };
  const wait = status === GONE ? undefined : RETRY_AFTER_MS[delivery.attempts - 1];
  const dueAt = wait === undefined ? null : later(after(now, wait * (1 + JITTER * random)), heldUntil);
  const next = dueAt ? { ...attempted, dueAt } : ({ ...attempted, status: 'failed', dueAt, finishedAt: now } as const);
  const reason = reasonToSwitchOff(status, failingSince, now);
  if (!reason || webhook.status !== 'active') return { delivery: next, webhook: failing };
  return { delivery: next, webhook: switchOff(failing, reason, now) };
}

/** It cannot be sent, now or later, which is not for its receiver to answer for. */
export function abandon(delivery: Delivery, error: string, now: Date): Delivery {
  const result = { error, ms: 0 };
  return { ...delivery, result, attemptedAt: now, status: 'failed', dueAt: null, finishedAt: now };
}

function switchOff(webhook: Webhook, reason: SwitchOffReason, now: Date): Webhook {
  return { ...webhook, status: 'switched_off', reason, updatedAt: now };
}

function reasonToSwitchOff(status: number | undefined, failingSince: Date, now: Date): SwitchOffReason | undefined {
  if (status === GONE) return 'gone';
  return now.getTime() - failingSince.getTime() >= SWITCH_OFF_AFTER_MS ? 'failing' : undefined;
}

/** Until when the receiver wants nothing. */
function holdOf(result: AttemptResult, now: Date): Date | undefined {
  if (!('status' in result)) return undefined;
  const { status, retryAfterMs } = result;
  if (retryAfterMs === undefined && !SLOW_DOWN.includes(status)) return undefined;
  return after(now, Math.min(retryAfterMs ?? HOLD_MS, MAX_HOLD_MS));
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + Math.round(ms));
}

function later(one: Date, other: Date | null): Date {
  return other && other > one ? other : one;
}

/** To be sent again, with the same id. */
export function resent(delivery: Delivery, now: Date): Delivery {
  return { ...delivery, status: 'pending', attempts: 0, dueAt: now, finishedAt: null };
}
