import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { decode, encode, TRUNCATED_RESPONSE, type Packet } from 'dns-packet';
import type { AccountTsigKey } from '../../../../src/application/access/api-keys/find-tsig-key';
import type { TsigKey } from '../../../../src/domain/dns/secondaries/tsig-key';
import { Responder, type ResponderParts } from '../../../../src/infrastructure/nameserver/responder';
import type { Transport } from '../../../../src/infrastructure/nameserver/wire/response-channel';
import { publicCase } from '../../../support/data/public-cases';
import { noAccountKeys } from '../../../support/nameservers/no-account-keys';
import { requestFor, signRequest } from '../../../support/nameservers/primary-client';
import { dnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { UseCaseContext } from '../../../support/use-cases/use-case-context';

const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const TIMERS = { refresh: 3600, retry: 600, expire: 86_400, negative: 300 };
const keyOf = (accountId: string) =>
  ({ ...KEY, apiKey: { keyId: 'k', accountId, limits: null } }) as unknown as AccountTsigKey;
const longName = (letter: string) => `${letter.repeat(60)}.${letter.repeat(60)}.${letter.repeat(60)}.example`;
const EDNS: Packet = {
  additionals: [
    {
      type: 'OPT',
      name: '.',
      udpPayloadSize: 1_232,
      extendedRcode: 0,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    },
  ],
};

describe('the response to a secondary with an SOA of more than 512 octets', () => {
  let around: UseCaseContext;

  beforeEach(async () => {
    around = new UseCaseContext();
    const { clock, storage } = around;
    await around.givenDomain();
    await storage.secondaryDirectory.addKey(KEY, clock.now());
    await storage.secondaryDirectory.add({
      name: 'ns1',
      endpoint: { address: '127.0.0.1', port: 9 },
      keyName: KEY.name,
      signs: false,
      createdAt: clock.now(),
    });
  });

  it('is NOTIMP for a signed request that is neither a query nor an update', async () => {
    const NOTIFY = 4 << 11;

    expect(await respond('udp', { flags: NOTIFY })).toMatchObject({ messages: 1, rcode: 4, answers: 0 });
  });

  it.each([
    ['accepted', 59, 0],
    ['unknown', 59, 5],
    ['busy', 59, 5],
    ['accepted', 6, 5],
  ] as const)('to NOTIFY of a child is given without a key: %s, type %i, RCODE %i', async (outcome, type, rcode) => {
    const names: string[] = [];
    const notices = {
      execute: async (name: string) => {
        names.push(name);
        return outcome;
      },
    };
    const sent: Buffer[] = [];
    const request = encode({
      type: 'query',
      id: 7,
      flags: 4 << 11,
      questions: [{ type: type === 59 ? 'CDS' : 'SOA', name: 'Child.Example.com' }],
    });

    await newResponder({ notices }).respond(request, {
      transport: 'udp',
      address: '192.0.2.1',
      send: async (message) => void sent.push(message),
      markAuthenticated: () => undefined,
      close: () => undefined,
    });

    const response = decode(sent[0] ?? Buffer.alloc(12));
    expect(response).toMatchObject({ id: 7, type: 'response', opcode: 'NOTIFY' });
    expect((response.flags ?? 0) & 15).toBe(rcode);
    expect(names).toEqual(type === 59 ? ['child.example.com'] : []);
  });

  it.each([true, false])(
    'counts as a use of an account key only from the networks of the key: %s',
    async (isAllowed) => {
      let uses = 0;
      const key = keyOf('acc_1');

      await respond(
        'udp',
        {},
        newResponder({
          accountKeys: { execute: async () => key, recordUse: () => void (uses += 1) },
          updates: { ...noAccountKeys().updates, isAllowedFrom: () => isAllowed },
        }),
      );

      expect(uses).toBe(isAllowed ? 1 : 0);
    },
  );

  it('asks a client whose key is for some networks to come over TCP, because the address of a UDP packet can be forged', async () => {
    const key = { ...keyOf('acc_1'), apiKey: { ...keyOf('acc_1').apiKey, limits: { networks: ['192.0.2.0/24'] } } };
    const { updateZone } = dnsUseCases(around);
    const responder = newResponder({
      accountKeys: { execute: async () => key, recordUse: () => undefined },
      updates: { ...noAccountKeys().updates, isAllowedFrom: updateZone.isAllowedFrom.bind(updateZone) },
    });
    const UPDATE = 5 << 11;

    expect(await respond('udp', {}, responder)).toMatchObject({ answers: 0, isTruncated: true });
    expect(await respond('udp', { flags: UPDATE }, responder)).toMatchObject({ rcode: 5, isTruncated: false });
    expect(await respond('tcp', { flags: UPDATE }, responder)).not.toMatchObject({ isTruncated: true });
    expect(warnings()).toContainEqual(
      expect.objectContaining({
        facts: expect.objectContaining({ reason: expect.stringContaining('the key is for TCP') }),
      }),
    );
  });

  it('serves 64 requests of an account over UDP at once, drops more, and serves other accounts meanwhile', async () => {
    const waiting: (() => void)[] = [];
    let accountId = 'acc_1';
    const responder = newResponder({
      accountKeys: { execute: async () => keyOf(accountId), recordUse: () => undefined },
      accountLimiter: {
        consume: async (id) => {
          if (id === 'acc_1') await new Promise<void>((resolve) => waiting.push(resolve));
          return undefined;
        },
      },
    });
    const send = (transport: Transport) => respond(transport, {}, responder);

    const overUdp = Array.from({ length: 65 }, () => send('udp'));
    const overTcp = send('tcp');
    await yieldToEventLoop();
    expect(waiting).toHaveLength(65);
    accountId = 'acc_2';
    expect(await send('udp')).toMatchObject({ messages: 1 });

    for (const release of waiting) release();
    expect((await Promise.all(overUdp)).filter(({ messages }) => messages === 1)).toHaveLength(64);
    expect(await overTcp).toMatchObject({ messages: 1 });
  });

  it('closes a TCP connection of an account with 64 requests over TCP at once, even if their clients are gone', async () => {
    const waiting: (() => void)[] = [];
    const responder = newResponder({
      accountKeys: { execute: async () => keyOf('acc_1'), recordUse: () => undefined },
      accountLimiter: { consume: () => new Promise((resolve) => waiting.push(() => resolve(undefined))) },
    });

    const overTcp = Array.from({ length: 65 }, () => respond('tcp', {}, responder));
    await yieldToEventLoop();
    for (const release of waiting) release();
    const results = await Promise.all(overTcp);

    expect(results.filter(({ messages }) => messages === 1)).toHaveLength(64);
    expect(results.filter(({ isClosed }) => isClosed)).toHaveLength(1);
  });

  const warnings = () => around.log.entries.filter(({ level }) => level === 'warn');
  const send = async (bytes: Buffer, address = '192.0.2.1', responder = newResponder({})) => {
    const channel = { transport: 'tcp', address, markAuthenticated: () => undefined, close: () => undefined } as const;
    await responder.respond(bytes, { ...channel, send: async () => undefined });
  };

  it.each([
    ['BADKEY: no active key has this name', { ...KEY, name: 'unknown' }],
    ['BADKEY: the key is for hmac-sha256', { ...KEY, algorithm: 'hmac-sha512' }],
    ['BADSIG: the secret is another one', { ...KEY, secret: Buffer.alloc(32, 2) }],
  ] as const)('is refused with the reason in the log, once in ten minutes: %s', async (reason, key) => {
    const responder = newResponder({});
    const request = signRequest(requestFor({ type: 'SOA', name: 'example.com' }), key, around.clock.now());
    await send(request, '192.0.2.1', responder);
    await send(request, '192.0.2.1', responder);

    expect(warnings()).toMatchObject([
      {
        message: 'a DNS request with an invalid TSIG signature was refused',
        facts: { key: key.name, algorithm: key.algorithm, address: '192.0.2.1', reason },
      },
    ]);
  });

  it('is refused with the reason in the log if it is signed with an algorithm that no key here has', async () => {
    const signed = signRequest(requestFor({ type: 'SOA', name: 'example.com' }), KEY, around.clock.now());

    const [, algorithm = ''] = /-y (hmac-\w+):/.exec(publicCase('18-hmac-sha1.sh')) ?? [];

    await send(withAlgorithm(signed, algorithm));

    expect(warnings()).toMatchObject([
      { facts: { key: KEY.name, algorithm: 'hmac-sha1', reason: 'BADKEY: the key is for hmac-sha256' } },
    ]);
  });

  it('logs a refused zone transfer of a known secondary, and none of a stranger', async () => {
    const unsigned = requestFor({ type: 'AXFR', name: 'example.com' });
    await send(unsigned, '198.51.100.1');
    expect(warnings()).toEqual([]);

    await send(unsigned, '127.0.0.1');
    await send(signRequest(requestFor({ type: 'AXFR', name: 'other.example' }), KEY, around.clock.now()));

    expect(warnings().map(({ message, facts }) => ({ message, ...facts }))).toMatchObject([
      {
        message: 'a zone transfer was refused',
        secondary: 'ns1',
        zone: 'example.com',
        reason: 'the request is not signed with the key ns1',
      },
      { message: 'a zone transfer was refused', secondary: 'ns1', zone: 'other.example' },
    ]);
  });

  function newResponder(parts: Partial<ResponderParts>): Responder {
    const { clock, log, storage } = around;
    const settings = {
      catalogZone: 'catalog.example',
      primaryName: longName('p'),
      contact: longName('c'),
      timers: TIMERS,
    };
    return new Responder({
      zones: storage.publishedZones,
      directory: storage.secondaryDirectory,
      clock,
      log,
      settings,
      ...noAccountKeys(),
      ...parts,
    });
  }

  async function respond(transport: Transport, more: Packet = {}, responder = newResponder({})) {
    const sent: Buffer[] = [];
    let isClosed = false;
    const request = requestFor({ type: 'SOA', name: 'example.com' }, more);
    await responder.respond(signRequest(request, KEY, around.clock.now()), {
      transport,
      address: '192.0.2.1',
      send: async (message) => void sent.push(message),
      markAuthenticated: () => undefined,
      close: () => void (isClosed = true),
    });
    const { flags = 0, answers } = decode(sent[0] ?? Buffer.alloc(12));
    return {
      messages: sent.length,
      isClosed,
      rcode: flags & 15,
      isTruncated: (flags & TRUNCATED_RESPONSE) !== 0,
      answers: answers?.length,
      fits: (sent[0]?.length ?? 0) <= 512,
    };
  }

  it('is truncated over UDP without EDNS, so that the client retries over TCP', async () => {
    expect(await respond('udp')).toMatchObject({ messages: 1, isTruncated: true, answers: 0, fits: true });
  });

  it.each([
    ['over UDP with EDNS', 'udp', EDNS],
    ['over TCP', 'tcp', {}],
  ] as const)('is complete %s', async (_title, transport, more) => {
    expect(await respond(transport, more)).toMatchObject({
      messages: 1,
      isTruncated: false,
      answers: 1,
      fits: false,
    });
  });
});

/** The message with another name of an algorithm in its TSIG record, and the length of the record's data that this gives. */
function withAlgorithm(message: Buffer, algorithm: string): Buffer {
  const before = Buffer.from('\x0bhmac-sha256\0');
  const after = Buffer.from(`${String.fromCharCode(algorithm.length)}${algorithm}\0`);
  const at = message.indexOf(before);
  const changed = Buffer.concat([message.subarray(0, at), after, message.subarray(at + before.length)]);
  changed.writeUInt16BE(message.readUInt16BE(at - 2) + after.length - before.length, at - 2);
  return changed;
}
