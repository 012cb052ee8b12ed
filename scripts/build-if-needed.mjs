// Builds dist/ if it is missing or older than the sources, so that `npm start` works on a fresh clone. Does nothing in an
// image with a finished build, which needs no compiler.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BUILD_STAMP = 'dist/.tsbuildinfo';
/** Contains the process id of the builder: the server and the operator's commands may start at the same time. */
const LOCK = 'dist/.building';
const COMPILER = 'node_modules/typescript/bin/tsc';
const POLL_INTERVAL_MS = 100;
const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newestSource() {
  const sources = readdirSync('src', { recursive: true }).map((name) => modifiedAt(join('src', name)));
  return Math.max(
    modifiedAt('tsconfig.json'),
    modifiedAt('tsconfig.build.json'),
    modifiedAt('package-lock.json'),
    ...sources,
  );
}

function isStale() {
  return modifiedAt(BUILD_STAMP) < newestSource();
}

function lock() {
  mkdirSync('dist', { recursive: true });
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
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

function waitForBuilder() {
  const builder = readBuilder();
  if (builder > 0 && !isAlive(builder)) rmSync(LOCK, { force: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_INTERVAL_MS);
}

/** The process id in the lock; 0 if the lock is gone or still empty. */
function readBuilder() {
  try {
    return Number(readFileSync(LOCK, 'utf8'));
  } catch {
    return 0;
  }
}

function build() {
  if (!existsSync(COMPILER)) {
    process.stderr.write(
      'dist/ must be built, but the compiler is missing: run `npm ci --include=dev` (with NODE_ENV=production, `npm ci` omits it)\n',
    );
    process.exitCode = 1;
    return;
  }
  process.stderr.write('Building …\n');
  execFileSync(process.execPath, [COMPILER, '-p', 'tsconfig.build.json'], { stdio: ['ignore', 2, 2] });
}

while (isStale()) {
  if (!lock()) {
    waitForBuilder();
    continue;
  }
  try {
    if (isStale()) build();
  } finally {
    rmSync(LOCK, { force: true });
  }
  break;
}
