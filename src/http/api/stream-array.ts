import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiResponse } from './caller';
import { sendJson } from './send-json';

/**
 * Answers a JSON array of any length in the memory of two pages. They are read before anything is sent, so that a
 * failure to begin with is an ordinary error; a later one cuts the connection, never the list. A list of one page is
 * sent whole.
 */
export async function streamArray<T>(res: ApiResponse, pages: AsyncIterable<readonly T[]>, present: (item: T) => object): Promise<void> {
  const reading = pages[Symbol.asyncIterator]();
  const first = await reading.next();
  const second = first.done ? first : await reading.next();
  if (second.done) {
    sendJson(res, first.done ? [] : first.value.map(present));
    return;
  }
  res.type('application/json');
  await pipeline(Readable.from(jsonOf([first.value, second.value], reading, present)), res);
}

async function* jsonOf<T>(read: readonly (readonly T[])[], reading: AsyncIterator<readonly T[]>, present: (item: T) => object): AsyncGenerator<string> {
  let opening = '[';
  for await (const page of continued(read, reading)) {
    if (page.length === 0) continue;
    yield opening + page.map((item) => JSON.stringify(present(item))).join(',');
    opening = ',';
  }
  yield ']';
}

/** Between two pages everybody else has a turn: SQLite reads them, and the client's system may take them, without anybody having to wait. */
async function* continued<T>(read: readonly T[], reading: AsyncIterator<T>): AsyncGenerator<T> {
  yield* read;
  for (let next = await reading.next(); !next.done; next = await reading.next()) {
    yield next.value;
    await nextTurn();
  }
}
