import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import express, { type ErrorRequestHandler, type Request } from 'express';
import { JSON_BODY, LARGE_JSON_BODY } from '../../../../src/http/api/request-body';

const uncounted = async () => {};

describe('a body', () => {
  it('is not taken for an absent body if its connection broke before it was read', async () => {
    const app = express();
    const outcome = new Promise<unknown>((resolve) => {
      app.use(
        (req, _res, next) => {
          req.socket.destroy();
          req.once('close', () => setImmediate(next));
        },
        (req, res, next) => void JSON_BODY.read(req, res, uncounted).then(resolve, next),
      );
      app.use(((error, _req, _res, _next) => resolve(error)) satisfies ErrorRequestHandler);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');

    const { port } = server.address() as AddressInfo;
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .write(
        'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"years":',
      );
    const error = await outcome;
    server.close();

    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'The body is not what its Content-Length or Content-Encoding says',
    });
  });

  it('does not keep the turn of a later one of its account if it is compressed and breaks off', async () => {
    const reads: Promise<unknown>[] = [];
    const app = express().use((req, res) => {
      res.locals['caller'] = { accountId: 'acc_1' };
      reads.push(
        LARGE_JSON_BODY.read(req, res, uncounted).then(
          (body) => res.json(body),
          (error: unknown) => error,
        ),
      );
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const begin = () => request({ port, host: '127.0.0.1', method: 'POST', agent: false, headers });

    for (let broken = 0; broken < 4; broken += 1) {
      const arrived = once(server, 'request');
      const call = begin().on('error', () => undefined);
      call.write(gzipSync('[]').subarray(0, 12));
      await arrived;
      call.destroy();
      expect(await reads[broken]).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    const [response] = (await once(begin().end(gzipSync('[]')), 'response')) as [{ statusCode: number }];
    server.close();
    server.closeAllConnections();

    expect(response.statusCode).toBe(200);
  });

  it('waits if it may be long until fewer than five of its account are received; others do not wait', async () => {
    const received: Request[] = [];
    const app = express().use((req, res) => {
      res.locals['caller'] = { accountId: req.headers['x-account'] };
      received.push(req);
      void LARGE_JSON_BODY.read(req, res, uncounted).then((body) => res.json(body));
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const begin = (account: string, length: object = {}) => {
      const headers = { 'content-type': 'application/json', 'x-account': account, ...length };
      const call = request({ port, host: '127.0.0.1', method: 'POST', agent: false, headers });
      call.write('[');
      return call;
    };

    const calls = [...Array.from({ length: 10 }, () => begin('acc_1')), begin('acc_2')];
    calls.push(begin('acc_1', { 'content-length': 2 }));
    while (received.length < calls.length) await nextIteration();
    const reading = received.filter((req) => req.listenerCount('data') > 0).map(({ headers }) => headers);
    const responses = calls.map((call) => once(call.end(']'), 'response') as Promise<[{ statusCode: number }]>);
    const statuses = (await Promise.all(responses)).map(([{ statusCode }]) => statusCode);
    server.close();
    server.closeAllConnections();

    expect(reading.filter((headers) => headers['x-account'] === 'acc_1' && !headers['content-length'])).toHaveLength(4);
    expect(reading).toHaveLength(6);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
