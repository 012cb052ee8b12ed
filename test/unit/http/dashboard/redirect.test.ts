import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import session, { MemoryStore } from 'express-session';
import { redirect } from '../../../../src/http/dashboard/redirect';

/** Stores a session when the test says so. */
class HeldStore extends MemoryStore {
  private readonly held: (() => void)[] = [];

  override set(id: string, content: session.SessionData, done?: (error?: unknown) => void): void {
    this.held.push(() => super.set(id, content, done));
    this.emit('set');
  }

  release(): void {
    for (const store of this.held.splice(0)) store();
  }
}

it('redirects only after the session is stored, so that the next page has its flash message', async () => {
  const store = new HeldStore();
  const app = express();
  app.get('/other', (_req, res) => void res.end());
  app.use(session({ secret: 'secret', store, resave: false, saveUninitialized: true }), (_req, res) =>
    redirect(res, '/next'),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const arrived: IncomingMessage[] = [];
  const stored = once(store, 'set');
  const redirection = once(
    get({ port, path: '/' }, (response) => arrived.push(response.resume())),
    'response',
  );

  await stored;
  await once(
    get({ port, path: '/other' }, (response) => response.resume()),
    'close',
  );
  expect(arrived).toEqual([]);
  store.release();
  await redirection;
  server.close();

  expect(arrived.map(({ statusCode, headers }) => [statusCode, headers.location])).toEqual([[303, '/next']]);
});
