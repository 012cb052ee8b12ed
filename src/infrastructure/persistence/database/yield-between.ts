import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** The same pieces of work; between two of them everybody else has a turn, as SQLite does its work in this very thread. */
export async function* yieldBetween<T>(pieces: Iterable<T>): AsyncGenerator<T> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await yieldToEventLoop();
    isFirst = false;
    yield piece;
  }
}
