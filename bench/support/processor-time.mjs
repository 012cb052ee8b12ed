import { readFileSync } from 'node:fs';

/** The CPU time of the calling thread in milliseconds (Linux), which other processes do not distort as they do wall-clock time. */
export function processorMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}
