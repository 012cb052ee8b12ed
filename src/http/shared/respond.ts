import type { Response } from 'express';
import { jsonTexts } from '../../application/shared/json-task';
import { waitForNextSlice, runCooperatively } from '../../application/shared/run-cooperatively';
import { inPieces, PIECE_LENGTH } from '../../application/shared/text-pieces';
import { LongList } from './long-list';
import type { ApiResult, ItemStream, JsonResult, ResultHeaders } from './result';
import { accountOf, lengthOf, unreadResponses } from './unread-responses';

/** Arrays of more entries are serialized cooperatively. */
const MAX_SHORT_ARRAY = 500;
/** Written at once. A page of short items is no longer. */
const MAX_PIECE_LENGTH = 4 * PIECE_LENGTH;
/** Streamed lists with a longer text are sent as they are read. */
const MAX_SHORT_LIST_LENGTH = 2 * MAX_PIECE_LENGTH;
const JSON_TYPE = 'application/json; charset=utf-8';

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
  respondText(res, status, headers, () => `${JSON.stringify(body)}\n`);
}

/** `text` is called if the client has not the body already. */
function respondText(res: Response, status: number, headers: ResultHeaders, text: () => string): void {
  setHead(res, status, headers);
  if (sendIfFresh(res)) return;
  const json = text();
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
  res.setHeader('Content-Type', headers['Content-Type'] ?? JSON_TYPE);
  res.setHeader('Content-Length', length);
}

function isLong(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  if (Array.isArray(body)) return body.length > MAX_SHORT_ARRAY;
  for (const name in body) {
    const member: unknown = (body as Record<string, unknown>)[name];
    if (member instanceof LongList || (Array.isArray(member) && member.length > MAX_SHORT_ARRAY)) return true;
  }
  return false;
}

/**
 * Sends a JSON array of any length in the memory of a few pages. A short list is sent whole. The beginning of a long one is read
 * before anything is sent, so that an early failure is an ordinary error; a later one cuts the connection and never closes the array.
 */
async function sendItems(res: Response, headers: ResultHeaders, stream: ItemStream): Promise<void> {
  const reading = jsonOf(stream, accountOf(res));
  const { pages, isWhole } = await readBeginning(reading);
  if (isWhole) return respondText(res, 200, headers, () => pages.flat().join(''));
  setHead(res, 200, headers);
  res.setHeader('Content-Type', headers['Content-Type'] ?? JSON_TYPE);
  return unreadResponses.sendPages(res, continued(pages, reading));
}

/** All pages of a short list, or the first ones of a long list. */
async function readBeginning(reading: AsyncIterator<string[]>): Promise<{ pages: string[][]; isWhole: boolean }> {
  const pages: string[][] = [];
  for (let length = 0; length <= MAX_SHORT_LIST_LENGTH;) {
    const next = await reading.next();
    if (next.done) return { pages, isWhole: true };
    pages.push(next.value);
    length += lengthOf(next.value);
  }
  return { pages, isWhole: false };
}

/** The pieces of each page. While it waits for the client, it keeps a page's text and none of its items. */
async function* jsonOf(stream: ItemStream, accountId: string): AsyncGenerator<string[]> {
  const reading = stream.pages[Symbol.asyncIterator]();
  const piecesOfNextPage = async (before: string) => {
    const { done, value } = await reading.next();
    return done ? undefined : piecesOf(value, stream, before, accountId);
  };
  let before = '[';
  for (let pieces = await piecesOfNextPage(before); pieces; pieces = await piecesOfNextPage(before)) {
    if (pieces.length > 0) before = ',';
    yield pieces;
  }
  yield [before === '[' ? '[]\n' : ']\n'];
}

/** Each piece takes a slice. */
async function piecesOf(
  items: readonly unknown[],
  stream: ItemStream,
  before: string,
  accountId: string,
): Promise<string[]> {
  const pieces: string[] = [];
  let [piece, separator] = ['', before];
  for (const item of items) {
    piece += separator + JSON.stringify(stream.present(item));
    separator = ',';
    if (piece.length < MAX_PIECE_LENGTH) continue;
    pieces.push(piece);
    piece = '';
    await waitForNextSlice(accountId);
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

/** Empties `first`: texts that are kept for the whole list would be moved to V8's old generation (docs/decisions/0011). */
async function* continued<T>(first: T[], reading: AsyncIterator<T>): AsyncGenerator<T> {
  for (let page = first.shift(); page; page = first.shift()) yield page;
  for (let next = await reading.next(); !next.done; next = await reading.next()) yield next.value;
}
