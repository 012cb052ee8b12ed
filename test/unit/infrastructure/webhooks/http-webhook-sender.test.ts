import { getEventListeners, once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { generate } from 'selfsigned';
import type { HostAddresses } from '../../../../src/infrastructure/network/host-addresses';
import type { Network } from '../../../../src/infrastructure/network/public-addresses';
import { HttpWebhookSender } from '../../../../src/infrastructure/webhooks/http-webhook-sender';
import { ReceiverAddresses } from '../../../../src/infrastructure/webhooks/receiver-addresses';
import { Receiver } from '../../../support/webhooks/receiver';

const LOOPBACK: readonly Network[] = [{ address: '127.0.0.0', prefix: 8 }];
const NO_ADDRESS = { error: 'the host has no public address', ms: expect.any(Number) };
const toThisMachine = async () => ({ ipv4: ['127.0.0.1'], ipv6: [] });
const running = new AbortController().signal;

const senderTo = (networks: readonly Network[], resolve?: (host: string) => Promise<HostAddresses>, options = {}) =>
  new HttpWebhookSender(new ReceiverAddresses(networks, resolve), options);
const message = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"id":"evt_1"}' });

describe('sending to a receiver', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.stop());

  it('posts the body with its headers, once, and returns status and first kilobyte of the response', async () => {
    receiver.answers(202, 'y'.repeat(5_000), { 'retry-after': '7' });

    const result = await senderTo(LOOPBACK).send(message(receiver.url), running);

    expect(result).toEqual({ status: 202, body: 'y'.repeat(1_024), ms: expect.any(Number), retryAfterMs: 7_000 });
    expect(receiver.requests).toMatchObject([
      {
        method: 'POST',
        path: '/in',
        body: '{"id":"evt_1"}',
        headers: { 'webhook-id': 'evt_1', 'content-length': '14' },
      },
    ]);
  });

  it('does not follow redirects', async () => {
    receiver.answers(307, '', { location: `${receiver.url}/elsewhere` });

    expect(await senderTo(LOOPBACK).send(message(receiver.url), running)).toMatchObject({ status: 307 });
    expect(receiver.requests).toHaveLength(1);
  });

  it('gives up on a receiver that does not respond in time', async () => {
    receiver.answer = () => undefined;

    const result = await senderTo(LOOPBACK, undefined, { timeoutMs: 50 }).send(message(receiver.url), running);

    expect(result).toEqual({ error: 'no response within 10 seconds', ms: expect.any(Number) });
  });

  it('gives up at once on a receiver that answers with another protocol', async () => {
    receiver.answers(101, '', { connection: 'Upgrade', upgrade: 'other' });

    const result = await senderTo(LOOPBACK).send(message(receiver.url), running);

    expect(result).toEqual({ error: 'the connection was closed before a response', ms: expect.any(Number) });
  });

  it('returns nothing if the process stops meanwhile', async () => {
    const stopping = new AbortController();
    receiver.answer = () => stopping.abort();

    expect(await senderTo(LOOPBACK).send(message(receiver.url), stopping.signal)).toBeUndefined();
  });

  it('leaves nothing at the signal that the process stops', async () => {
    const [stopping, unused] = [new AbortController().signal, new AbortController().signal];

    await senderTo(LOOPBACK).send(message(receiver.url), stopping);

    expect(getEventListeners(stopping, 'abort')).toEqual([]);
    // Signals that AbortSignal.any makes of it are remembered in a property.
    expect(Object.getOwnPropertySymbols(stopping)).toEqual(Object.getOwnPropertySymbols(unused));
  });

  it('says that a connection is refused, in words without the URL', async () => {
    const { url } = receiver;
    const free = await Receiver.start();
    const gone = url.replace(String(receiver.port), String(free.port));
    await free.stop();

    const result = await senderTo(LOOPBACK).send(message(`${gone}?token=secret`), running);

    expect(result).toEqual({ error: 'the connection was refused', ms: expect.any(Number) });
  });

  it('refuses a certificate that is not trusted, before it sends anything', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'hooks.example.com' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'hooks.example.com' }] }],
    });
    const server = createTlsServer({ key, cert });
    const tls = await Receiver.start(server);
    const send = (host: string, options = {}) =>
      senderTo(LOOPBACK, toThisMachine, options).send(message(`https://${host}:${tls.port}/`), running);

    const results = [
      await send('hooks.example.com'),
      await send('other.example.com', { ca: cert }),
      await send('hooks.example.com', { ca: cert }),
    ];
    await tls.stop();

    expect(results).toMatchObject([
      { error: expect.stringContaining('SELF_SIGNED') },
      { error: expect.stringContaining('ALTNAME_INVALID') },
      { status: 204 },
    ]);
    expect(tls.requests).toHaveLength(1);
  });
});

describe('addresses that are not public', () => {
  let server: Server;
  let connections = 0;
  let port: number;
  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    server.listen(0, '::');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.close();
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0',
    'localhost',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00::1]',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.168.0.1',
    '172.16.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ])('get no connection: %s', async (host) => {
    connections = 0;

    const results = await Promise.all(
      ['http', 'https'].map((scheme) => senderTo([]).send(message(`${scheme}://${host}:${port}/`), running)),
    );

    expect(results).toEqual([NO_ADDRESS, NO_ADDRESS]);
    expect(connections).toBe(0);
  });

  it('get no connection by a name, whatever it resolves to after it was checked', async () => {
    connections = 0;
    const answers = [['127.0.0.1'], ['203.0.113.1'], ['127.0.0.1']];
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return { ipv4: answers.shift() ?? [], ipv6: [] };
    };
    const sender = senderTo([{ address: '203.0.113.0', prefix: 24 }], resolve, { timeoutMs: 100 });
    const url = `https://rebinding.example:${port}/`;

    const results = [await sender.send(message(url), running), await sender.send(message(url), running)];

    expect(results[0]).toEqual(NO_ADDRESS);
    expect(results[1]).toMatchObject({ error: expect.not.stringContaining('public') });
    expect(asked).toEqual(['rebinding.example', 'rebinding.example']);
    expect(connections).toBe(0);
  });

  it('get a connection in networks that the operator permits, and public ones without TLS none', async () => {
    const addresses = new ReceiverAddresses([{ address: '10.1.0.0', prefix: 16 }], async () => ({
      ipv4: ['10.1.0.9', '10.2.0.9', '198.41.0.4'],
      ipv6: ['fd00::1', '2001:503:ba3e::2:30'],
    }));

    expect(await addresses.of(new URL('http://hooks.example/'))).toEqual(['10.1.0.9']);
    expect(await addresses.of(new URL('https://hooks.example/'))).toEqual([
      '10.1.0.9',
      '198.41.0.4',
      '2001:503:ba3e::2:30',
    ]);
  });
});
