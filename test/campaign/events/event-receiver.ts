import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SeededRandom } from '../../crash/random';
import { Receiver, type ReceivedRequest } from '../../support/webhooks/receiver';
import { verified } from '../../support/webhooks/standard-webhooks';
import type { EventReplicas } from './event-replicas';
import type { FeedEvent } from './expected-events';

/** Of the first requests of events. */
const FAILING = 0.4;
const HANGING = 0.01;
/** The claims of a killed process end after a minute. */
const LAST_AFTER_MS = 180_000;
const MAX_SHOWN = 5;

/** Receives the webhooks of an account, and fails or hangs at the first request of many events. */
export class EventReceiver {
  readonly failures: string[] = [];
  private readonly bodies = new Map<string, string>();
  private readonly accepted = new Set<string>();
  private secret = '';
  private refused = 0;
  private hung = 0;

  private constructor(
    private readonly receiver: Receiver,
    private readonly replicas: EventReplicas,
    private readonly random: SeededRandom,
  ) {
    receiver.answer = (response, request) => this.answer(response, request);
  }

  static async open(replicas: EventReplicas, apiKey: string, random: SeededRandom): Promise<EventReceiver> {
    const receiver = new EventReceiver(await Receiver.start(), replicas, random);
    const { status, body } = await replicas.send(apiKey, 'POST', '/api/webhooks', { url: receiver.receiver.url });
    if (status !== 201) throw new Error(`POST /api/webhooks returned ${status}: ${JSON.stringify(body)}`);
    receiver.secret = (body as { readonly secret: string }).secret;
    return receiver;
  }

  get summary(): string {
    return `${this.receiver.requests.length} webhook requests, ${this.refused} failed, ${this.hung} hung`;
  }

  /** Waits until it has accepted all events of the feed after the webhook's own, and says which it lacks or has otherwise. */
  async differences(feed: readonly FeedEvent[]): Promise<readonly string[]> {
    const events = feed.slice(feed.findIndex(({ type }) => type === 'webhook.created') + 1);
    const since = performance.now();
    const missing = () => events.filter(({ id }) => !this.accepted.has(id));
    while (missing().length > 0 && performance.now() - since < LAST_AFTER_MS) await sleep(100);
    const changed = events.filter((event) => {
      const body = this.bodies.get(event.id);
      return body !== undefined && !isDeepStrictEqual(JSON.parse(body), event);
    });
    return [
      ...this.failures.slice(0, MAX_SHOWN),
      ...missing()
        .slice(0, MAX_SHOWN)
        .map(({ id, type }) => `the webhook never delivered ${type} ${id}`),
      ...changed.slice(0, MAX_SHOWN).map(({ id, type }) => `the webhook has ${type} ${id} otherwise than the feed`),
    ];
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }

  private answer(response: ServerResponse, request: ReceivedRequest): void {
    const id = request.headers['webhook-id'] ?? '';
    const before = this.bodies.get(id);
    if (before !== undefined && before !== request.body) this.failures.push(`${id} was sent with two bodies`);
    this.bodies.set(id, request.body);
    try {
      verified(this.secret, request);
    } catch (error) {
      this.failures.push(`${id} is not signed: ${String(error)}`);
    }
    const luck = before === undefined && this.isFirstAttempt(request) ? this.random.next() : 1;
    if (luck < HANGING) this.hung += 1;
    else if (luck < FAILING) {
      this.refused += 1;
      response.writeHead(500).end();
    } else {
      this.accepted.add(id);
      response.writeHead(204).end();
    }
  }

  /** An attempt that a kill has interrupted counts. After the second failure, the service waits for five minutes. */
  private isFirstAttempt({ body }: ReceivedRequest): boolean {
    const { timestamp } = JSON.parse(body) as { readonly timestamp: string };
    return Date.parse(timestamp) > this.replicas.lastKillAt;
  }
}
