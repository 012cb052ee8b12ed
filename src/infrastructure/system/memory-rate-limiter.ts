import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter, RateLimitState } from '../../application/ports/access/rate-limiter';

const MINUTE_SECONDS = 60;

/** Counts in this process's memory; replicas count each for themselves. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly limiter: RateLimiterMemory | undefined;

  /** A limit of 0 switches it off. */
  constructor(
    private readonly limit: number,
    windowSeconds = MINUTE_SECONDS,
  ) {
    this.limiter = limit === 0 ? undefined : new RateLimiterMemory({ points: limit, duration: windowSeconds });
  }

  async consume(key: string): Promise<RateLimitState | undefined> {
    if (!this.limiter) return undefined;
    try {
      return this.stateOf(await this.limiter.consume(key), false);
    } catch (error) {
      if (error instanceof RateLimiterRes) return this.stateOf(error, true);
      throw error;
    }
  }

  private stateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): RateLimitState {
    return { limit: this.limit, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)), exceeded };
  }
}
