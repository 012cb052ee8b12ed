import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ApiResponse } from './caller';
import { sendJson } from './send-json';

/**
 * Answers a JSON array of any length in the memory of two pages. They are read before anything is sent, so that a
 * failure to begin with is an ordinary error; a later one cuts the connection, never the list. A list of one page is
 * sent whole.
 */
export async function streamArray<T>(
  res: ApiResponse,
  pages: AsyncIterable<readonly T[]>,
  present: (item: T) => object,
): Promise<void> {
  const reading = pages[Symbol.asyncIterator]();
  const begun = await upToTwo(reading);
  if (begun.length < 2) {
    sendJson(res, begun.flat().map(present));
    return;
  }
  res.type('application/json');
  await pipeline(Readable.from(jsonOf(begun, reading, present)), res);
}

async function upToTwo<T>(reading: AsyncIterator<T>): Promise<T[]> {
  const first = await reading.next();
  if (first.done) return [];
  const second = await reading.next();
  return second.done ? [first.value] : [first.value, second.value];
}

async function* jsonOf<T>(
  begun: (readonly T[])[],
  reading: AsyncIterator<readonly T[]>,
  present: (item: T) => object,
): AsyncGenerator<string> {
  let opening = '[';
  for await (const page of continued(begun, reading)) {
    if (page.length === 0) continue;
    yield opening + page.map((item) => JSON.stringify(present(item))).join(',');
    opening = ',';
  }
  yield ']';
}

/**
 * Empties `begun`: what is kept for as long as the list takes would teach V8 that such objects live long, and it would
 * place all of them where garbage is seldom collected.
 * Between two pages everybody else has a turn: SQLite reads them, and the client's system may take them, without anybody having to wait.
 */
async function* continued<T>(begun: T[], reading: AsyncIterator<T>): AsyncGenerator<T> {
  for (let page = begun.shift(); page; page = begun.shift()) yield page;
  for (let next = await reading.next(); !next.done; next = await reading.next()) {
    yield next.value;
    await yieldToEventLoop();
  }
}
