// Builds the service if needed, and writes the code caches of its programs if they are older (`code-cache.cjs`). The arguments
// are programs that start a service; without any, those of the build.
import '../../../scripts/build-if-needed.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import codeCache from './code-cache-file.cjs';

const PRELOAD = fileURLToPath(new URL('code-cache.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'namewright-code-'));
const env = {
  PATH: process.env.PATH,
  DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
  DNS_LISTEN: 'off',
  PORT: '0',
  CODE_CACHE_WRITE: 'yes',
};

/** Runs a program until it ends or, if it is a service, listens. A failure leaves no cache, and tests do without. */
async function record(program, ...args) {
  if (codeCache.isUpToDate(program)) return;
  const child = spawn(process.execPath, ['--require', PRELOAD, program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    written += text;
    // A second signal would end it at once.
    if (!child.killed && written.includes('"listening"')) child.kill();
  });
  await once(child, 'close');
}

const programs = process.argv.slice(2);
for (const program of programs.length > 0 ? programs : ['dist/main.js']) await record(program);
if (programs.length === 0) await record('dist/cli.js', 'account', 'list');
rmSync(folder, { recursive: true });
