import { setTimeout as sleep } from 'node:timers/promises';
import type { EventReplicas } from './event-replicas';
import type { FeedEvent } from './expected-events';

/** Small, so that positions are given all the time. */
const PAGE = 7;
const WAIT_SECONDS = 2;

/** A program that follows the feed of an account while it is written, on whichever replica runs. */
export class FeedFollower {
  readonly seen: FeedEvent[] = [];
  private readonly following: Promise<void>;
  private isOver = false;

  constructor(
    private readonly replicas: EventReplicas,
    private readonly apiKey: string,
  ) {
    this.following = this.follow();
  }

  /** Reads on until it has seen the event, or fails. */
  async stopAt(id: string | undefined): Promise<void> {
    while (this.seen.at(-1)?.id !== id && !this.isOver) await sleep(20);
    this.isOver = true;
    await this.following;
  }

  private async follow(): Promise<void> {
    try {
      while (!this.isOver) {
        const last = this.seen.at(-1)?.id;
        const after = last === undefined ? '' : `&after=${last}`;
        const path = `/api/events?limit=${PAGE}&wait=${WAIT_SECONDS}${after}`;
        const { status, body } = await this.replicas.send(this.apiKey, 'GET', path);
        if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${JSON.stringify(body)}`);
        this.seen.push(...(body as FeedEvent[]));
      }
    } finally {
      this.isOver = true;
    }
  }
}

/** The whole feed, from its beginning. */
export async function readFeed(replicas: EventReplicas, apiKey: string): Promise<readonly FeedEvent[]> {
  const all: FeedEvent[] = [];
  for (let path: string | undefined = '/api/events?limit=1000'; path !== undefined;) {
    const response: { readonly headers: Headers; readonly body: unknown } = await replicas.send(apiKey, 'GET', path);
    all.push(...(response.body as FeedEvent[]));
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return all;
}
