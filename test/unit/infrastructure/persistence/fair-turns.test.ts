import { FairTurns, WriterTurns } from '../../../../src/infrastructure/persistence/database/fair-scheduling';

describe('fair turns', () => {
  let now: number;
  let turns: FairTurns;
  let order: string[];
  beforeEach(() => {
    now = 0;
    turns = new FairTurns(() => now);
    order = [];
  });

  const queue = (share: string, label: string, ms: number) =>
    turns.run(share, async () => {
      order.push(label);
      await new Promise(setImmediate);
      now += ms;
    });

  it('lets a short write of one account pass before the queued imports of another', async () => {
    await Promise.all([
      queue('acc_1', 'import 1', 500),
      queue('acc_1', 'import 2', 500),
      queue('acc_1', 'import 3', 500),
      queue('acc_2', 'write 1', 1),
      queue('acc_2', 'write 2', 1),
    ]);

    expect(order).toEqual(['import 1', 'write 1', 'write 2', 'import 2', 'import 3']);
  });

  it('shares the time equally between accounts that both have much to do', async () => {
    await Promise.all([
      ...Array.from({ length: 2 }, (_, index) => queue('acc_1', `long ${index}`, 30)),
      ...Array.from({ length: 6 }, (_, index) => queue('acc_2', `short ${index}`, 10)),
    ]);

    expect(order).toEqual(['long 0', 'short 0', 'short 1', 'short 2', 'long 1', 'short 3', 'short 4', 'short 5']);
  });

  it('gives no credit to an idle account', async () => {
    for (const label of ['a', 'b', 'c']) await queue('acc_1', label, 100);
    order = [];

    await Promise.all([
      queue('acc_1', 'mine 1', 10),
      ...Array.from({ length: 3 }, (_, index) => queue('acc_2', `late ${index}`, 200)),
      queue('acc_1', 'mine 2', 10),
    ]);

    expect(order).toEqual(['mine 1', 'late 0', 'mine 2', 'late 1', 'late 2']);
  });

  it('continues after work that failed', async () => {
    const failing = turns.run('acc_1', () => Promise.reject(new Error('on purpose')));
    const next = queue('acc_1', 'next', 1);

    await expect(failing).rejects.toThrow('on purpose');
    await next;
    expect(order).toEqual(['next']);
  });

  it('keeps the order of arrival within an account', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((label) => queue('acc_1', label, 5)));

    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe("the writer's turns", () => {
  let now = 0;
  const turns = new WriterTurns(() => now);
  let order: string[] = [];
  beforeEach(() => {
    order = [];
  });

  const queue = (account: string, label: string, ms: number, isLong = false) =>
    turns.run(
      account,
      async () => {
        order.push(label);
        await new Promise(setImmediate);
        now += ms;
      },
      { isLong },
    );

  it('let short writes pass after each import, whichever accounts import', async () => {
    await Promise.all([
      queue('acc_1', 'import 1', 500, true),
      queue('acc_2', 'import 2', 500, true),
      queue('acc_3', 'import 3', 500, true),
      queue('acc_4', 'write 1', 20),
      queue('acc_4', 'write 2', 20),
      queue('acc_5', 'write 3', 20),
    ]);

    expect(order).toEqual(['import 1', 'write 1', 'write 3', 'write 2', 'import 2', 'import 3']);
  });

  it('let an account with one import pass before the next import of another', async () => {
    await Promise.all([
      queue('acc_1', 'import 1', 500, true),
      queue('acc_1', 'import 2', 500, true),
      queue('acc_2', 'import of another account', 500, true),
    ]);

    expect(order).toEqual(['import 1', 'import of another account', 'import 2']);
  });

  it('give imports half of the time if short writes never end', async () => {
    await Promise.all([
      queue('acc_1', 'import 1', 40, true),
      queue('acc_2', 'import 2', 40, true),
      ...Array.from({ length: 6 }, (_, index) => queue('acc_3', `write ${index}`, 20)),
    ]);

    expect(order.indexOf('import 2')).toBeLessThan(order.indexOf('write 5'));
  });
});
