import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const CLIENT = join(ROOT, 'clients/typescript');
const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'node20',
  strict: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

/** Packs the client, installs it in an empty folder and compiles the example and the README's there. Returns the command that runs it. */
export function buildTypeScriptExample(folder: string): readonly string[] {
  execFileSync(process.execPath, [join(ROOT, 'scripts/clients.mjs'), '--if-needed', 'typescript'], { stdio: 'pipe' });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: CLIENT,
    encoding: 'utf8',
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'example', private: true, type: 'module' }));
  execFileSync('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', packed.trim()], { cwd: folder });
  copyFileSync(join(CLIENT, 'example/domain-life.ts'), join(folder, 'domain-life.ts'));
  const [, sample = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(CLIENT, 'README.md'), 'utf8')) ?? [];
  writeFileSync(join(folder, 'readme.ts'), sample);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['domain-life.ts', 'readme.ts'] }),
  );
  execFileSync(process.execPath, [TSC], { cwd: folder, stdio: 'inherit' });
  return [process.execPath, join(folder, 'domain-life.js')];
}
