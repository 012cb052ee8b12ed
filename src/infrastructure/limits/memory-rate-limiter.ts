import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter, RateLimitState } from '../../application/ports/access/rate-limits-and-usage';

export interface RateLimiterSettings {
  /** 0 disables it. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Keys of the same group share a counter. */
  readonly groupOf?: (key: string) => string;
}

/** Counts in memory; each replica has its own counters. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly limiter: RateLimiterMemory | undefined;

  constructor(private readonly settings: RateLimiterSettings) {
    const { limit: points, windowSeconds: duration } = settings;
    this.limiter = points === 0 ? undefined : new RateLimiterMemory({ points, duration });
  }

  async consume(key: string, cost = 1, spent = 0): Promise<RateLimitState | undefined> {
    if (!this.limiter) return undefined;
    const { limit, groupOf } = this.settings;
    const group = groupOf?.(key) ?? key;
    const points = Math.min(cost, Math.max(0, limit - spent));
    try {
      return stateOf(limit, await this.limiter.consume(group, points), false);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      // A rejected request costs nothing, so that cheaper requests still pass.
      const { remainingPoints } = await this.limiter.reward(group, points);
      return stateOf(limit, { remainingPoints, msBeforeNext: error.msBeforeNext }, true);
    }
  }
}

export function stateOf(
  limit: number,
  { remainingPoints, msBeforeNext }: Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>,
  exceeded: boolean,
): RateLimitState {
  return { limit, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)), exceeded };
}
