// Builds dist/ if it is missing or older than the sources, so that `npm start` works on a fresh clone. Does nothing in an
// image with a finished build, which needs no compiler.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-once.mjs';

const BUILD_STAMP = 'dist/.tsbuildinfo';
/** The server and the operator's commands may start at the same time. */
const LOCK = 'dist/.building';
const COMPILER = 'node_modules/typescript/bin/tsc';
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

buildOnce({ lock: LOCK, isStale, build });
