import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { createHttpServer } from '../../../src/http/server/http-server';

describe('a client that is slow', () => {
  let server: Server;
  const logged: number[] = [];
  let release: () => void;
  const app = express().disable('x-powered-by');
  app.use((_req, res, next) => {
    res.setHeader('X-Request-Id', 'r1');
    res.on('close', () => logged.push(res.statusCode));
    next();
  });
  app.get('/runCooperatively', (_req, res) => {
    release = () => res.send('all is said');
  });
  app.use(express.text({ type: () => true }), (_req, res) => {
    res.send('all is said');
  });

  beforeEach(async () => {
    logged.length = 0;
    server = createHttpServer(app);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterEach(() => server.close());

  /** All that the server sends to a client that sends `head` and nothing more, until it closes the connection. */
  async function answerTo(head: string): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    return text(socket);
  }

  it('has ten seconds for the header of its request and thirty for all of it', () => {
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000]);
  });

  it.each([
    ['the head', 'POST / HTTP/1.1\r\nHost: localhost\r\n'],
    ['the body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf'],
  ])('gets a JSON error and is disconnected if %s does not arrive in time', async (_part, head) => {
    server.headersTimeout = 1;
    server.requestTimeout = 1;

    const answer = await answerTo(head);

    expect(answer).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n(?:X-Request-Id: r1\r\n)?Content-Type: application\/json/,
    );
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      error: { code: 'VALIDATION_ERROR', message: 'The request did not arrive in time' },
    });
  });

  it.each([
    ['whose body does not arrive in time', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf', 408],
    [
      'whose body has an invalid chunk',
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
      400,
    ],
    [
      'whose chunks have more to say than fits',
      `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5;${'x'.repeat(20_000)}\r\nhello`,
      413,
    ],
  ])('gets the status that is logged, for a request %s', async (_case, request, status) => {
    // A busy machine may take longer to read the header.
    if (status === 408) server.once('request', () => (server.requestTimeout = 1));

    const answer = await answerTo(request);

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nX-Request-Id: r1\r\n`));
    expect(logged).toEqual([status]);
  });

  it('gets the response to one request although the next does not arrive in time', async () => {
    server.once('request', () => (server.headersTimeout = 1));
    const told = new Promise<void>((resolve) => {
      server.once('clientError', () => resolve());
    });

    const answer = answerTo('GET /runCooperatively HTTP/1.1\r\nHost: localhost\r\n\r\nGET /next HTTP/1.1\r\n');
    await told;
    release();

    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n(?:.*\r\n)*\r\nall is said$/);
    expect(logged).toEqual([200]);
  });
});
