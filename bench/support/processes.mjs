// Child processes of a part, with their output in a file; all are killed when the part ends.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_TIMEOUT_MS = 120_000;
let lastPort = 10_000 + randomInt(9_000);

/** Runs `work` with a temporary folder; afterwards removes the folder and kills the processes started by `start`. */
export async function withWorkspace(work) {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-bench-'));
  const children = new Set();
  try {
    return await work({ folder, start: (options) => start(children, folder, options) });
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a program and waits until `isReady()`. Returns `{ pid, stop() }`. */
async function start(children, folder, { command = process.execPath, args, env = {}, isReady }) {
  const log = join(folder, `process-${children.size}.log`);
  const output = openSync(log, 'a');
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', output, output] });
  children.add(child);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${command} ${args.join(' ')} did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { pid: child.pid, stop: () => stop(child) };
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Below the ephemeral ports, which outgoing connections could take a moment later, and those of the tests (test/support/free-port). */
export async function freePort() {
  for (;;) {
    lastPort += 1;
    if (await isFree(lastPort)) return lastPort;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
