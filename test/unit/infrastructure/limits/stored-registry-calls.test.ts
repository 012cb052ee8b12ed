import { breakerInStore } from '../../../../src/infrastructure/limits/stored-registry-calls';

describe('the shared circuit breaker of a registry', () => {
  it('is read once for simultaneous calls, and at most five times a second', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const run = jest.fn(async () => 5_000);
    const breaker = breakerInStore({ run, keyOf: () => 'key' } as never, 'one');

    const first = await Promise.all([1, 2, 3].map(() => breaker.openForMs()));
    now = 150;
    const second = await breaker.openForMs();
    const reads = run.mock.calls.length;
    now = 250;
    await breaker.openForMs();
    jest.restoreAllMocks();

    expect([...first, second]).toEqual([5_000, 5_000, 5_000, 4_850]);
    expect([reads, run.mock.calls.length]).toEqual([1, 2]);
  });
});
