import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { JSON_BODY } from '../../../../src/http/api/request-body';

describe('a body', () => {
  it('whose connection broke before it was read is not taken for an absent body', async () => {
    const app = express();
    const outcome = new Promise<unknown>((resolve) => {
      app.use(
        (req, _res, next) => {
          req.socket.destroy();
          req.once('close', () => setImmediate(next));
        },
        (req, res, next) => void JSON_BODY.read(req, res).then(resolve, next),
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
});
