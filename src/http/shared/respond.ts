import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { jsonTexts } from '../../application/shared/json-task';
import { waitForNextSlice, runCooperatively } from '../../application/shared/run-cooperatively';
import { inPieces, PIECE_LENGTH } from '../../application/shared/text-pieces';
import { LongList } from './long-list';
import type { ApiResult, ItemStream, JsonResult, ResultHeaders } from './result';
import { accountOf, unreadResponses } from './unread-responses';

/** Arrays of more entries are serialized cooperatively, and streamed lists of more are sent as they are read. */
const MAX_SHORT_LIST = 500;
/** Written at once. A page of short items is no longer. */
const MAX_PIECE_LENGTH = 4 * PIECE_LENGTH;

/**
 * The only function that sends a result. A GET whose If-None-Match has the result's ETag gets 304. It returns the promise of a
 * stream and does not await it: else the result would stay in memory until the client has read it.
 */
export async function respond(res: Response, result: ApiResult): Promise<void> {
  if ('body' in result)
    return result.isLong || isLong(result.body) ? respondLongJson(res, result) : respondJson(res, result);
  const { headers, stream } = result;
  if ('pages' in stream) return sendItems(res, headers, stream);
  setHead(res, 200, headers);
  res.setHeader('Content-Type', stream.mediaType);
  return unreadResponses.sendShared(res, stream.pieces);
}

/** For a short body, which ends with a line feed as every JSON body: a terminal shows its prompt on the next line. `res.json` handles other kinds of bodies as well, which costs as much as a database look-up. */
export function respondJson(res: Response, { status, headers, body }: JsonResult): void {
  setHead(res, status, headers);
  if (sendIfFresh(res)) return;
  const json = `${JSON.stringify(body)}\n`;
  const bytes = Buffer.byteLength(json);
  setContent(res, headers, bytes);
  // As a string, it goes out in one piece with the head.
  res.end(json);
  if (bytes > PIECE_LENGTH) unreadResponses.watch(res, bytes);
}

async function respondLongJson(res: Response, { status, headers, body }: JsonResult): Promise<void> {
  setHead(res, status, headers);
  if (sendIfFresh(res)) return;
  const pieces = await runCooperatively(inPieces(withLineFeed(jsonTexts(body))), accountOf(res));
  setContent(
    res,
    headers,
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  return unreadResponses.send(res, pieces);
}

function* withLineFeed(texts: Iterable<string>): Generator<string> {
  yield* texts;
  yield '\n';
}

function setHead(res: Response, status: number, headers: ResultHeaders): void {
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}

/** Sends 304 if the client has the body already. */
function sendIfFresh(res: Response): boolean {
  if (!res.req.fresh) return false;
  res.status(304).end();
  return true;
}

function setContent(res: Response, headers: ResultHeaders, length: number): void {
  res.setHeader('Content-Type', headers['Content-Type'] ?? 'application/json; charset=utf-8');
  res.setHeader('Content-Length', length);
}

function isLong(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  if (Array.isArray(body)) return body.length > MAX_SHORT_LIST;
  for (const name in body) {
    const member: unknown = (body as Record<string, unknown>)[name];
    if (member instanceof LongList || (Array.isArray(member) && member.length > MAX_SHORT_LIST)) return true;
  }
  return false;
}

/**
 * Sends a JSON array of any length in the memory of a few pages. A short list is sent whole. The beginning of a long one is read
 * before anything is sent, so that an early failure is an ordinary error; a later one cuts the connection and never closes the array.
 */
async function sendItems(res: Response, headers: ResultHeaders, stream: ItemStream): Promise<void> {
  const reading = stream.pages[Symbol.asyncIterator]();
  const { pages, isWhole } = await readBeginning(reading);
  if (isWhole) {
    const items = pages.flat().map((item) => stream.present(item));
    respondJson(res, { status: 200, headers, body: items });
    return;
  }
  setHead(res, 200, headers);
  res.setHeader('Content-Type', headers['Content-Type'] ?? 'application/json; charset=utf-8');
  await pipeline(Readable.from(jsonOf(continued(pages, reading), stream, accountOf(res))), res);
}

/** All pages of a short list, or the first ones of a long list. */
async function readBeginning<T>(
  reading: AsyncIterator<readonly T[]>,
): Promise<{ pages: (readonly T[])[]; isWhole: boolean }> {
  const pages: (readonly T[])[] = [];
  for (let count = 0; count <= MAX_SHORT_LIST;) {
    const next = await reading.next();
    if (next.done) return { pages, isWhole: true };
    pages.push(next.value);
    count += next.value.length;
  }
  return { pages, isWhole: false };
}

/** A page of long items takes several slices. */
async function* jsonOf(
  pages: AsyncIterable<readonly unknown[]>,
  stream: ItemStream,
  accountId: string,
): AsyncGenerator<string> {
  let [piece, before] = ['', '['];
  for await (const page of pages) {
    for (const item of page) {
      piece += before + JSON.stringify(stream.present(item));
      before = ',';
      if (piece.length < MAX_PIECE_LENGTH) continue;
      yield piece;
      piece = '';
      await waitForNextSlice(accountId);
    }
    if (piece !== '') yield piece;
    piece = '';
  }
  yield ']\n';
}

/** Empties `first`: objects that are kept for the whole list would be moved to V8's old generation (docs/decisions/0011). */
async function* continued<T>(first: T[], reading: AsyncIterator<T>): AsyncGenerator<T> {
  for (let page = first.shift(); page; page = first.shift()) yield page;
  for (let next = await reading.next(); !next.done; next = await reading.next()) yield next.value;
}
