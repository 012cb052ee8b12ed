// Compiles the command line and the client that it contains to clients/cli/dist, and puts the YAML parser beside it, which its package bundles.
// Does nothing if that is newer than the sources: several may pack at the same time, and none may lose files meanwhile.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce } from './build-once.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const CLI = join(ROOT, 'clients/cli');
/** Not in dist, which is packed. */
const STAMP = join(CLI, 'node_modules/.built');
const PROGRAM = join(ROOT, 'clients/cli/dist/cli/src/main.js');
const SOURCES = ['clients/cli/src', 'clients/typescript/src'];
const SETTINGS = [
  'clients/cli/package.json',
  'clients/cli/tsconfig.json',
  'package-lock.json',
  'scripts/build-cli.mjs',
];
const run = (script, ...args) =>
  execFileSync(process.execPath, [join(ROOT, script), ...args], { stdio: ['ignore', 2, 2] });
const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newestSource() {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(ROOT, folder, name)),
  );
  return Math.max(...[...files, ...SETTINGS.map((name) => join(ROOT, name))].map(modifiedAt));
}

function build() {
  rmSync(join(CLI, 'dist'), { recursive: true, force: true });
  run('node_modules/typescript/bin/tsc', '-p', join(CLI, 'tsconfig.json'));
  chmodSync(PROGRAM, 0o755);
  const [installed, bundled] = [join(ROOT, 'node_modules/yaml'), join(CLI, 'node_modules/yaml')];
  rmSync(bundled, { recursive: true, force: true });
  for (const part of ['package.json', 'LICENSE', 'dist'])
    cpSync(join(installed, part), join(bundled, part), { recursive: true });
  writeFileSync(STAMP, '');
}

run('scripts/clients.mjs', '--if-needed', 'typescript');
const lock = join(CLI, 'node_modules/.building');
const isStale = () => modifiedAt(PROGRAM) === 0 || modifiedAt(STAMP) < newestSource();
buildOnce({ lock, isStale, build });
