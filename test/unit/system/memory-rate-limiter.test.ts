import { MemoryRateLimiter } from '../../../src/infrastructure/system/memory-rate-limiter';

describe('the rate limiter', () => {
  it('counts down, and says when the limit is exceeded', async () => {
    const limiter = new MemoryRateLimiter(2);
    expect(await limiter.consume('a')).toEqual({ limit: 2, remaining: 1, resetSeconds: 60, exceeded: false });
    expect(await limiter.consume('a')).toMatchObject({ remaining: 0, exceeded: false });
    expect(await limiter.consume('a')).toMatchObject({ limit: 2, remaining: 0, exceeded: true });
  });

  it('counts each caller apart', async () => {
    const limiter = new MemoryRateLimiter(1);
    await limiter.consume('a');
    expect(await limiter.consume('b')).toMatchObject({ exceeded: false });
  });

  it('starts anew after a minute', async () => {
    jest.useFakeTimers();
    try {
      const limiter = new MemoryRateLimiter(1);
      await limiter.consume('a');
      jest.advanceTimersByTime(30_000);
      expect(await limiter.consume('a')).toMatchObject({ exceeded: true, resetSeconds: 30 });
      jest.advanceTimersByTime(30_001);
      expect(await limiter.consume('a')).toMatchObject({ exceeded: false, remaining: 0 });
    } finally {
      jest.useRealTimers();
    }
  });

  it('is off with a limit of 0', async () => {
    expect(await new MemoryRateLimiter(0).consume('a')).toBeUndefined();
  });
});
