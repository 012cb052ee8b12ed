import { runCooperatively, type CooperativeTask } from '../../../src/application/run-cooperatively';

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

/** How many turns the event loop makes until `outcome` is there. */
async function turnsUntil(outcome: Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  await outcome;
  clearImmediate(next);
  return turns;
}

describe('a cooperative task', () => {
  afterEach(() => jest.restoreAllMocks());

  it('yields to other work every few milliseconds, and completes', async () => {
    const outcome = runCooperatively(work(1_000));

    expect(await turnsUntil(outcome)).toBeGreaterThanOrEqual(190);
    expect(await outcome).toBe('done');
  });

  it('takes turns with other tasks, so that other work waits for a slice of one of them', async () => {
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
    const tasks = Array.from({ length: 4 }, () => runCooperatively(task()));
    // All of them begin at once.
    slice = 0;
    next = setImmediate(count);
    await Promise.all(tasks);
    clearImmediate(next);

    expect(longest).toBeLessThanOrEqual(6);
  });

  it('completes at once if it is short', async () => {
    expect(await turnsUntil(runCooperatively(work(3)))).toBe(0);
  });

  it('throws what a step throws', async () => {
    await expect(runCooperatively(failing())).rejects.toThrow('no');
  });
});
