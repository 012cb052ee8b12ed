import { setTimeout as sleep } from 'node:timers/promises';

/** Ends early when `stopping` is aborted. Does not keep the process running. */
export async function sleepUnless(stopping: AbortSignal, ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false, signal: stopping }).catch((error: unknown) => {
    if (!stopping.aborted) throw error;
  });
}
