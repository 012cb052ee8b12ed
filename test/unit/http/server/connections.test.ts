import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import express, { type Response } from 'express';
import { addObserver } from '../../../../src/application/shared/observation';
import { errorHandler } from '../../../../src/http/shared/error-handler';
import { requestLog } from '../../../../src/http/server/request-log';
import { respond } from '../../../../src/http/shared/respond';
import { ok } from '../../../../src/http/shared/result';
import { requireTarget, createHttpServer } from '../../../../src/http/server/http-server';
import { oneAtATime, disconnectStalledReaders } from '../../../../src/http/server/connections';
import { RecordingLog } from '../../../support/fakes/recording-log';

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const MEBIBYTE = 2 ** 20;

async function listening(server: Server): Promise<() => Socket> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return () => connect((server.address() as AddressInfo).port, '127.0.0.1');
}

describe('pipelined requests', () => {
  const handled: { readonly path: string; readonly res: ServerResponse }[] = [];
  const handle: RequestListener = ({ url = '' }, res) => handled.push({ path: url, res });
  let server: Server;
  let client: Socket;

  beforeEach(async () => {
    handled.length = 0;
    server = createServer(oneAtATime(handle));
    client = (await listening(server))();
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  const arrived = async (count: number): Promise<void> => {
    while (handled.length < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('are handled one after another, in their order', async () => {
    client.write(GET('/1') + GET('/2') + GET('/3'));
    for (const count of [1, 2, 3]) {
      await arrived(count);
      expect(handled.map(({ path }) => path)).toEqual(['/1', '/2', '/3'].slice(0, count));
      handled.at(-1)?.res.end('done');
    }
  });

  it('are accepted up to 16 without a response, and the connection ends with the last of those', async () => {
    client.write(Array.from({ length: 8_000 }, (_, index) => GET(`/${index}`)).join(''));
    const responses = text(client);
    for (let count = 1; count <= 16; count += 1) {
      await arrived(count);
      handled[count - 1]?.res.end(`response ${count}\n`);
    }

    expect((await responses).match(/response \d+\n/g)).toHaveLength(16);
    expect(handled).toHaveLength(16);
  });

  it('are not handled after their client has gone', async () => {
    client.write(GET('/1') + GET('/2'));
    await arrived(1);
    client.destroy();
    await once(handled[0]?.res as ServerResponse, 'close');
    await new Promise((resolve) => setImmediate(resolve));

    expect(handled).toHaveLength(1);
  });
});

describe('a client that stops reading', () => {
  const PACE = { withinMs: 50, minBytes: 1_024, checkEveryMs: 10 };

  it('is disconnected while a response waits for it', async () => {
    const server = createServer((_req, res) => res.end(Buffer.alloc(64 * MEBIBYTE)));
    disconnectStalledReaders(server, PACE);
    const client = (await listening(server))();
    client.on('error', () => undefined).write(GET('/'));
    client.pause();

    const [, res] = (await once(server, 'request')) as [unknown, ServerResponse];
    await once(res, 'close');
    let bytes = 0;
    client.on('data', (chunk) => (bytes += chunk.length)).resume();
    await once(client, 'close');

    expect(bytes).toBeLessThan(64 * MEBIBYTE);
    server.close();
  });

  it('stays connected while nothing waits for it', async () => {
    const server = createServer((_req, res) => setTimeout(() => res.end('late'), 5 * PACE.withinMs));
    disconnectStalledReaders(server, PACE);
    const client = (await listening(server))();
    client.write(GET('/').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));

    expect(await text(client)).toMatch(/late$/);
    server.close();
  });

  it('has 30 seconds for 64 KiB at the server of the service', () => {
    const intervals = jest.spyOn(globalThis, 'setInterval');
    const server = createHttpServer(express());

    expect(intervals.mock.calls.map(([, every]) => every)).toContain(5_000);
    intervals.mockRestore();
    server.close();
  });
});

describe('a request target that cannot be parsed', () => {
  it.each(['http://[::1/', 'http://[::1/?token=secret'])(
    'is refused in the envelope, and logged without the target: %s',
    async (target) => {
      const log = new RecordingLog();
      const app = express().use(requestLog(log), requireTarget);
      app.use(errorHandler(log));
      const server = createHttpServer(app);
      const client = (await listening(server))();
      client.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

      expect(await text(client)).toMatch(
        /^HTTP\/1\.1 400 [^]*"code":"VALIDATION_ERROR"[^]*"details":"The request target is malformed"/,
      );
      expect(log.entries.map(({ message }) => message)).toEqual(['request']);
      expect(JSON.stringify(log.entries)).not.toMatch(/secret/);
      server.close();
    },
  );
});

describe('a response that its client does not receive in full', () => {
  const send: Readonly<Record<string, RequestListener>> = {
    '/waits': () => undefined,
    '/begun': (_req, res) => void res.write('{'),
    '/fails': (_req, res) => {
      res.write('{');
      throw new Error('a bug');
    },
  };

  it.each([
    ['that the client aborts, as 499', '/waits', 499],
    ['that the client aborts after it has begun, as 499', '/begun', 499],
    ['that the service breaks off, as 500', '/fails', 500],
  ])('is a request %s, in log and metrics', async (_what, path, status) => {
    const log = new RecordingLog();
    const events: unknown[] = [];
    const removeObserver = addObserver({ around: (_activity, work) => work(), event: (each) => events.push(each) });
    const app = express().use(requestLog(log));
    const received = new Promise<void>((resolve) => {
      app.get(path, (req, res) => {
        resolve();
        send[path]?.(req, res);
      });
    });
    app.use(errorHandler(log));
    const server = createHttpServer(app);
    const client = (await listening(server))().on('error', () => undefined);
    client.write(GET(path));
    await received;
    client.destroy();
    while (!log.entries.some(({ message }) => message === 'request')) await new Promise(setImmediate);
    removeObserver();
    server.close();

    const [entry] = log.entries.filter(({ message }) => message === 'request');
    expect(entry?.facts).toMatchObject({ status, aborted: true });
    expect(events).toMatchObject([{ kind: 'request', status, route: path }]);
  });
});

describe('a long response', () => {
  /** Takes one piece, and no more until it is told to. */
  class Reader extends Writable {
    readonly locals = {};
    readonly req = { fresh: false };
    readonly pieces: number[] = [];
    private proceed: () => void = () => undefined;
    setHeader(): void {}
    override _write(piece: Buffer, _encoding: unknown, done: () => void): void {
      this.pieces.push(piece.length);
      this.proceed = done;
    }
    readOn(): void {
      this.proceed();
    }
  }

  it.each([
    [
      'JSON',
      (res: Response) =>
        respond(res, ok(Array.from({ length: 10_000 }, (_, index) => ({ index, text: 'x'.repeat(100) })))),
    ],
    [
      'a text',
      (res: Response) => {
        const pieces = Array.from({ length: 16 }, () => Buffer.alloc(65_536, 'x'));
        return respond(res, { headers: {}, stream: { pieces, mediaType: 'text/dns' } });
      },
    ],
  ])('is written, if it is %s, in pieces of 64 KiB, no faster than it is read', async (_what, send) => {
    const reader = new Reader({ highWaterMark: 65_536 });
    const sent = send(reader as unknown as Response);
    while (reader.pieces.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));

    expect(reader.pieces).toHaveLength(1);
    expect(reader.writableLength).toBeLessThanOrEqual(2 * 65_536 + 200);
    while (!reader.writableFinished) {
      reader.readOn();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await sent;
    // A piece ends with the text that fills it.
    expect(Math.max(...reader.pieces)).toBeLessThanOrEqual(65_536 + 130);
    expect(reader.pieces.length).toBeGreaterThan(14);
  });
});
