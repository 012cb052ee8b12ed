import { MemoryRateLimiter } from '../../src/infrastructure/limits/memory-rate-limiter';
import { CountingRateLimiter } from '../support/fakes/counting-rate-limiter';
import { MovableClock } from '../support/fakes/movable-clock';
import { rateLimiterContract } from './rate-limiter.contract';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

rateLimiterContract('the rate limiter in memory', (limit) => ({
  limiter: new MemoryRateLimiter({ limit, windowSeconds: 60 }),
  passSeconds: (seconds) => jest.advanceTimersByTime(seconds * 1000),
}));

rateLimiterContract('the rate limiter of the unit tests', (limit) => {
  const clock = new MovableClock();
  return {
    limiter: new CountingRateLimiter(limit, clock),
    passSeconds: (seconds) => clock.advance({ ms: seconds * 1000 }),
  };
});
