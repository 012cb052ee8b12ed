import { gunzipSync } from 'node:zlib';
import express, { type Request, type Response } from 'express';
import request from 'supertest';
import { staticContent } from '../../../../src/http/shared/static-content';

const TEXT = 'body { color: red }\n'.repeat(500);

describe('static content', () => {
  const app = express().get('/', staticContent(Buffer.from(TEXT), '.css'));
  const raw = (encoding: string) =>
    request(app)
      .get('/')
      .set('Accept-Encoding', encoding)
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => done(null, Buffer.concat(chunks)));
      });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ])('is sent to a client that accepts %p as %p', async (accepted, encoding) => {
    const { headers } = await raw(accepted).expect(200).expect('content-type', /css/).expect('vary', 'Accept-Encoding');

    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('is compressed once for any number of requests', async () => {
    const handler = staticContent(Buffer.from(TEXT), '.css');
    const sent: Buffer[] = [];
    const res = { setHeader: () => undefined, type: () => undefined, send: (body: Buffer) => sent.push(body) };
    for (let count = 0; count < 3; count += 1)
      await handler(
        { acceptsEncodings: () => 'gzip' } as unknown as Request,
        res as unknown as Response,
        () => undefined,
      );

    expect(new Set(sent).size).toBe(1);
    expect(gunzipSync(sent[0] ?? '').toString()).toBe(TEXT);
  });
});
