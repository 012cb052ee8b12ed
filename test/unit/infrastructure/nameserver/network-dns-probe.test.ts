import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import type { Endpoint } from '../../../../src/domain/dns/secondaries/secondary';
import { NetworkDnsProbe } from '../../../../src/infrastructure/nameserver/health/network-dns-probe';
import { PublicAddresses } from '../../../../src/infrastructure/network/public-addresses';
import { RecordingLog } from '../../../support/fakes/recording-log';

const REFUSED = 5;
const QUESTION = { name: 'example.com', type: 'A' } as const;

describe('the probe of health checks', () => {
  let log: RecordingLog;
  let resolver: Socket;
  let endpoint: Endpoint;

  beforeAll(async () => {
    resolver = createSocket('udp4');
    resolver.on('message', (bytes, from) => {
      const { id, questions } = decode(bytes);
      resolver.send(encode({ type: 'response', id, flags: REFUSED, questions }), from.port, from.address);
    });
    resolver.bind(0, '127.0.0.1');
    await once(resolver, 'listening');
    endpoint = { address: '127.0.0.1', port: resolver.address().port };
  });
  afterAll(() => resolver.close());
  beforeEach(() => {
    log = new RecordingLog();
  });

  it('tells the operator once that no resolver answers', async () => {
    const probe = new NetworkDnsProbe({ resolvers: [endpoint] }, new PublicAddresses([]), log);

    await probe.resolve(QUESTION);
    await probe.resolve(QUESTION);

    expect(log.entries).toEqual([expect.objectContaining({ level: 'warn' })]);
  });

  it('says without names of settings that it has no resolver, and tells the operator once', async () => {
    const probe = new NetworkDnsProbe({ resolvers: [] }, new PublicAddresses([]), log);

    const lookup = await probe.resolve(QUESTION);
    await probe.resolve(QUESTION);

    expect(lookup).toEqual({ kind: 'failed', reason: 'this service has no resolver for health checks' });
    expect(log.entries).toEqual([expect.objectContaining({ level: 'info' })]);
  });
});
