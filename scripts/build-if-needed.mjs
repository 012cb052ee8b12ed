// Builds dist/ when it is missing or older than the sources, so that `npm start` works on a fresh clone
// and costs nothing on an image that was built beforehand (where the compiler may not even be installed).
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BUILD_STAMP = 'dist/.tsbuildinfo';
const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newestSource() {
  const sources = readdirSync('src', { recursive: true }).map((name) => modifiedAt(join('src', name)));
  return Math.max(modifiedAt('tsconfig.json'), modifiedAt('tsconfig.build.json'), modifiedAt('package-lock.json'), ...sources);
}

if (modifiedAt(BUILD_STAMP) < newestSource()) {
  process.stderr.write('Building …\n');
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: ['ignore', 2, 2] });
}
