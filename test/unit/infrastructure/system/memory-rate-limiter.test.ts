import { MemoryRateLimiter } from '../../../../src/infrastructure/system/memory-rate-limiter';
import { networkOf } from '../../../../src/infrastructure/system/network-of';

describe('a rate limiter in memory', () => {
  it('counts the cost of each request, and nothing for a refused one', async () => {
    const limiter = new MemoryRateLimiter(10);

    expect(await limiter.consume('a', 5)).toMatchObject({ limit: 10, remaining: 5, exceeded: false });
    expect(await limiter.consume('a')).toMatchObject({ remaining: 4, exceeded: false });
    expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 4, exceeded: true });
    expect(await limiter.consume('a', 5)).toMatchObject({ remaining: 4, exceeded: true });
    expect(await limiter.consume('a', 4)).toMatchObject({ remaining: 0, exceeded: false });
    expect(await limiter.consume('a')).toMatchObject({ remaining: 0, exceeded: true });
    expect(await limiter.consume('b', 10)).toMatchObject({ remaining: 0, exceeded: false });
  });

  it('takes a cost above the limit for the whole limit', async () => {
    const limiter = new MemoryRateLimiter(3);

    expect(await limiter.consume('a', 10)).toMatchObject({ remaining: 0, exceeded: false });
    expect(await limiter.consume('a', 10)).toMatchObject({ exceeded: true });
  });

  it('counts all addresses of one IPv6 network together', async () => {
    const limiter = new MemoryRateLimiter(2, 60, networkOf);

    await limiter.consume('2001:db8:1:2::1');
    await limiter.consume('2001:db8:1:2:ffff::2');

    expect(await limiter.consume('2001:db8:1:2:3:4:5:6')).toMatchObject({ exceeded: true });
    expect(await limiter.consume('2001:db8:1:3::1')).toMatchObject({ exceeded: false });
  });
});
