import type { Clock } from '../../../src/application/ports/system';
import type { RateLimiter, RateLimitState } from '../../../src/application/ports/access/rate-limits-and-usage';

const WINDOW_MS = 60_000;

/** A window of one minute a key, on a clock of the test's own. A limit of 0 switches it off. */
export class CountingRateLimiter implements RateLimiter {
  private readonly windows = new Map<string, { readonly endsAt: number; readonly count: number }>();

  constructor(
    private readonly limit: number,
    private readonly clock: Clock,
  ) {}

  async consume(key: string, cost = 1, spent = 0): Promise<RateLimitState | undefined> {
    if (this.limit === 0) return undefined;
    const now = this.clock.now().getTime();
    const open = this.windows.get(key);
    const { endsAt, count } = open && open.endsAt > now ? open : { endsAt: now + WINDOW_MS, count: 0 };
    const points = Math.min(cost, Math.max(0, this.limit - spent));
    const exceeded = count + points > this.limit;
    const counted = exceeded ? count : count + points;
    this.windows.set(key, { endsAt, count: counted });
    return {
      limit: this.limit,
      remaining: this.limit - counted,
      resetSeconds: Math.ceil((endsAt - now) / 1000),
      exceeded,
    };
  }
}
