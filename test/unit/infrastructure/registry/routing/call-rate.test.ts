import { CallRate } from '../../../../../src/infrastructure/registry/routing/call-rate';
import { SharedCallRate } from '../../../../../src/infrastructure/registry/routing/shared-call-rate';

afterEach(() => jest.useRealTimers());

/** Milliseconds from now at which each of `count` simultaneous calls passes. */
async function passes(rate: Pick<CallRate, 'turn'>, count: number): Promise<readonly number[]> {
  const startedAt = performance.now();
  const passed: number[] = [];
  const calls = Array.from({ length: count }, async () => {
    await rate.turn();
    passed.push(performance.now() - startedAt);
  });
  await jest.advanceTimersByTimeAsync(10_000);
  await Promise.all(calls);
  return passed;
}

describe('the rate of calls to a registry', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  it('lets as many calls a second pass as the limit allows, in the order of arrival', async () => {
    expect(await passes(new CallRate(2), 5)).toEqual([0, 0, 1_000, 1_000, 2_000]);
  });

  it('does not save up calls while there are none', async () => {
    const rate = new CallRate(2);
    await passes(rate, 1);

    expect(await passes(rate, 4)).toEqual([0, 0, 1_000, 1_000]);
  });

  it('is not used up by calls that were cancelled while they waited', async () => {
    const rate = new CallRate(1);
    let isCancelled = false;
    const cancelled = Array.from({ length: 9 }, () => rate.turn(() => isCancelled));
    await jest.advanceTimersByTimeAsync(100);
    isCancelled = true;

    expect(await passes(rate, 1)).toEqual([1_900]);
    await Promise.all(cancelled);
  });

  it('makes up for calls that were a little late, so that a busy process uses its whole limit', async () => {
    const rate = new CallRate(1);
    await rate.turn();
    await jest.advanceTimersByTimeAsync(1_150);

    expect(await passes(rate, 2)).toEqual([0, 850]);
  });
});

const failing = () => Promise.reject(new Error('away'));

describe('the rate of calls to a registry in several processes', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  it('lets a call pass when all processes together have room for it', async () => {
    let freeAt = 0;
    const reserve = async (_registry: string, perSecond: number, count: number) => {
      const now = performance.now();
      const due = Math.max(now, freeAt);
      freeAt = due + (count * 1_000) / perSecond;
      return due - now;
    };
    const processes = [1, 2].map(() => new SharedCallRate('one', 2, reserve, new CallRate(2)));

    const passed = await Promise.all(processes.map((rate) => passes(rate, 2)));

    expect(passed.flat().toSorted((a, b) => a - b)).toEqual([0, 500, 1_000, 1_500]);
  });

  it('is not used up by calls that were cancelled while they waited', async () => {
    let reserved = 0;
    let freeAt = 0;
    const reserve = async (_registry: string, perSecond: number, count: number) => {
      const due = Math.max(performance.now(), freeAt);
      reserved += count;
      freeAt = due + (count * 1_000) / perSecond;
      return due - performance.now();
    };
    const rate = new SharedCallRate('one', 10, reserve, new CallRate(10));
    let isCancelled = false;
    const cancelled = Array.from({ length: 50 }, () => rate.turn(() => isCancelled));
    await jest.advanceTimersByTimeAsync(1_000);
    isCancelled = true;

    expect((await passes(rate, 1))[0]).toBeLessThanOrEqual(300);
    await Promise.all(cancelled);
    expect(reserved).toBeLessThanOrEqual(14);
  });

  it('holds after a stall of a process, whose calls are then all overdue', async () => {
    let freeAt = 0;
    const reserve = async (_registry: string, perSecond: number, count: number) => {
      const due = Math.max(performance.now(), freeAt);
      freeAt = due + (count * 1_000) / perSecond;
      return due - performance.now();
    };
    const rate = new SharedCallRate('one', 20, reserve, new CallRate(20));
    const passed: number[] = [];
    const calls = Array.from({ length: 4 }, async () => {
      await rate.turn();
      passed.push(performance.now());
    });
    await jest.advanceTimersByTimeAsync(10);
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
    await jest.advanceTimersByTimeAsync(2_000);
    jest.restoreAllMocks();
    await Promise.all(calls);

    const gaps = passed.slice(2).map((time, index) => time - (passed[index + 1] ?? 0));
    expect(gaps.every((gap) => gap >= 49)).toBe(true);
  });

  it('holds even if a process stalls again and again', async () => {
    let reserved = 0;
    const reserve = async () => {
      reserved += 1;
      return 0;
    };
    const rate = new SharedCallRate('one', 5, reserve, new CallRate(5));
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += reserved < 3 ? 300 : 0));

    await rate.turn();
    jest.restoreAllMocks();

    expect(reserved).toBe(3);
  });

  it('is that of each process while nothing can be reserved', async () => {
    expect(await passes(new SharedCallRate('one', 2, failing, new CallRate(2)), 3)).toEqual([0, 0, 1_000]);
  });
});
