import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ApiResponse } from './caller';

/**
 * Answers a JSON array of any length in the memory of one page. The first page is read before anything is sent, so
 * that a failure to begin with is an ordinary error; a later one cuts the connection, never the list.
 */
export async function streamArray<T>(res: ApiResponse, pages: AsyncIterable<readonly T[]>, present: (item: T) => object): Promise<void> {
  const reading = pages[Symbol.asyncIterator]();
  const first = await reading.next();
  res.type('application/json');
  await pipeline(Readable.from(jsonOf(first, reading, present)), res);
}

async function* jsonOf<T>(first: IteratorResult<readonly T[]>, reading: AsyncIterator<readonly T[]>, present: (item: T) => object): AsyncGenerator<string> {
  let opening = '[';
  for (let page = first; !page.done; page = await reading.next()) {
    if (page.value.length === 0) continue;
    yield opening + page.value.map((item) => JSON.stringify(present(item))).join(',');
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}
