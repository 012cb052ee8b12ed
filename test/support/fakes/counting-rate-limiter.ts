import type { Clock } from '../../../src/application/ports/system/clock';
import type { RateLimiter, RateLimitState } from '../../../src/application/ports/access/rate-limiter';

const WINDOW_MS = 60_000;

/** A window of one minute a key, on a clock of the test's own. A limit of 0 switches it off. */
export class CountingRateLimiter implements RateLimiter {
  private readonly windows = new Map<string, { readonly endsAt: number; readonly count: number }>();

  constructor(
    private readonly limit: number,
    private readonly clock: Clock,
  ) {}

  async consume(key: string): Promise<RateLimitState | undefined> {
    if (this.limit === 0) return undefined;
    const now = this.clock.now().getTime();
    const open = this.windows.get(key);
    const { endsAt, count } = open && open.endsAt > now ? open : { endsAt: now + WINDOW_MS, count: 0 };
    this.windows.set(key, { endsAt, count: count + 1 });
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - count - 1),
      resetSeconds: Math.ceil((endsAt - now) / 1000),
      exceeded: count + 1 > this.limit,
    };
  }
}
