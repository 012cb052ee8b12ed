// How much memory a process takes, as Linux counts it, in MiB.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_AFTER_MS = 2_000;
const SAMPLE_EVERY_MS = 10;

/** Lets the process come to rest and watches it from then on; `stop()` answers `{ idle, peak }`. */
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

function residentMib(pid) {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}
