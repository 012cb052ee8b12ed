// Builds dist/ when it is missing or older than the sources, so that `npm start` works on a fresh clone
// and costs nothing on an image that was built beforehand (where the compiler may not even be installed).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BUILD_STAMP = 'dist/.tsbuildinfo';
/** Holds the process id of whoever builds: the server and the operator's commands may be started at the same time. */
const LOCK = 'dist/.building';
const COMPILER = 'node_modules/typescript/bin/tsc';
const LOOK_EVERY_MS = 100;
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

/** A builder that was killed leaves its lock behind. */
function isAlive(builder) {
  try {
    return process.kill(builder, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

function waitForBuilder() {
  const builder = builderAtWork();
  if (builder > 0 && !isAlive(builder)) rmSync(LOCK, { force: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
}

/** 0 where nobody holds the lock any longer, or does not yet say who. */
function builderAtWork() {
  try {
    return Number(readFileSync(LOCK, 'utf8'));
  } catch {
    return 0;
  }
}

function build() {
  if (!existsSync(COMPILER)) {
    process.stderr.write(
      'dist/ has to be built and the compiler is missing: run `npm ci --include=dev` (where NODE_ENV is production, `npm ci` leaves it out)\n',
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
