import * as dgram from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { DnsListener } from '../../../../src/infrastructure/nameserver/dns-listener';
import {
  ClientGone,
  type KeyOwner,
  type ResponseChannel,
} from '../../../../src/infrastructure/nameserver/wire/response-channel';
import { TcpChannel } from '../../../../src/infrastructure/nameserver/wire/tcp-channel';

jest.mock('node:dgram', () => ({
  ...jest.requireActual<typeof dgram>('node:dgram'),
  createSocket: jest.fn(jest.requireActual<typeof dgram>('node:dgram').createSocket),
}));

describe('the DNS listener', () => {
  it('drops a datagram from port 0, because no response can be sent to port 0', async () => {
    const respond = jest.fn(async () => undefined);
    const listener = new DnsListener({ respond });
    await listener.listen({ address: '127.0.0.1', port: 0 });
    const socket = jest.mocked(dgram.createSocket).mock.results.at(-1)?.value as dgram.Socket;

    for (const port of [0, 53])
      socket.emit('message', Buffer.alloc(12), { address: '192.0.2.1', port, family: 'IPv4', size: 12 });

    expect(respond).toHaveBeenCalledTimes(1);
    await listener.close();
  });

  it('closes a TCP connection that announces a long query without a valid signature, and reads a long UPDATE in pieces', async () => {
    const respond = jest.fn(async (_request: Buffer, channel: ResponseChannel) => channel.send(Buffer.alloc(12)));
    const listener = new DnsListener({ respond });
    const { address, port } = await listener.listen({ address: '127.0.0.1', port: 0 });
    const [query, update] = [message(0), message(5)];

    const stranger = connect(port, address);
    stranger.write(query.subarray(0, 5));
    await once(stranger.resume(), 'close');
    expect(respond).not.toHaveBeenCalled();

    const client = connect(port, address);
    client.setNoDelay(true);
    for (const piece of [
      update.subarray(0, 1),
      update.subarray(1, 4),
      update.subarray(4, 9_000),
      update.subarray(9_000),
    ])
      await new Promise<unknown>((resolve) => client.write(piece, resolve));
    await once(client, 'data');
    expect(respond.mock.calls.map(([request]) => request)).toEqual([update.subarray(2)]);

    client.destroy();
    await listener.close();
  });

  it('closes connections of strangers, then of keys of accounts, and never those of secondaries for new ones of a full network', async () => {
    const owners: readonly (KeyOwner | undefined)[] = [undefined, 'account', 'secondary'];
    const listener = new DnsListener({
      respond: async (request: Buffer, channel: ResponseChannel) => {
        const owner = owners[request.readUInt8(0)];
        if (owner) channel.markAuthenticated(owner);
        await channel.send(request);
      },
    });
    const { address, port } = await listener.listen({ address: '127.0.0.1', port: 0 });
    /** Undefined if it is refused. */
    const open = async (owner: KeyOwner | undefined): Promise<Socket | undefined> => {
      const client = connect(port, address).on('error', () => undefined);
      client.write(Buffer.from([0, 12, owners.indexOf(owner), ...Buffer.alloc(11)]));
      const isServed = await Promise.race([
        once(client, 'data').then(() => true),
        once(client, 'close').then(() => false),
      ]);
      return isServed ? client.resume() : undefined;
    };
    const openAll = async (count: number, owner: KeyOwner | undefined): Promise<readonly Socket[]> => {
      const clients: Socket[] = [];
      for (let index = 0; index < count; index += 1) {
        const client = await open(owner);
        if (!client) throw new Error('refused');
        clients.push(client);
      }
      return clients;
    };

    const [stranger] = await openAll(1, undefined);
    const accounts = await openAll(32, 'account');
    await openAll(31, undefined);
    const [secondary] = await openAll(1, 'secondary');
    await untilClosed(stranger);
    expect(accounts.some((client) => client.closed)).toBe(false);

    await openAll(1, 'account');
    await openAll(1, undefined);
    await untilClosed(accounts[0]);

    const secondaries = [secondary, ...(await openAll(63, 'secondary'))];
    expect(await open('account')).toBeUndefined();
    expect(secondaries.some((client) => client?.closed)).toBe(false);

    await listener.close();
  });

  it('reads a request that arrived over TCP during a stall of this process, however long that was, and closes idle connections', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
    const listener = new DnsListener({ respond: async (_request, channel) => channel.send(Buffer.alloc(12)) });
    const { address, port } = await listener.listen({ address: '127.0.0.1', port: 0 });
    const client = connect(port, address);
    while (listener.openConnections === 0) await yieldToEventLoop();

    // Timers that are due come before sockets that can be read.
    client.write(Buffer.from([0, 12, ...Buffer.alloc(12)]));
    jest.advanceTimersByTime(60_000);
    const first = await Promise.race([
      once(client, 'data').then(() => 'served'),
      once(client, 'close').then(() => 'closed'),
    ]);
    expect(first).toBe('served');
    while (!client.closed) {
      jest.advanceTimersByTime(60_000);
      await yieldToEventLoop();
    }

    jest.useRealTimers();
    await listener.close();
  });

  it('waits until the operating system has the last message before it waits for the next request', async () => {
    let written: (() => void) | undefined;
    const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => void (written = done) });
    const channel = new TcpChannel(socket as Socket, { respond: async () => undefined });
    let isSent = false;

    const sending = channel.send(Buffer.alloc(12)).then(() => (isSent = true));
    await yieldToEventLoop();
    expect(isSent).toBe(false);
    written?.();
    await sending;

    const cut = channel.send(Buffer.alloc(12));
    channel.close();
    await expect(cut).rejects.toBeInstanceOf(ClientGone);
    await expect(channel.send(Buffer.alloc(12))).rejects.toBeInstanceOf(ClientGone);
  });
});

async function untilClosed(client: Socket | undefined): Promise<void> {
  if (client && !client.closed) await once(client, 'close');
}

/** A message of 10,000 octets after its length field. */
function message(opcode: number): Buffer {
  const bytes = Buffer.alloc(10_002, 1);
  bytes.writeUInt16BE(10_000, 0);
  bytes.writeUInt8(opcode << 3, 4);
  return bytes;
}
