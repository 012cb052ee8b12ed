import { createServer, type Server } from 'node:http';
import express from 'express';
import request from 'supertest';
import { streamArray } from '../../../src/http/api/stream-array';
import type { ApiResponse } from '../../../src/http/api/caller';

async function* pagesOf(pages: readonly (readonly number[])[], failure?: Error): AsyncGenerator<readonly number[]> {
  yield* pages;
  if (failure) throw failure;
}

describe('a streamed array', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  const serving = (pages: readonly (readonly number[])[], failure?: Error) => {
    const app = express();
    app.get('/', (_req, res) => streamArray(res as unknown as ApiResponse, pagesOf(pages, failure), (n) => ({ n })));
    server = createServer(app);
    return request(server).get('/');
  };

  it.each([
    ['none', []],
    ['an empty page', [[]]],
    ['one page', [[1, 2]]],
    ['several pages', [[1, 2], [3], [4]]],
    ['an empty page at the end', [[1, 2], []]],
  ])('is the whole list of %s', async (_what, pages: number[][]) => {
    const { body } = await serving(pages).expect(200);

    expect(body).toEqual(pages.flat().map((n) => ({ n })));
  });

  it('is cut and never closed where a later page fails', async () => {
    await expect(serving([[1], [2], [3]], new Error('the database went away'))).rejects.toThrow(
      /aborted|hang up|ECONNRESET/,
    );
  });
});
