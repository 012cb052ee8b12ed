import { readFileSync } from 'node:fs';

/** The CPU time of the calling thread in milliseconds (Linux), which other processes do not distort as they do wall-clock time. */
export function processorMs() {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

const MS_PER_TICK = 10;

/** The CPU time of all threads of a process. */
export function processorMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** The CPU time in milliseconds that the service `pid`, or several processes, take for each `create(writer, number)` of simultaneous writers. */
export async function costOfCreation(pid, writers, create, durationMs = 2_000) {
  const used = () => [pid].flat().reduce((sum, each) => sum + processorMsOf(each), 0);
  const before = used();
  const began = performance.now();
  let count = 0;
  const work = async (writer) => {
    for (let number = 0; performance.now() - began < durationMs; number += 1) {
      await create(writer, number);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_item, writer) => work(writer)));
  return (used() - before) / count;
}
