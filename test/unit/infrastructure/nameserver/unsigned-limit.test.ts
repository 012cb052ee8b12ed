import { UnsignedLimit, type Verdict } from '../../../../src/infrastructure/nameserver/unsigned-limit';

const judge = (limit: UnsignedLimit, transport: 'udp' | 'tcp', count: number, address = '192.0.2.1', second = 1) =>
  Array.from({ length: count }, (): Verdict => limit.judge(transport, address, second));

describe('the limit of responses without a signature', () => {
  it('truncates every second UDP response above 20 a second, and drops the others', () => {
    const limit = new UnsignedLimit(20);

    expect(new Set(judge(limit, 'udp', 20))).toEqual(new Set(['respond']));
    expect(judge(limit, 'udp', 4)).toEqual(['truncate', 'drop', 'truncate', 'drop']);
  });

  it('refuses TCP requests above 100 a second, counted apart from UDP', () => {
    const limit = new UnsignedLimit(20);
    judge(limit, 'udp', 50);

    expect(new Set(judge(limit, 'tcp', 100))).toEqual(new Set(['respond']));
    expect(judge(limit, 'tcp', 1)).toEqual(['refuse']);
  });

  it('counts each address, each IPv6 /64 and each second for itself', () => {
    const limit = new UnsignedLimit(20);
    judge(limit, 'udp', 20);
    judge(limit, 'udp', 20, '2001:db8::1');

    expect(judge(limit, 'udp', 1, '192.0.2.2')).toEqual(['respond']);
    expect(judge(limit, 'udp', 1, '2001:db8::2')).toEqual(['truncate']);
    expect(judge(limit, 'udp', 1, '2001:db8:0:1::1')).toEqual(['respond']);
    expect(judge(limit, 'udp', 1, '192.0.2.1', 2)).toEqual(['respond']);
  });
});
