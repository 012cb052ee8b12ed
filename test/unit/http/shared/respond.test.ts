import { createServer, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import express, { type Response } from 'express';
import request from 'supertest';
import { respond } from '../../../../src/http/shared/respond';
import { okStream } from '../../../../src/http/shared/result';
import { UnreadResponses } from '../../../../src/http/shared/unread-responses';

async function* pagesOf(pages: readonly (readonly number[])[], failure?: Error): AsyncGenerator<readonly number[]> {
  yield* pages;
  if (failure) throw failure;
}

describe('a streamed list', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  const serving = (pages: readonly (readonly number[])[], failure?: Error) => {
    const app = express();
    app.get('/', (_req, res) =>
      respond(
        res,
        okStream(pagesOf(pages, failure), (n) => ({ n })),
      ),
    );
    server = createServer(app);
    return request(server).get('/');
  };

  it.each([
    ['no pages', []],
    ['an empty page', [[]]],
    ['one page', [[1, 2]]],
    ['several pages', [[1, 2], [3], [4]]],
    ['an empty page at the end', [[1, 2], []]],
  ])('is sent whole if it has %s', async (_what, pages: number[][]) => {
    const { body } = await serving(pages).expect(200);

    expect(body).toEqual(pages.flat().map((n) => ({ n })));
  });

  it('is cut off without its closing bracket if a later page fails', async () => {
    await expect(serving([[1], [2], [3]], new Error('the database went away'))).rejects.toThrow(
      /aborted|hang up|ECONNRESET/,
    );
  });
});

describe('responses that clients do not read', () => {
  it('are cut off beyond the limit, the oldest of the account with the most unread bytes first', async () => {
    const responses = new UnreadResponses(100);
    const stalled = (accountId: string): PassThrough & { readonly sending: Promise<void> } => {
      const res = Object.assign(new PassThrough({ highWaterMark: 1 }), { locals: { caller: { accountId } } });
      const sending = responses.send(res as unknown as Response, [Buffer.alloc(20), Buffer.alloc(10)], 30);
      return Object.assign(res, { sending: sending.catch(() => undefined) });
    };

    const all = ['other', 'slow', 'slow', 'slow', 'slow'].map(stalled);

    expect(all.map(({ destroyed }) => destroyed)).toEqual([false, true, true, false, false]);
    for (const res of all) res.destroy();
    await Promise.all(all.map(({ sending }) => sending));
    expect(stalled('slow').destroyed).toBe(false);
  });
});
