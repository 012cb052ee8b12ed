// Resident memory of a process on Linux, in MiB.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_AFTER_MS = 2_000;
const SAMPLE_EVERY_MS = 10;

/** Waits until the process is idle, then samples its memory; `stop()` returns `{ idle, peak }`. */
export async function watchMemory(pid) {
  await sleep(IDLE_AFTER_MS);
  const idle = residentMib(pid);
  let peak = idle;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMib(pid));
  }, SAMPLE_EVERY_MS);
  return {
    stop: () => {
      clearInterval(sampling);
      return { idle, peak: Math.max(peak, residentMib(pid)) };
    },
  };
}

export function residentMib(pid) {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
