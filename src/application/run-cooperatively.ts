import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Long work that pauses at every `yield`; between two of them it takes a few milliseconds at most, whatever its input. */
export type CooperativeTask<T> = Generator<void, T, void>;

/** Not noticeable, and far more than a turn of the event loop costs. */
const SLICE_MS = 5;

/** Runs a task to its end, and yields to the event loop every few milliseconds. */
export async function runCooperatively<T>(task: CooperativeTask<T>): Promise<T> {
  for (let until = performance.now() + SLICE_MS; ;) {
    const step = task.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await yieldToEventLoop();
    until = performance.now() + SLICE_MS;
  }
}
