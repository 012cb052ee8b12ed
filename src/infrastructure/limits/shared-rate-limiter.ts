import type { RateLimiter, RateLimitState } from '../../application/ports/access/rate-limits-and-usage';
import type { LimitsStore } from './limits-store';
import { MemoryRateLimiter, stateOf, type RateLimiterSettings } from './memory-rate-limiter';

/**
 * Counts the points only if they are within the limit, in one step. Returns the remaining points, the milliseconds until the next
 * window, and 1 if the limit is exceeded. Arguments: points, seconds, limit.
 */
const CONSUME = `
local points, seconds, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ttl = redis.call('pttl', KEYS[1])
if ttl <= 0 then
  redis.call('set', KEYS[1], points, 'EX', seconds)
  return {limit - points, seconds * 1000, 0}
end
local consumed = tonumber(redis.call('get', KEYS[1]))
if consumed + points > limit then return {limit - consumed, ttl, 1} end
return {limit - redis.call('incrby', KEYS[1], points), ttl, 0}`;

/** Counts in the limits store, over all replicas; in this process while the store is away. */
export class SharedRateLimiter implements RateLimiter {
  private readonly insurance: MemoryRateLimiter;

  constructor(
    /** Tells this limit from others in the store. */
    private readonly kind: string,
    private readonly settings: RateLimiterSettings,
    private readonly store: LimitsStore,
  ) {
    this.insurance = new MemoryRateLimiter(settings);
  }

  async consume(key: string, cost = 1, spent = 0): Promise<RateLimitState | undefined> {
    const { limit, windowSeconds, groupOf } = this.settings;
    if (limit === 0) return undefined;
    const counter = this.store.keyOf(this.kind, groupOf?.(key) ?? key);
    const state = await this.store
      .run(CONSUME, counter, [Math.min(cost, Math.max(0, limit - spent)), windowSeconds, limit])
      .catch(() => undefined);
    if (state === undefined) return this.insurance.consume(key, cost, spent);
    const [remainingPoints, msBeforeNext, exceeded] = state as [number, number, number];
    return stateOf(limit, { remainingPoints, msBeforeNext }, exceeded === 1);
  }
}
