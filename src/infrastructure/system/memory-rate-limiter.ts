import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter, RateLimitState } from '../../application/ports/access/rate-limiter';

const MINUTE_SECONDS = 60;

const identity = (key: string): string => key;

/** Counts in memory; each replica has its own counters. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly limiter: RateLimiterMemory | undefined;

  /** A `limit` of 0 disables it. */
  constructor(
    private readonly limit: number,
    windowSeconds = MINUTE_SECONDS,
    /** Keys of the same group share a counter. */
    private readonly groupOf: (key: string) => string = identity,
  ) {
    this.limiter = limit === 0 ? undefined : new RateLimiterMemory({ points: limit, duration: windowSeconds });
  }

  async consume(key: string, cost = 1): Promise<RateLimitState | undefined> {
    if (!this.limiter) return undefined;
    const group = this.groupOf(key);
    const points = Math.min(cost, this.limit);
    try {
      return this.stateOf(await this.limiter.consume(group, points), false);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      // A rejected request costs nothing, so that cheaper requests still pass.
      const { remainingPoints } = await this.limiter.reward(group, points);
      return this.stateOf({ remainingPoints, msBeforeNext: error.msBeforeNext }, true);
    }
  }

  private stateOf(
    { remainingPoints, msBeforeNext }: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>,
    exceeded: boolean,
  ): RateLimitState {
    return {
      limit: this.limit,
      remaining: remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      exceeded,
    };
  }
}
