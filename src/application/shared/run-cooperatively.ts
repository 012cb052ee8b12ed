import { setImmediate } from 'node:timers';

/** Long work that can pause at every `yield`; it takes at most a few milliseconds from one to the next, whatever its input. */
export type CooperativeTask<T> = Generator<void, T, void>;

/** Short enough not to be noticed; an iteration of the event loop costs much less. */
const SLICE_MS = 5;
/** The share of work that is for no account. */
const SERVICE = '';

/** Callers that wait for their slice, by share. The first share is next. */
const waiting = new Map<string, (() => void)[]>();
/** How long tasks have run in this iteration of the event loop. */
let usedMs = 0;

/**
 * Waits for the next iteration of the event loop that no other slice has, so that other work waits for one slice, and not for one
 * of every task. Shares take turns: an account with many long tasks delays those of another by one slice each.
 * @param share an account's id
 */
export function waitForNextSlice(share = SERVICE): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(startSlice);
    const others = waiting.get(share);
    if (others) others.push(resolve);
    else waiting.set(share, [resolve]);
  });
}

function startSlice(): void {
  usedMs = 0;
  const [first] = waiting;
  if (!first) return;
  const [share, callers] = first;
  const start = callers.shift();
  waiting.delete(share);
  if (callers.length > 0) waiting.set(share, callers);
  if (waiting.size > 0) setImmediate(startSlice);
  start?.();
}

/** Runs a task to its end, and yields to the event loop every few milliseconds. Short tasks of one iteration share a slice. */
export async function runCooperatively<T>(task: CooperativeTask<T>, share = SERVICE): Promise<T> {
  if (usedMs >= SLICE_MS) await waitForNextSlice(share);
  for (;;) {
    const startedAt = performance.now();
    let step = task.next();
    while (!step.done && performance.now() < startedAt + SLICE_MS) step = task.next();
    countUse(performance.now() - startedAt);
    if (step.done) return step.value;
    await waitForNextSlice(share);
  }
}

/** Many tasks that begin in one iteration would otherwise take a slice each. */
function countUse(ms: number): void {
  if (usedMs === 0 && ms > 0)
    setImmediate(() => {
      usedMs = 0;
    });
  usedMs += ms;
}

/** Yields to the event loop between pieces of work, because SQLite reads in this thread. */
export async function* yieldBetween<T>(pieces: Iterable<T>): AsyncGenerator<T> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await waitForNextSlice();
    isFirst = false;
    yield piece;
  }
}
