import { createServer, type Server } from 'node:http';
import express from 'express';
import request from 'supertest';
import { respond } from '../../../../src/http/shared/respond';
import { okStream } from '../../../../src/http/shared/result';

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
