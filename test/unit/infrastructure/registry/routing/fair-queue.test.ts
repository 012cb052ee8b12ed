import { FairQueue, QueueFull } from '../../../../../src/infrastructure/registry/routing/fair-queue';

/** Calls that a test ends one by one. */
class Calls {
  readonly started: string[] = [];
  readonly rejected: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly queue: FairQueue) {}

  add(account: string, count: number): void {
    for (let index = 1; index <= count; index += 1) {
      const call = `${account}${index}`;
      const work = () => {
        this.started.push(call);
        return new Promise<void>((end) => this.ends.push(end));
      };
      this.queue.run(account, work).catch((error: unknown) => {
        expect(error).toBeInstanceOf(QueueFull);
        this.rejected.push(call);
      });
    }
  }

  /** Ends `count` running calls, one after another. */
  async end(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      this.ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

describe('FairQueue', () => {
  it('runs up to its concurrency and starts waiting calls in order', async () => {
    const calls = new Calls(new FairQueue(2, 10));
    calls.add('a', 4);
    await calls.end(0);
    expect(calls.started).toEqual(['a1', 'a2']);

    await calls.end(1);
    expect(calls.started).toEqual(['a1', 'a2', 'a3']);
    await calls.end(3);
    expect(calls.started).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('starts waiting calls when its limit rises, and none before calls beyond a lower one have ended', async () => {
    const queue = new FairQueue(2, 10);
    const calls = new Calls(queue);
    calls.add('a', 4);
    calls.add('b', 2);
    queue.limitTo(1);
    await calls.end(1);
    expect(calls.started).toEqual(['a1', 'a2']);

    await calls.end(1);
    expect(calls.started).toEqual(['a1', 'a2', 'a3']);
    queue.limitTo(3);
    await calls.end(0);
    expect(calls.started).toEqual(['a1', 'a2', 'a3', 'b1', 'a4']);
  });

  it('lets accounts take turns, however many calls one of them has queued', async () => {
    const calls = new Calls(new FairQueue(1, 100));
    calls.add('wide', 50);
    calls.add('b', 2);
    calls.add('c', 1);

    await calls.end(5);

    expect(calls.started).toEqual(['wide1', 'wide2', 'b1', 'c1', 'wide3', 'b2']);
  });

  it('rejects the latest call of the account with most calls if it is full', async () => {
    const calls = new Calls(new FairQueue(1, 4));
    calls.add('wide', 6);
    await calls.end(0);
    expect(calls.rejected).toEqual(['wide6']);

    calls.add('b', 2);
    calls.add('c', 1);
    await calls.end(10);

    expect(calls.rejected).toEqual(['wide6', 'wide5', 'wide4', 'wide3']);
    expect(calls.started).toEqual(['wide1', 'wide2', 'b1', 'c1', 'b2']);
  });

  it('rejects a new call of the account with most calls if it is full', async () => {
    const calls = new Calls(new FairQueue(1, 2));
    calls.add('a', 2);
    calls.add('b', 2);
    await calls.end(10);

    expect(calls.rejected).toEqual(['b2']);
  });

  it('starts the next call after a call that fails', async () => {
    const queue = new FairQueue(1, 1);
    for (let count = 0; count < 3; count += 1)
      await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');

    const calls = new Calls(queue);
    calls.add('a', 2);
    await calls.end(2);

    expect(calls.started).toEqual(['a1', 'a2']);
  });
});
