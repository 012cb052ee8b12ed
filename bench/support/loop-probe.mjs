// Preloaded into a service: on SIGUSR2 it writes to the file named by LOOP_PROBE_FILE how many milliseconds of processor time
// one turn of its event loop took at most since the last signal. Processor time, as Linux counts it for the main thread:
// on a machine with other work a turn takes longer by the clock.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const PROBE_EVERY_MS = 1;

let last = processorMs();
let longest = 0;
setInterval(() => {
  const now = processorMs();
  longest = Math.max(longest, now - last);
  last = now;
}, PROBE_EVERY_MS).unref();

process.on('SIGUSR2', () => {
  const file = process.env.LOOP_PROBE_FILE;
  writeFileSync(`${file}.new`, JSON.stringify({ blockedMs: longest }));
  renameSync(`${file}.new`, file);
  longest = 0;
});

function processorMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}
