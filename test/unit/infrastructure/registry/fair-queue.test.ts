import { FairQueue, QueueFull } from '../../../../src/infrastructure/registry/routing/fair-queue';

/** Calls that end when they are told to. */
class Calls {
  readonly started: string[] = [];
  readonly refused: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly queue: FairQueue) {}

  ask(account: string, count: number): void {
    for (let index = 1; index <= count; index += 1) {
      const call = `${account}${index}`;
      const work = () => {
        this.started.push(call);
        return new Promise<void>((end) => this.ends.push(end));
      };
      this.queue.run(account, work).catch((error: unknown) => {
        expect(error).toBeInstanceOf(QueueFull);
        this.refused.push(call);
      });
    }
  }

  /** Ends the calls that run, one after another, until `count` have ended. */
  async end(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      this.ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

describe('a fair queue', () => {
  it('runs so many calls at a time and starts the others in their order', async () => {
    const calls = new Calls(new FairQueue(2, 10));
    calls.ask('a', 4);
    await calls.end(0);
    expect(calls.started).toEqual(['a1', 'a2']);

    await calls.end(1);
    expect(calls.started).toEqual(['a1', 'a2', 'a3']);
    await calls.end(3);
    expect(calls.started).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('lets accounts take turns, however much one has asked before', async () => {
    const calls = new Calls(new FairQueue(1, 100));
    calls.ask('wide', 50);
    calls.ask('b', 2);
    calls.ask('c', 1);

    await calls.end(5);

    expect(calls.started).toEqual(['wide1', 'wide2', 'b1', 'c1', 'wide3', 'b2']);
  });

  it('refuses the latest call of the account with most in the queue when it is full', async () => {
    const calls = new Calls(new FairQueue(1, 4));
    calls.ask('wide', 6);
    await calls.end(0);
    expect(calls.refused).toEqual(['wide6']);

    calls.ask('b', 2);
    calls.ask('c', 1);
    await calls.end(10);

    expect(calls.refused).toEqual(['wide6', 'wide5', 'wide4', 'wide3']);
    expect(calls.started).toEqual(['wide1', 'wide2', 'b1', 'c1', 'b2']);
  });

  it('refuses a call of the account that has most in it', async () => {
    const calls = new Calls(new FairQueue(1, 2));
    calls.ask('a', 2);
    calls.ask('b', 2);
    await calls.end(10);

    expect(calls.refused).toEqual(['b2']);
  });

  it('is empty again after calls that fail', async () => {
    const queue = new FairQueue(1, 1);
    for (let count = 0; count < 3; count += 1)
      await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');

    const calls = new Calls(queue);
    calls.ask('a', 2);
    await calls.end(2);

    expect(calls.started).toEqual(['a1', 'a2']);
  });
});
