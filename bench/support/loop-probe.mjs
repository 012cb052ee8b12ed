// Preloaded into a service: on SIGUSR2 it writes how long its event loop was blocked at most since the last signal, in
// milliseconds, and its memory, to the file named by LOOP_PROBE_FILE.
import { writeFileSync, renameSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 2;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on('SIGUSR2', () => {
  const file = process.env.LOOP_PROBE_FILE;
  writeFileSync(`${file}.new`, JSON.stringify({ blockedMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) }));
  renameSync(`${file}.new`, file);
  delay.reset();
});
