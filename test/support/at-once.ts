import type { Steps } from '../../src/domain/shared/steps';

/** The outcome of work that nobody else waits for. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
