import { setMaxListeners } from 'node:events';
import { inject, injectable } from '../ports/inject';
import { MAX_WEBHOOKS, type Webhook } from '../../domain/access/webhooks/webhook';
import { EventFeed } from '../ports/access/audit-and-events';
import { WebhookReader } from '../ports/access/webhooks';
import { Clock, Log } from '../ports/system';
import { AccountLane } from '../shared/account-lane';
import { Outage } from '../shared/outage';
import { QueueDeliveries } from './queue-deliveries';
import { SendDeliveries } from './send-deliveries';

const POLL_EVERY_MS = 500;
const BATCH = 500;
/** Webhooks that are served at a time, and all of an account: a receiver that hangs takes one place, and none from others of its account. */
const WIDTH = 500;

/**
 * Sends events to webhooks. Commits of this process wake it; for other processes, the database is polled. Each webhook is served on its
 * own, so none waits for another one's receiver. Processes share the work: a delivery is claimed before it is sent.
 */
@injectable()
export class WebhookRunner {
  private readonly lane = new AccountLane(WIDTH, (id, accountId) => this.serve(id, accountId), MAX_WEBHOOKS);
  /** Whose webhooks have had work: their commits are followed at once. */
  private readonly accounts = new Set<string>();
  private readonly outage: Outage;
  private timer: NodeJS.Timeout | undefined;
  private stopping = new AbortController();
  private polling: Promise<void> | undefined;
  private isPollDue = false;
  /** The last one of a full batch: the next poll continues after it. */
  private polledTo: string | undefined;

  constructor(
    @inject(WebhookReader) private readonly webhooks: WebhookReader,
    @inject(QueueDeliveries) private readonly queue: QueueDeliveries,
    @inject(SendDeliveries) private readonly send: SendDeliveries,
    @inject(EventFeed) feed: EventFeed,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) log: Log,
  ) {
    this.outage = new Outage(log, 'sending events to webhooks');
    feed.onCommit((accountId) => {
      if (this.timer && this.accounts.has(accountId)) this.poll();
    });
  }

  start(): void {
    this.stopping = new AbortController();
    setMaxListeners(0, this.stopping.signal);
    this.timer = setInterval(() => this.poll(), POLL_EVERY_MS).unref();
  }

  /** Breaks off running requests: their deliveries are sent again, by this process or another one. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopping.abort();
    this.lane.clear();
    await this.polling;
    await Promise.all(this.lane.running);
  }

  private poll(): void {
    this.isPollDue = true;
    this.polling ??= this.pollWhileDue().finally(() => (this.polling = undefined));
  }

  private async pollWhileDue(): Promise<void> {
    while (this.isPollDue && this.timer) {
      this.isPollDue = false;
      await this.pollOnce();
    }
  }

  private async pollOnce(): Promise<void> {
    try {
      const found = await this.webhooks.withWork(this.clock.now(), BATCH, this.polledTo);
      this.polledTo = found.length < BATCH ? undefined : found.at(-1)?.id;
      for (const { id, accountId } of found) {
        this.accounts.add(accountId);
        if (this.timer) this.lane.add({ id, accountId });
      }
      this.outage.recordSuccess();
    } catch (error) {
      this.outage.recordFailure(error);
    }
  }

  /** Never fails. Returns whether the webhook has more work. */
  private async serve(id: string, accountId: string): Promise<boolean> {
    try {
      const webhook = await this.webhooks.find(accountId, id);
      if (!webhook || webhook.status !== 'active' || this.isHeld(webhook)) return false;
      const hasMoreEvents = await this.queue.execute(webhook);
      const hasMoreDue = await this.send.execute(webhook, this.stopping.signal);
      return (hasMoreEvents || hasMoreDue) && !this.stopping.signal.aborted;
    } catch (error) {
      this.outage.recordFailure(error);
      return false;
    }
  }

  private isHeld({ heldUntil }: Webhook): boolean {
    return heldUntil !== null && heldUntil > this.clock.now();
  }
}
