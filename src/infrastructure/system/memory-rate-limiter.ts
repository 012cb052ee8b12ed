import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter, RateLimitState } from '../../application/ports/access/rate-limiter';

const MINUTE_SECONDS = 60;

const asGiven = (key: string): string => key;

/** Counts in this process's memory; replicas count each for themselves. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly limiter: RateLimiterMemory | undefined;

  /** A limit of 0 switches it off. */
  constructor(
    private readonly limit: number,
    windowSeconds = MINUTE_SECONDS,
    /** What is counted together. */
    private readonly groupOf: (key: string) => string = asGiven,
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
      // A refused request costs nothing: what is left still buys cheaper ones.
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
