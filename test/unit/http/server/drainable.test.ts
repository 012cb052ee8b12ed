import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { drainable } from '../../../../src/http/server/connections';

const TIMEOUT_MS_MS = 60_000;
const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

describe('a server that drains', () => {
  const inHand: ServerResponse[] = [];
  let server: Server;
  let announce: () => void;
  let drain: () => Promise<void>;
  let client: Socket;

  beforeEach(async () => {
    inHand.length = 0;
    server = createServer((_req, res) => inHand.push(res)).listen(0, '127.0.0.1');
    const draining = drainable(server);
    announce = () => draining.announce();
    drain = () => draining.close(TIMEOUT_MS_MS);
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  const arrived = async (count: number): Promise<void> => {
    while (inHand.length < count) await once(server, 'request');
  };

  it('serves new connections after the announcement, and ends each with its response', async () => {
    client.write(GET('/before'));
    await arrived(1);

    announce();
    const other = connect((server.address() as AddressInfo).port, '127.0.0.1');
    other.write(GET('/after'));
    await arrived(2);
    inHand.forEach((res) => res.end('served'));

    for (const connection of [client, other])
      expect(await text(connection)).toMatch(/Connection: close\r\n[^]*served$/);
  });

  it('finishes requests in progress, then closes their connections', async () => {
    client.write(GET('/'));
    await arrived(1);
    const drained = drain();

    inHand[0]?.end('late');

    expect(await text(client)).toMatch(/Connection: close\r\n[^]*late$/);
    await drained;
  });

  it('answers all requests of a connection before it closes the connection', async () => {
    client.write(GET('/1') + GET('/2'));
    await arrived(2);
    const drained = drain();

    inHand.forEach((res, index) => res.end(`answer ${index + 1}`));

    expect(await text(client)).toMatch(/Connection: keep-alive\r\n[^]*answer 1[^]*Connection: close\r\n[^]*answer 2$/);
    await drained;
  });

  it('does not wait for connections whose responses are complete', async () => {
    client.write(GET('/'));
    await arrived(1);
    inHand[0]?.end('done');
    await once(client, 'data');

    await drain();

    expect(await text(client)).toBe('');
  });
});
