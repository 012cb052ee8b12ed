import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { jsonTask } from '../../application/json-task';
import { runCooperatively } from '../../application/run-cooperatively';
import { LongList } from './long-list';
import type { ApiResult, ItemStream, JsonResult, ResultHeaders } from './result';
import { streamLines } from './stream-lines';
import { accountOf, unreadResponses } from './unread-responses';

const PIECE_BYTES = 65_536;
/** Arrays of more entries are serialized cooperatively, and streamed lists of more are sent as they are read. */
const MAX_SHORT_LIST = 500;

/**
 * The only function that sends a result. A GET whose If-None-Match has the result's ETag gets 304. It returns the promise of a
 * stream and does not await it: else the result would stay in memory until the client has read it.
 */
export async function respond(res: Response, result: ApiResult): Promise<void> {
  if ('body' in result) return isLong(result.body) ? respondLongJson(res, result) : respondJson(res, result);
  const { headers, stream } = result;
  if ('pages' in stream) return sendItems(res, headers, stream);
  setHead(res, 200, headers);
  res.setHeader('Content-Type', stream.mediaType);
  return streamLines(res, stream.lines);
}

/** For a short body. `res.json` handles other kinds of bodies as well, which costs as much as a database look-up. */
export function respondJson(res: Response, { status, headers, body }: JsonResult): void {
  setHead(res, status, headers);
  if (sendIfFresh(res)) return;
  const json = JSON.stringify(body);
  const bytes = Buffer.byteLength(json);
  setContent(res, headers, bytes);
  // As a string, it goes out in one piece with the head.
  res.end(json);
  if (bytes > PIECE_BYTES) unreadResponses.watch(res, bytes);
}

async function respondLongJson(res: Response, { status, headers, body }: JsonResult): Promise<void> {
  setHead(res, status, headers);
  if (sendIfFresh(res)) return;
  const octets = Buffer.from(await runCooperatively(jsonTask(body), accountOf(res)));
  setContent(res, headers, octets.length);
  if (octets.length > PIECE_BYTES) return unreadResponses.send(res, [...piecesOf(octets)]);
  res.end(octets);
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

/** Copies, written no faster than the client reads: sent pieces are freed, and a slow client can be told from a stalled one. */
function* piecesOf(octets: Buffer): Generator<Buffer> {
  for (let at = 0; at < octets.length; at += PIECE_BYTES) yield Buffer.from(octets.subarray(at, at + PIECE_BYTES));
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
  const { pages, isWhole } = await beginningOf(reading);
  if (isWhole) {
    const items = pages.flat().map((item) => stream.present(item));
    respondJson(res, { status: 200, headers, body: items });
    return;
  }
  setHead(res, 200, headers);
  res.setHeader('Content-Type', headers['Content-Type'] ?? 'application/json; charset=utf-8');
  await pipeline(Readable.from(jsonOf(pages, reading, stream)), res);
}

/** All pages of a short list, or the first ones of a long list. */
async function beginningOf<T>(
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

async function* jsonOf(
  first: (readonly unknown[])[],
  reading: AsyncIterator<readonly unknown[]>,
  stream: ItemStream,
): AsyncGenerator<string> {
  let opening = '[';
  for await (const page of continued(first, reading)) {
    if (page.length === 0) continue;
    yield opening + page.map((item) => JSON.stringify(stream.present(item))).join(',');
    opening = ',';
  }
  yield ']';
}

/** Empties `first`: objects that are kept for the whole list would be moved to V8's old generation (docs/decisions/0011). */
async function* continued<T>(first: T[], reading: AsyncIterator<T>): AsyncGenerator<T> {
  for (let page = first.shift(); page; page = first.shift()) yield page;
  for (let next = await reading.next(); !next.done; next = await reading.next()) yield next.value;
}
