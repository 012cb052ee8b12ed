import { RateLimitExceeded } from '../../domain/access/errors';
import type { RateLimiter } from '../ports/access/rate-limiter';

/** Counts one more for `key`. @throws RateLimitExceeded */
export async function countAttempt(limiter: RateLimiter, key: string): Promise<void> {
  const state = await limiter.consume(key);
  if (state?.exceeded) throw new RateLimitExceeded(state.resetSeconds);
}
