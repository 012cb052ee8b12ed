import type { RateLimiter } from '../../src/application/ports/access/rate-limits-and-usage';

interface RateLimiterUnderTest {
  readonly limiter: RateLimiter;
  /** Moves the limiter's own time ahead. */
  readonly passSeconds: (seconds: number) => void | Promise<void>;
}

/** What every rate limiter must do. */
export function rateLimiterContract(title: string, open: (limit: number) => RateLimiterUnderTest): void {
  describe(title, () => {
    it('counts down and reports when the limit is exceeded', async () => {
      const { limiter } = open(2);

      expect(await limiter.consume('a')).toEqual({ limit: 2, remaining: 1, resetSeconds: 60, exceeded: false });
      expect(await limiter.consume('a')).toMatchObject({ remaining: 0, exceeded: false });
      expect(await limiter.consume('a')).toMatchObject({ limit: 2, remaining: 0, exceeded: true });
    });

    it('counts each caller separately', async () => {
      const { limiter } = open(1);
      await limiter.consume('a');

      expect(await limiter.consume('b')).toMatchObject({ exceeded: false });
    });

    it('starts a new window after a minute', async () => {
      const { limiter, passSeconds } = open(1);
      await limiter.consume('a');

      await passSeconds(30);
      const state = await limiter.consume('a');
      expect(state).toMatchObject({ exceeded: true });
      // The time of a store goes on during the test.
      expect(state?.resetSeconds).toBeGreaterThan(0);
      expect(state?.resetSeconds).toBeLessThanOrEqual(30);

      await passSeconds(31);
      expect(await limiter.consume('a')).toMatchObject({ exceeded: false, remaining: 0 });
    });

    it('charges the cost of each request, nothing for a rejected one, and at most the whole limit', async () => {
      const { limiter } = open(10);

      expect(await limiter.consume('a', 5)).toMatchObject({ limit: 10, remaining: 5, exceeded: false });
      expect(await limiter.consume('a')).toMatchObject({ remaining: 4, exceeded: false });
      expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 4, exceeded: true });
      expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 4, exceeded: true });
      expect(await limiter.consume('a', 4)).toMatchObject({ remaining: 0, exceeded: false });
      expect(await limiter.consume('a')).toMatchObject({ remaining: 0, exceeded: true });
      expect(await limiter.consume('b', 20)).toMatchObject({ remaining: 0, exceeded: false });
      expect(await limiter.consume('b', 20)).toMatchObject({ exceeded: true });
    });

    it('charges what a request costs beyond its first cost, at most the whole limit together with it', async () => {
      const { limiter } = open(10);
      await limiter.consume('a', 4);

      expect(await limiter.consume('a', 20, 4)).toMatchObject({ remaining: 0, exceeded: false });
      expect(await limiter.consume('a', 20, 4)).toMatchObject({ exceeded: true });
      await limiter.consume('b', 20);
      expect(await limiter.consume('b', 1, 20)).toMatchObject({ remaining: 0, exceeded: false });
    });

    it('is off with a limit of 0', async () => {
      expect(await open(0).limiter.consume('a')).toBeUndefined();
    });
  });
}
