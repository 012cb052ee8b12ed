import { MemoryRateLimiter } from '../../../../src/infrastructure/limits/memory-rate-limiter';
import { networkOf } from '../../../../src/infrastructure/system/network-of';

describe('the in-memory rate limiter', () => {
  it('counts all addresses of an IPv6 /64 together', async () => {
    const limiter = new MemoryRateLimiter({ limit: 2, windowSeconds: 60, groupOf: networkOf });

    await limiter.consume('2001:db8:1:2::1');
    await limiter.consume('2001:db8:1:2:ffff::2');

    expect(await limiter.consume('2001:db8:1:2:3:4:5:6')).toMatchObject({ exceeded: true });
    expect(await limiter.consume('2001:db8:1:3::1')).toMatchObject({ exceeded: false });
  });
});
