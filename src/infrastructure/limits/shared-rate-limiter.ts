import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter, RateLimitState } from '../../application/ports/access/rate-limiter';
import type { LimitsStore } from './limits-store';
import { MemoryRateLimiter, stateOf, type RateLimiterSettings } from './memory-rate-limiter';

/** Counts the points only if they are within the limit, in one step. Arguments: points, seconds, limit. */
const CONSUME = `
local points, seconds, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ttl = redis.call('pttl', KEYS[1])
if ttl <= 0 then
  redis.call('set', KEYS[1], points, 'EX', seconds)
  return {points, seconds * 1000}
end
local consumed = tonumber(redis.call('get', KEYS[1])) + points
if consumed <= limit then redis.call('incrby', KEYS[1], points) end
return {consumed, ttl}`;

/** Counts in the limits store, over all replicas; in this process while the store is away. */
export class SharedRateLimiter implements RateLimiter {
  private readonly limiter: RateLimiterRedis;
  private readonly insurance: MemoryRateLimiter;

  constructor(
    /** Tells this limit from others in the store. */
    kind: string,
    private readonly settings: RateLimiterSettings,
    store: LimitsStore,
  ) {
    this.insurance = new MemoryRateLimiter(settings);
    this.limiter = new RateLimiterRedis({
      points: settings.limit,
      duration: settings.windowSeconds,
      useRedisPackage: true,
      customIncrTtlLuaScript: CONSUME,
      storeClient: {
        eval: (script: string, { keys: [key = ''], arguments: args }: EvalOptions) =>
          store.run(script, store.keyOf(kind, key), args),
      },
    });
  }

  async consume(key: string, cost = 1): Promise<RateLimitState | undefined> {
    const { limit, groupOf } = this.settings;
    if (limit === 0) return undefined;
    const points = Math.min(cost, limit);
    try {
      return stateOf(limit, await this.limiter.consume(groupOf?.(key) ?? key, points), false);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) return this.insurance.consume(key, cost);
      const remainingPoints = limit - (error.consumedPoints - points);
      return stateOf(limit, { remainingPoints, msBeforeNext: error.msBeforeNext }, true);
    }
  }
}

interface EvalOptions {
  readonly keys: readonly string[];
  readonly arguments: readonly string[];
}
