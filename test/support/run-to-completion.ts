import type { CooperativeTask } from '../../src/application/shared/run-cooperatively';

/** Runs a task without yielding to the event loop, and returns its result. */
export function runToCompletion<T>(task: CooperativeTask<T>): T {
  for (;;) {
    const step = task.next();
    if (step.done) return step.value;
  }
}
