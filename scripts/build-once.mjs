import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const POLL_INTERVAL_MS = 100;

/** Runs `build` while `isStale()`, in one process at a time: others wait for it. The lock is a file with the process id of the builder. */
export function buildOnce({ lock, isStale, build }) {
  while (isStale()) {
    if (!take(lock)) {
      waitForBuilder(lock);
      continue;
    }
    try {
      if (isStale()) build();
    } finally {
      rmSync(lock, { force: true });
    }
    break;
  }
}

function take(lock) {
  mkdirSync(dirname(lock), { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** A killed builder leaves its lock. */
function isAlive(builder) {
  try {
    return process.kill(builder, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

function waitForBuilder(lock) {
  const builder = readBuilder(lock);
  if (builder > 0 && !isAlive(builder)) rmSync(lock, { force: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_INTERVAL_MS);
}

/** The process id in the lock; 0 if the lock is gone or still empty. */
function readBuilder(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return 0;
  }
}
