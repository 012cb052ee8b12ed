import { EventWaits } from '../../../../src/application/events/event-waits';
import type { EventFeed } from '../../../../src/application/ports/access/audit-and-events';
import { RecordingLog } from '../../../support/fakes/recording-log';

/** A feed of which a test says what is new. */
class ScriptedFeed implements EventFeed {
  news: readonly string[] = [];
  readonly asked: ReadonlyMap<string, number>[] = [];
  private listener: (accountId: string) => void = () => undefined;

  read(): never {
    throw new Error('waits do not read');
  }

  onCommit(listener: (accountId: string) => void): void {
    this.listener = listener;
  }

  commit(accountId: string): void {
    this.listener(accountId);
  }

  async haveNews(positions: ReadonlyMap<string, number>): Promise<readonly string[]> {
    this.asked.push(positions);
    return this.news;
  }
}

describe('waiting for events', () => {
  let feed: ScriptedFeed;
  let waits: EventWaits;
  beforeEach(() => {
    jest.useFakeTimers();
    feed = new ScriptedFeed();
    waits = new EventWaits(feed, new RecordingLog());
  });
  afterEach(() => jest.useRealTimers());

  /** Whether the wait has ended, as far as the time has passed. */
  const started = (accountId: string, position = 0, ms = 30_000) => {
    const wait = { ended: false, result: waits.wait(accountId, position, ms) };
    void wait.result.then(() => (wait.ended = true));
    return wait;
  };

  it('ends with a commit of this process, for the account that it is of', async () => {
    const [own, other] = [started('acc_1'), started('acc_2')];

    feed.commit('acc_1');

    expect(await own.result).toBe(true);
    expect(other.ended).toBe(false);
  });

  it('ends when a poll finds what another process has committed', async () => {
    const own = started('acc_1', 7);
    await jest.advanceTimersByTimeAsync(5_000);
    const before = own.ended;

    feed.news = ['acc_1'];
    await jest.advanceTimersByTimeAsync(1_000);

    expect([before, own.ended]).toEqual([false, true]);
  });

  it('polls at once, because an event may have come before the wait began', async () => {
    feed.news = ['acc_1'];
    const own = started('acc_1');

    await jest.advanceTimersByTimeAsync(0);

    expect(own.ended).toBe(true);
  });

  it('asks once a second for all that wait, from the lowest position of each account', async () => {
    started('acc_1', 7);
    started('acc_1', 5);
    started('acc_2', 9);

    await jest.advanceTimersByTimeAsync(3_500);

    expect(feed.asked).toHaveLength(4);
    expect(feed.asked.at(-1)).toEqual(
      new Map([
        ['acc_1', 5],
        ['acc_2', 9],
      ]),
    );
  });

  it('asks no more when no request waits', async () => {
    started('acc_1', 0, 2_000);

    await jest.advanceTimersByTimeAsync(60_000);

    expect(feed.asked.length).toBeLessThan(5);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends after the time that the request allows', async () => {
    const own = started('acc_1', 0, 2_000);
    await jest.advanceTimersByTimeAsync(1_999);
    const before = own.ended;

    await jest.advanceTimersByTimeAsync(1);

    expect([before, own.ended]).toEqual([false, true]);
  });

  it('lets 20 requests of an account wait, and one more of another account', async () => {
    for (let index = 0; index < 20; index += 1) started('acc_1');

    expect(await waits.wait('acc_1', 0, 30_000)).toBe(false);
    const other = started('acc_2');
    feed.commit('acc_2');
    expect(await other.result).toBe(true);
  });

  it('ends, and begins no more, when the process stops', async () => {
    const own = started('acc_1');

    waits.release();

    expect(await own.result).toBe(false);
    expect(await waits.wait('acc_1', 0, 30_000)).toBe(false);
  });
});
