import type { CooperativeTask } from '../../src/domain/shared/cooperative-task';

/** The outcome of work that nobody else waits for. */
export function atOnce<T>(steps: CooperativeTask<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
