import { RateLimitExceeded } from '../../../domain/access/access-errors';
import type { RateLimiter } from '../../ports/access/rate-limits-and-usage';

/** Counts `cost` units for `key`, one by default. @throws RateLimitExceeded */
export async function countAttempt(limiter: RateLimiter, key: string, cost?: number, spent?: number): Promise<void> {
  const state = await limiter.consume(key, cost, spent);
  if (state?.exceeded) throw new RateLimitExceeded(state.resetSeconds);
}
