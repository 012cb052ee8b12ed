import { token } from '../inject';
import type { AttemptResult, Delivery, DeliveryStatus } from '../../../domain/access/webhooks/delivery';
import type { Webhook } from '../../../domain/access/webhooks/webhook';
import type { ListPosition } from '../storage/page';

/** Reads committed state. Removed webhooks are not found. */
export interface WebhookReader {
  /** Oldest first. */
  ofAccount(accountId: string): Promise<readonly Webhook[]>;
  find(accountId: string, id: string): Promise<Webhook | undefined>;
  /**
   * Active ones that are not held and have a delivery that is due, or events to read; in the order of their ids, after `after`.
   */
  withWork(now: Date, limit: number, after?: string): Promise<readonly Pick<Webhook, 'id' | 'accountId'>[]>;
  /** Newest first. */
  deliveries(
    webhookId: string,
    status: DeliveryStatus | undefined,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly Delivery[]>;
  /** How many deliveries are pending, at most `most`. */
  countPending(webhookId: string, most: number): Promise<number>;
}
export const WebhookReader = token<WebhookReader>('WebhookReader');

/** Within a unit of work. Removed webhooks are not found. */
export interface WebhookRepository {
  lock(id: string): Promise<Webhook | undefined>;
  /** The account must be locked for the number to stay true. */
  count(accountId: string): Promise<number>;
  add(webhook: Webhook): Promise<void>;
  save(webhook: Webhook): Promise<void>;
}

/** Within a unit of work. */
export interface DeliveryRepository {
  add(deliveries: readonly Delivery[]): Promise<void>;
  /**
   * Begins an attempt of at most `limit` deliveries that are due, longest due first, and that no other process has claimed: counts it,
   * and makes them due at `until`, in case this process is killed.
   */
  claim(webhookId: string, now: Date, until: Date, limit: number): Promise<readonly Delivery[]>;
  /** Makes pending deliveries that are due between `now` and `until` due now: their process was killed, or they are retried a little earlier. */
  endClaims(now: Date, until: Date): Promise<void>;
  /** Those of the webhook with these ids, in any order. */
  lock(webhookId: string, ids: readonly string[]): Promise<readonly Delivery[]>;
  save(deliveries: readonly Delivery[]): Promise<void>;
}

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/**
 * Sends messages to receivers that accounts name, which may be anywhere: it connects to public addresses only, and to networks that the
 * operator permits. The address that was checked is the one that is connected to.
 */
export interface WebhookSender {
  /** Whether receivers without TLS are permitted, within the operator's networks. */
  readonly allowsHttp: boolean;
  /** Posts the message once, within 10 seconds, without following redirects. Undefined if `stopping` was aborted: what came of it is unknown. */
  send(message: WebhookMessage, stopping: AbortSignal): Promise<AttemptResult | undefined>;
}
export const WebhookSender = token<WebhookSender>('WebhookSender');
