import { MemoryRateLimiter } from '../../../../src/infrastructure/system/memory-rate-limiter';
import { networkOf } from '../../../../src/infrastructure/system/network-of';

describe('the in-memory rate limiter', () => {
  it('charges the cost of each request, and nothing for a rejected one', async () => {
    const limiter = new MemoryRateLimiter(10);

    expect(await limiter.consume('a', 5)).toMatchObject({ limit: 10, remaining: 5, exceeded: false });
    expect(await limiter.consume('a')).toMatchObject({ remaining: 4, exceeded: false });
    expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 4, exceeded: true });
    expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 4, exceeded: true });
    expect(await limiter.consume('a', 4)).toMatchObject({ remaining: 0, exceeded: false });
    expect(await limiter.consume('a')).toMatchObject({ remaining: 0, exceeded: true });
    expect(await limiter.consume('b', 10)).toMatchObject({ remaining: 0, exceeded: false });
  });

  it('treats a cost above the limit as the whole limit', async () => {
    const limiter = new MemoryRateLimiter(3);

    expect(await limiter.consume('a', 10)).toMatchObject({ remaining: 0, exceeded: false });
    expect(await limiter.consume('a', 10)).toMatchObject({ exceeded: true });
  });

  it('counts all addresses of an IPv6 /64 together', async () => {
    const limiter = new MemoryRateLimiter(2, 60, networkOf);

    await limiter.consume('2001:db8:1:2::1');
    await limiter.consume('2001:db8:1:2:ffff::2');

    expect(await limiter.consume('2001:db8:1:2:3:4:5:6')).toMatchObject({ exceeded: true });
    expect(await limiter.consume('2001:db8:1:3::1')).toMatchObject({ exceeded: false });
  });
});
