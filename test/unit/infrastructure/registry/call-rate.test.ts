import { CallRate } from '../../../../src/infrastructure/registry/routing/call-rate';

afterEach(() => jest.useRealTimers());

/** Milliseconds from now at which each of `count` simultaneous calls passes. */
async function passes(rate: CallRate, count: number): Promise<readonly number[]> {
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

  it('makes up for calls that were a little late, so that a busy process uses its whole limit', async () => {
    const rate = new CallRate(1);
    await rate.turn();
    await jest.advanceTimersByTimeAsync(1_150);

    expect(await passes(rate, 2)).toEqual([0, 850]);
  });
});
