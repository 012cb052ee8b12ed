import { createServer, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as immediately } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import express, { type Response } from 'express';
import request from 'supertest';
import { respond } from '../../../../src/http/shared/respond';
import { ok, okStream } from '../../../../src/http/shared/result';
import { UnreadResponses, unreadResponses } from '../../../../src/http/shared/unread-responses';

async function* pagesOf(pages: readonly (readonly number[])[], failure?: Error): AsyncGenerator<readonly number[]> {
  yield* pages;
  if (failure) throw failure;
}

const LONG = Array.from({ length: 501 }, (_, index) => index);
/** Its text is longer than what is sent whole. */
const VERY_LONG = Array.from({ length: 60_000 }, (_, index) => index);

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
    ['a very long page', [VERY_LONG, [1]]],
    ['an empty page before a very long one', [[], VERY_LONG]],
  ])('is sent whole if it has %s', async (_what, pages: number[][]) => {
    const { body } = await serving(pages).expect(200);

    expect(body).toEqual(pages.flat().map((n) => ({ n })));
  });

  it('is cut off without its closing bracket if a later page fails', async () => {
    await expect(serving([VERY_LONG, [2], [3]], new Error('the database went away'))).rejects.toThrow(
      /aborted|hang up|ECONNRESET/,
    );
  });

  it('is written in pieces of 256 KiB, each in its own iteration of the event loop', async () => {
    let [presented, most] = [0, 0];
    const present = (n: number) => {
      presented += 1;
      return { n, content: 'x'.repeat(16_384) };
    };
    const app = express();
    app.get('/', (_req, res) => respond(res, okStream(pagesOf([LONG]), present)));
    let next: NodeJS.Immediate;
    const observe = () => {
      most = Math.max(most, presented);
      presented = 0;
      next = immediately(observe);
    };
    next = immediately(observe);

    const { body } = await request(app).get('/').expect(200);
    clearImmediate(next);

    expect(body).toHaveLength(501);
    expect(most).toBe(16);
  });

  it('is an ordinary error if a page of a short list fails', async () => {
    await serving([[1], [2], [3]], new Error('the database went away')).expect(500);
  });

  it.each([
    ['whole, with its length, if its text has no more than 512 KiB', [50_000, 8_254], '524288'],
    ['in pieces if it has more', [50_000, 8_255], undefined],
  ])('is sent %s', async (_what, counts, length) => {
    const pages = counts.map((count) => Array.from({ length: count }, () => 10));

    const { headers } = await serving(pages).expect(200);

    expect(headers['content-length']).toBe(length);
  });
});

it.each([
  ['a short body', () => ok({ n: 1 })],
  ['a long body', () => ok({ entries: LONG })],
  ['a short list', () => okStream(pagesOf([[1]]), (n: number) => ({ n }))],
  ['a long list', () => okStream(pagesOf([VERY_LONG, [1]]), (n: number) => ({ n }))],
])('JSON of %s ends with one line feed', async (_which, result) => {
  const app = express();
  app.get('/', (_req, res) => respond(res, result()));

  const { text } = await request(app).get('/').expect(200);

  expect(text).toMatch(/[}\]]\n$/);
  expect(text.split('\n')).toHaveLength(2);
});

async function* textsOf(lengths: readonly number[]): AsyncGenerator<string[]> {
  for (const length of lengths) yield ['x'.repeat(length - 10), 'x'.repeat(10)];
}

const stalledReader = (accountId: string) =>
  Object.assign(new PassThrough({ highWaterMark: 1 }), { locals: { caller: { accountId } } });

const stalled = (responses: UnreadResponses, accountId: string, lengths = [20, 10]) => {
  const res = stalledReader(accountId);
  const pieces = lengths.map((length) => Buffer.alloc(length));
  const sending = responses.send(res as unknown as Response, pieces).catch(() => undefined);
  return Object.assign(res, { sending });
};

describe('responses that clients do not read', () => {
  it('are cut off beyond the limit, the oldest of the account with the most unread bytes first', async () => {
    const responses = new UnreadResponses(100);

    const all = ['other', 'slow', 'slow', 'slow', 'slow'].map((accountId) => stalled(responses, accountId));

    expect(all.map(({ destroyed }) => destroyed)).toEqual([false, true, true, false, false]);
    for (const res of all) res.destroy();
    await Promise.all(all.map(({ sending }) => sending));
    expect(stalled(responses, 'slow').destroyed).toBe(false);
  });

  it('count without the pieces that were read', async () => {
    const responses = new UnreadResponses(100);
    const first = stalled(responses, 'reads', [20, 20, 20, 20, 20]);
    for (let read = 0; read < 80; await setImmediate()) read += (first.read() as Buffer | null)?.length ?? 0;

    const second = stalled(responses, 'reads', [50]);

    expect([first.destroyed, second.destroyed]).toEqual([false, false]);
    for (const res of [first, second]) res.destroy();
    await Promise.all([first.sending, second.sending]);
  });

  it('count once for all responses with the same text, until the last of them is sent', async () => {
    const responses = new UnreadResponses(100);
    const text = [Buffer.alloc(60)];
    const shared = ['first', 'second'].map(() => stalledReader('reads'));
    const sending = shared.map((res) => responses.sendShared(res as unknown as Response, text).catch(() => undefined));

    const other = stalled(responses, 'reads', [40]);
    expect([...shared, other].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    const oneMore = stalled(responses, 'reads', [1]);
    expect([...shared, other, oneMore].map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
    for (const res of [other, oneMore]) res.destroy();
    await Promise.all([...sending, other.sending, oneMore.sending]);
  });

  it('count by the page that a list has in memory, without the pages before it', async () => {
    const responses = new UnreadResponses(100);
    const first = stalledReader('reads');
    const sending = responses.sendPages(first as unknown as Response, textsOf([60, 30])).catch(() => undefined);
    for (let read = 0; read < 60; await setImmediate()) read += (first.read() as Buffer | null)?.length ?? 0;

    const second = stalled(responses, 'reads', [90]);
    expect([first.destroyed, second.destroyed]).toEqual([false, false]);
    const third = stalled(responses, 'reads', [1]);
    expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    for (const res of [second, third]) res.destroy();
    await Promise.all([sending, second.sending, third.sending]);
  });

  it.each([
    [65_536, 0],
    [65_537, 1],
  ])('count if they are JSON of more than 64 KiB: one of %d bytes', async (bytes, times) => {
    const watch = jest.spyOn(unreadResponses, 'watch');
    const app = express();
    app.get('/', (_req, res) => respond(res, ok('x'.repeat(bytes - 3))));

    await request(app).get('/').expect(200).expect('Content-Length', String(bytes));

    expect(watch).toHaveBeenCalledTimes(times);
    watch.mockRestore();
  });
});
