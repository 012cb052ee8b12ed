import { setImmediate as nextTurn } from 'node:timers/promises';

/** The same pieces of work; between two of them everybody else has a turn, as SQLite does its work in this very thread. */
export async function* inTurns<T>(pieces: Iterable<T>): AsyncGenerator<T> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    yield piece;
  }
}
