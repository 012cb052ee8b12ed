import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CooperativeTask } from '../domain/shared/cooperative-task';

/** Short beside what anybody notices, long beside what a turn of the event loop costs. */
const SLICE_MS = 5;

/** Does the work to its end, and lets everybody else have a turn every few milliseconds. */
export async function runCooperatively<T>(steps: CooperativeTask<T>): Promise<T> {
  for (let until = performance.now() + SLICE_MS; ;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await yieldToEventLoop();
    until = performance.now() + SLICE_MS;
  }
}
