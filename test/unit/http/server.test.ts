import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { createHttpServer } from '../../../src/http/server';

describe('a client that is slow', () => {
  let server: Server;
  const app = express();
  app.use(express.text({ type: () => true }), (_req, res) => {
    res.send('all is said');
  });

  beforeEach(async () => {
    server = createHttpServer(app);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterEach(() => server.close());

  /** All that the server sends to whoever begins with `head` and says no more, until it hangs up. */
  async function answerTo(head: string): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    return text(socket);
  }

  it('has ten seconds for the head of its request and thirty for all of it', () => {
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000]);
  });

  it.each([
    ['the head', 'POST / HTTP/1.1\r\nHost: localhost\r\n'],
    ['the body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf'],
  ])('is told in the envelope, and hung up on, where %s does not arrive in time', async (_part, head) => {
    server.headersTimeout = 1;
    server.requestTimeout = 1;

    const answer = await answerTo(head);

    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nContent-Type: application\/json/);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({ error: { code: 'VALIDATION_ERROR', message: 'The request did not arrive in time' } });
  });
});
