import * as dgram from 'node:dgram';
import { DnsListener } from '../../../../src/infrastructure/nameserver/dns-listener';
import type { Responder } from '../../../../src/infrastructure/nameserver/responder';

jest.mock('node:dgram', () => ({
  ...jest.requireActual<typeof dgram>('node:dgram'),
  createSocket: jest.fn(jest.requireActual<typeof dgram>('node:dgram').createSocket),
}));

describe('the DNS listener', () => {
  it('drops a datagram from port 0, because no response can be sent to port 0', async () => {
    const respond = jest.fn(async () => undefined);
    const listener = new DnsListener({ respond } as unknown as Responder);
    await listener.listen({ address: '127.0.0.1', port: 0 });
    const socket = jest.mocked(dgram.createSocket).mock.results.at(-1)?.value as dgram.Socket;

    for (const port of [0, 53])
      socket.emit('message', Buffer.alloc(12), { address: '192.0.2.1', port, family: 'IPv4', size: 12 });

    expect(respond).toHaveBeenCalledTimes(1);
    await listener.close();
  });
});
