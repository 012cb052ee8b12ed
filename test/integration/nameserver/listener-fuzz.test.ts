import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from 'dns-packet';
import * as fc from 'fast-check';
import { SERVICE } from '../../../src/domain/access/actor';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { DnsListener } from '../../../src/infrastructure/nameserver/dns-listener';
import { Responder } from '../../../src/infrastructure/nameserver/responder';
import { noAccountKeys } from '../../support/nameservers/no-account-keys';
import { aDomain } from '../../support/data/a-domain';
import { sendUdp, frame, requestFor, signRequest } from '../../support/nameservers/primary-client';
import { SEED, seeded } from '../../support/seeded';
import { UseCaseContext } from '../../support/use-cases/use-case-context';

const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const TIMERS = { refresh: 3600, retry: 600, expire: 86_400, negative: 300 };

/** Valid requests, mutated requests and random octets. */
function requests(): fc.Arbitrary<Buffer> {
  const types = fc.constantFrom('SOA' as const, 'AXFR' as const, 'IXFR' as const, 'A' as const, 'ANY' as const);
  const names = fc.constantFrom('example.com', 'catalog.example', 'example.org', '', 'a.'.repeat(120));
  const valid = fc.tuple(types, names, fc.boolean(), fc.nat(2 ** 32 - 1)).map(([type, name, isSigned, serial]) => {
    const request = requestFor({ type: type as 'SOA', name, serial });
    return isSigned ? signRequest(request, KEY) : request;
  });
  const changed = fc
    .tuple(
      valid,
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 4 }),
      fc.nat(400),
      fc.uint8Array({ maxLength: 40 }),
    )
    .map(([request, octets, end, tail]) => {
      const bytes = Buffer.from(request);
      for (const [at, octet] of octets) if (at < bytes.length) bytes[at] = octet;
      return Buffer.concat([
        bytes.subarray(0, Math.max(0, bytes.length - (end > 300 ? end - 300 : 0))),
        Buffer.from(end % 5 === 0 ? tail : []),
      ]);
    });
  return fc.oneof(
    { weight: 1, arbitrary: valid },
    { weight: 6, arbitrary: changed },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 700 }).map((octets) => Buffer.from(octets)) },
  );
}

function errorsOf({ log }: UseCaseContext): readonly string[] {
  return log.entries.filter(({ level }) => level === 'error').map(({ message }) => message);
}

describe(`the DNS listener under random requests (seed ${SEED})`, () => {
  const around = new UseCaseContext();
  const directory = around.storage.secondaryDirectory;
  const settings = { catalogZone: 'catalog.example', primaryName: undefined, contact: undefined, timers: TIMERS };
  const clock = { now: () => new Date() };
  const listener = new DnsListener(
    new Responder({
      zones: around.storage.publishedZones,
      directory,
      clock,
      log: around.log,
      settings,
      ...noAccountKeys(),
    }),
  );
  let at: Endpoint;

  beforeAll(async () => {
    await around.storage.run(async ({ domains, zones }) => {
      await domains.add(aDomain());
      await zones.create(aDomain().id, { actor: SERVICE, at: new Date() });
    });
    await directory.addKey(KEY, new Date());
    await directory.add({
      name: 'ns1',
      endpoint: { address: '127.0.0.1', port: 9 },
      keyName: KEY.name,
      signs: false,
      createdAt: new Date(),
    });
    at = await listener.listen({ address: '127.0.0.1', port: 0 });
  });

  afterAll(() => listener.close());

  const query = (): Promise<Buffer | undefined> =>
    sendUdp(at, signRequest(requestFor({ type: 'SOA', name: 'example.com' }), KEY), 2_000);

  const isAlive = async (): Promise<void> => {
    // UDP packets may be lost under load; a secondary retries.
    let answer = await query();
    while (!answer) answer = await query();
    expect(decode(answer).answers).toMatchObject([{ type: 'SOA', name: 'example.com' }]);
  };

  it('answers the next valid UDP request and logs no error', async () => {
    const socket = createSocket('udp4');
    let answered = 0;
    socket.on('message', (message) => {
      answered += 1;
      expect(message.length).toBeLessThanOrEqual(1_500);
    });

    for (const [sent, request] of fc.sample(requests(), seeded(1_500)).entries()) {
      socket.send(request, at.port, at.address);
      if (sent % 16 === 0) await sleep(1);
    }
    await isAlive();

    socket.close();
    expect(answered).toBeGreaterThan(0);
    expect(errorsOf(around)).toEqual([]);
  });

  it('closes every TCP connection, answers the next valid request and logs no error', async () => {
    const streams = fc.array(fc.tuple(requests(), fc.boolean()), { minLength: 1, maxLength: 6 });
    for (const stream of fc.sample(streams, seeded(375))) {
      const socket = connect(at.port, at.address).on('error', () => undefined);
      await once(socket, 'connect');
      const closed = once(socket, 'close');
      socket.resume();
      socket.end(Buffer.concat(stream.map(([request, isFramed]) => (isFramed ? frame(request) : request))));
      await closed;
    }
    await isAlive();

    while (listener.openConnections > 0) await sleep(20);
    expect(errorsOf(around)).toEqual([]);
  });

  it('closes connections that are reset during a zone transfer', async () => {
    for (let round = 0; round < 50; round += 1) {
      const socket = connect(at.port, at.address).on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(
        Buffer.concat(
          Array.from({ length: 20 }, () => frame(signRequest(requestFor({ type: 'AXFR', name: 'example.com' }), KEY))),
        ),
      );
      await sleep(1);
      socket.resetAndDestroy();
    }
    await isAlive();

    while (listener.openConnections > 0) await sleep(20);
    expect(errorsOf(around)).toEqual([]);
  });
});
