import { pagesOf } from '../../../../src/application/shared/pages-of';
import {
  waitForNextSlice,
  runCooperatively,
  type CooperativeTask,
} from '../../../../src/application/shared/run-cooperatively';
import { turnsUntil } from '../../../support/turns-until';

/** Work of so many steps, each of which takes a millisecond of the clock that `runCooperatively` looks at. */
function work(steps: number): CooperativeTask<string> {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  return (function* () {
    for (let step = 0; step < steps; step += 1) {
      now += 1;
      yield;
    }
    return 'done';
  })();
}

function* failing(): CooperativeTask<never> {
  yield;
  throw new Error('no');
}

describe('a cooperative task', () => {
  afterEach(() => jest.restoreAllMocks());

  it('yields to other work every few milliseconds, and completes', async () => {
    const outcome = runCooperatively(work(1_000));

    expect(await turnsUntil(outcome)).toBeGreaterThanOrEqual(190);
    expect(await outcome).toBe('done');
  });

  it('takes turns with other tasks that begin with it, so that other work waits for a slice of one of them', async () => {
    let [now, slice, longest] = [0, 0, 0];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    function* task(): CooperativeTask<void> {
      for (let step = 0; step < 100; step += 1) {
        now += 1;
        slice += 1;
        yield;
      }
    }
    let next: NodeJS.Immediate;
    const count = () => {
      longest = Math.max(longest, slice);
      slice = 0;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    await Promise.all(Array.from({ length: 4 }, () => runCooperatively(task())));
    clearImmediate(next);

    expect(longest).toBeLessThanOrEqual(6);
  });

  it('completes at once if it is short', async () => {
    expect(await turnsUntil(runCooperatively(work(3)))).toBe(0);
  });

  it('shares a slice with other short tasks, however long a task of another account runs', async () => {
    const [long, short] = [work(1_000), function* (): CooperativeTask<void> {}];
    const running = runCooperatively(long, 'one');
    const shortTasks = async () => {
      for (let count = 0; count < 64; count += 1) await runCooperatively(short(), 'two');
    };

    expect(await turnsUntil(shortTasks())).toBeLessThanOrEqual(3);
    await running;
  });

  it('throws the error of a step', async () => {
    await expect(runCooperatively(failing())).rejects.toThrow('no');
  });
});

describe('slices', () => {
  it('are given to one account after the other, however many of one wait', async () => {
    const order: string[] = [];
    const wait = (account: string) => waitForNextSlice(account).then(() => order.push(account));

    await Promise.all(['one', 'one', 'one', 'two', 'three', 'two'].map(wait));

    expect(order).toEqual(['one', 'two', 'three', 'one', 'two', 'one']);
  });

  it('have an iteration of the event loop each', async () => {
    expect(
      await turnsUntil(Promise.all(['one', 'one', 'two', 'two'].map((account) => waitForNextSlice(account)))),
    ).toBe(3);
  });
});

function pageOf(limit: number) {
  return Array.from({ length: limit }, (_, index) => ({ createdAt: new Date(0), id: String(index) }));
}

describe('lists that begin at once', () => {
  it('read small first pages, and then one page in an iteration of the event loop', async () => {
    let [items, most] = [0, 0];
    const read = async (limit: number) => {
      items += limit;
      return pageOf(limit);
    };
    const list = async () => {
      let count = 0;
      for await (const page of pagesOf(read, 'one')) if ((count += page.length) > 2_000) return;
    };
    let next: NodeJS.Immediate;
    const observe = () => {
      most = Math.max(most, items);
      items = 0;
      next = setImmediate(observe);
    };

    const lists = Promise.all([list(), list(), list()]);
    expect(items).toBe(300);
    items = 0;
    next = setImmediate(observe);
    await lists;
    clearImmediate(next);

    expect(most).toBe(500);
  });

  it('read further pages of so many items that those of a page have about 128 KiB', async () => {
    const lengths = [...Array.from({ length: 100 }, () => 8_192), ...Array.from({ length: 16 }, () => 1), 100_000];
    const limits: number[] = [];
    const read = async (limit: number, after?: { readonly id: string }) => {
      limits.push(limit);
      const start = after ? Number(after.id) + 1 : 0;
      return lengths
        .slice(start, start + limit)
        .map((length, index) => ({ createdAt: new Date(0), id: String(start + index), length }));
    };

    const items: number[] = [];
    for await (const page of pagesOf(read, 'one', ({ length }) => length))
      items.push(...page.map(({ length }) => length));

    expect({ limits, items }).toEqual({ limits: [100, 16, 500], items: lengths });
  });

  const read = { status: 'fulfilled', value: 100 };
  it.each([
    ['others wait for 5 seconds', 5_000, read],
    [
      'others fail after a longer wait',
      5_001,
      {
        status: 'rejected',
        reason: { cause: { message: expect.stringContaining('waited 5 seconds for the reads before it') } },
      },
    ],
  ])('read two further pages of an account and three of all accounts at once; %s', async (_what, waited, late) => {
    const reading: string[] = [];
    const gate: { open?: () => void } = {};
    const responded = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const list = async (account: string) => {
      const readPage = async (limit: number, after?: object) => {
        if (!after) return pageOf(limit);
        reading.push(account);
        await responded;
        return [];
      };
      let count = 0;
      for await (const page of pagesOf(readPage, account)) count += page.length;
      return count;
    };

    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const lists = Promise.allSettled(['one', 'one', 'one', 'two', 'two'].map(list));
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    const atOnce = [...reading];
    clock.mockReturnValue(waited);
    gate.open?.();
    const outcomes = await lists;
    clock.mockRestore();

    expect(atOnce.toSorted()).toEqual(['one', 'one', 'two']);
    expect(outcomes).toMatchObject([read, read, late, read, late]);
  });
});
