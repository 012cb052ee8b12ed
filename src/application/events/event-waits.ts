import { inject, injectable } from '../ports/inject';
import { EventFeed } from '../ports/access/audit-and-events';
import { Log } from '../ports/system';
import { Outage } from '../shared/outage';

const POLL_EVERY_MS = 1_000;
/** Requests that wait in this process, and of one account; one more does not wait. */
const MAX_WAITS = 1_000;
const MAX_WAITS_OF_ACCOUNT = 20;

interface Wait {
  readonly accountId: string;
  readonly position: number;
  readonly isCounted: boolean;
  readonly end: () => void;
}

interface WaitOptions {
  /** Ends the wait early. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the limits of waits hold. False for a caller that has other limits. Default: true */
  readonly isCounted?: boolean;
}

/**
 * Requests that wait for the next event of their account. Commits of this process wake them; for those of other processes, the
 * database is polled, with one query for all that wait.
 */
@injectable()
export class EventWaits {
  private readonly waits = new Set<Wait>();
  private released = false;
  private polling: NodeJS.Timeout | undefined;
  private readonly outage: Outage;

  constructor(
    @inject(EventFeed) private readonly feed: EventFeed,
    @inject(Log) log: Log,
  ) {
    this.outage = new Outage(log, 'polling events of other processes');
    feed.onCommit((accountId) => this.wake([accountId]));
  }

  /** Waits until the account may have events after the position, for at most `ms`. Returns false, at once, if too many wait or the process stops. */
  async wait(
    accountId: string,
    position: number,
    ms: number,
    { signal, isCounted = true }: WaitOptions = {},
  ): Promise<boolean> {
    if (this.released || signal?.aborted || (isCounted && this.isFull(accountId))) return false;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        this.waits.delete(wait);
        resolve();
      };
      const timer = setTimeout(end, ms);
      const wait: Wait = { accountId, position, isCounted, end };
      signal?.addEventListener('abort', end);
      this.waits.add(wait);
      this.pollLater(0);
    });
    return !this.released;
  }

  /** Ends all waits, because the process stops. */
  release(): void {
    this.released = true;
    for (const wait of this.waits) wait.end();
  }

  private isFull(accountId: string): boolean {
    const counted = [...this.waits].filter(({ isCounted }) => isCounted);
    const own = counted.filter((wait) => wait.accountId === accountId).length;
    return counted.length >= MAX_WAITS || own >= MAX_WAITS_OF_ACCOUNT;
  }

  private wake(accountIds: readonly string[]): void {
    for (const wait of this.waits) if (accountIds.includes(wait.accountId)) wait.end();
  }

  /** The first poll is at once: an event may have been committed between the reading and the wait. */
  private pollLater(ms: number): void {
    this.polling ??= setTimeout(() => void this.poll(), ms).unref();
  }

  private async poll(): Promise<void> {
    try {
      const positions = new Map<string, number>();
      for (const { accountId, position } of this.waits)
        positions.set(accountId, Math.min(position, positions.get(accountId) ?? position));
      this.wake(await this.feed.haveNews(positions));
      this.outage.recordSuccess();
    } catch (error) {
      this.outage.recordFailure(error);
    } finally {
      this.polling = undefined;
      if (this.waits.size > 0) this.pollLater(POLL_EVERY_MS);
      else this.outage.end();
    }
  }
}
