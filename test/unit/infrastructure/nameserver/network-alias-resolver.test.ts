import { NetworkAliasResolver } from '../../../../src/infrastructure/nameserver/network-alias-resolver';
import { PublicAddresses } from '../../../../src/infrastructure/network/public-addresses';
import { requireEndpoint } from '../../../../src/domain/dns/secondaries/secondary';
import { StubResolver } from '../../../support/nameservers/stub-resolver';

function createResolver(...addresses: readonly string[]): NetworkAliasResolver {
  const networks = [{ address: '10.1.0.0', prefix: 16 }];
  return new NetworkAliasResolver(
    { resolvers: addresses.map((each) => requireEndpoint(each)), queriesPerSecond: 1_000 },
    new PublicAddresses(networks),
  );
}

describe('the resolver for ALIAS records', () => {
  let stub: StubResolver;
  let resolver: NetworkAliasResolver;
  let address: string;

  beforeEach(async () => {
    stub = new StubResolver();
    address = await stub.start();
    resolver = createResolver(address);
  });

  afterEach(() => stub.stop());

  it('returns the records of an answer in lower case, with canonical addresses', async () => {
    stub.records = ['www.test 300 CNAME LB.test', 'LB.test 60 AAAA 2001:DB8:0:0::1'];

    const response = await resolver.query('www.test', 'AAAA');

    expect(response).toEqual({
      kind: 'answered',
      records: [
        { name: 'www.test', type: 'CNAME', ttl: 300, data: 'lb.test' },
        { name: 'lb.test', type: 'AAAA', ttl: 60, data: '2001:db8::1' },
      ],
      negativeTtl: undefined,
    });
  });

  it('returns how long a negative answer is valid: the lower one of the TTL and the minimum of the SOA', async () => {
    expect(await resolver.query('www.test', 'A')).toEqual({ kind: 'answered', records: [], negativeTtl: 90 });
  });

  it('asks over TCP if the answer is truncated', async () => {
    stub.records = ['www.test 300 A 198.51.100.1'];
    stub.isTruncating = true;

    expect(await resolver.query('www.test', 'A')).toMatchObject({ records: [{ data: '198.51.100.1' }] });
  });

  it('ignores responses with another id or question, and queries', async () => {
    stub.records = ['www.test 300 A 203.0.113.1'];
    stub.spoofed = [
      { id: 1 },
      { questions: [{ name: 'other.test', type: 'A' }] },
      { questions: [{ name: 'www.test', type: 'AAAA' }] },
      { type: 'query' },
    ].map((change) => ({ answers: [{ name: 'www.test', type: 'A', ttl: 1, data: '198.51.100.66' }], ...change }));

    const response = await resolver.query('www.test', 'A');

    expect(response).toMatchObject({ records: [{ data: '203.0.113.1' }] });
    expect(stub.queries).toHaveLength(1);
  });

  it('reads a response that arrived during a stall of this process, however long that was', async () => {
    const { setTimeout: schedule } = globalThis;
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
    stub.records = ['www.test 300 A 198.51.100.1'];
    stub.alter = (response) => {
      schedule(() => jest.advanceTimersByTime(60_000), 1);
      // The response has been sent by then. Timers that are due come before sockets that can be read.
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5));
      return response;
    };

    const response = await resolver.query('www.test', 'A').finally(() => jest.useRealTimers());

    expect(response).toMatchObject({ records: [{ data: '198.51.100.1' }] });
    expect(stub.queries).toHaveLength(1);
  });

  it('fails with the response code, or if the server does not offer recursion', async () => {
    stub.rcode = 2;
    const failing = await resolver.query('www.test', 'A');
    stub.rcode = 0;
    stub.alter = (response) => ({ ...response, flags: 0 });
    const authoritative = await resolver.query('www.test', 'A');

    expect([failing, authoritative]).toEqual([
      { kind: 'failed', reason: `the resolver ${address} responded SERVFAIL` },
      { kind: 'failed', reason: `the resolver ${address} does not offer recursion` },
    ]);
  });

  it('asks the next resolver if one does not answer', async () => {
    const failing = new StubResolver();
    failing.rcode = 5;
    const both = createResolver(await failing.start(), address);

    const response = await both.query('www.test', 'A');

    failing.stop();
    expect(response).toMatchObject({ kind: 'answered' });
  });

  it('allows public addresses and those of configured networks', () => {
    const addresses = ['198.41.0.4', '10.0.0.1', '10.1.2.3', '127.0.0.1', '2001:500::1', 'fd00::1', '::1'];

    expect(addresses.filter((each) => resolver.isPublishable(each))).toEqual(['198.41.0.4', '10.1.2.3', '2001:500::1']);
  });
});
