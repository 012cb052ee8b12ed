// Preloaded into a service: on SIGUSR2, writes the longest event-loop task since the last signal to LOOP_PROBE_FILE, in
// milliseconds of CPU time of the main thread (Linux), because other processes would distort wall-clock time.
import { renameSync, writeFileSync } from 'node:fs';
import { processorMs } from './processor-time.mjs';

const PROBE_EVERY_MS = 1;

let last = processorMs();
let longest = 0;
setInterval(() => {
  const now = processorMs();
  longest = Math.max(longest, now - last);
  last = now;
}, PROBE_EVERY_MS).unref();

process.on('SIGUSR2', () => {
  const file = process.env.LOOP_PROBE_FILE ?? '';
  writeFileSync(`${file}.new`, JSON.stringify({ blockedMs: longest }));
  renameSync(`${file}.new`, file);
  longest = 0;
});
