import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '../domain/shared/steps';

/** Short beside what anybody notices, long beside what a turn of the event loop costs. */
const SLICE_MS = 5;

/** Does the work to its end, and lets everybody else have a turn every few milliseconds. */
export async function unhurried<T>(steps: Steps<T>): Promise<T> {
  for (let until = performance.now() + SLICE_MS; ;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  }
}
