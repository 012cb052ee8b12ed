import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Long work that can pause at every `yield`; it takes at most a few milliseconds from one to the next, whatever its input. */
export type CooperativeTask<T> = Generator<void, T, void>;

/** Short enough not to be noticed; an iteration of the event loop costs much less. */
const SLICE_MS = 5;

let last: Promise<void> = Promise.resolve();

/** Each in its own iteration of the event loop: other work waits for one slice, and not for one of every task. */
function nextSlice(): Promise<void> {
  last = last.then(() => yieldToEventLoop());
  return last;
}

/** Runs a task to its end, and yields to the event loop every few milliseconds. */
export async function runCooperatively<T>(task: CooperativeTask<T>): Promise<T> {
  for (let until = performance.now() + SLICE_MS; ;) {
    const step = task.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await nextSlice();
    until = performance.now() + SLICE_MS;
  }
}

/** Yields to the event loop between pieces of work, because SQLite reads in this thread. */
export async function* yieldBetween<T>(pieces: Iterable<T>): AsyncGenerator<T> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await nextSlice();
    isFirst = false;
    yield piece;
  }
}
