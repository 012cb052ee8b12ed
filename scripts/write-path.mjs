// Lists the files of src that one `POST /api/domains/{id}/dns/records` executes, by V8's coverage of the main thread:
// `node scripts/write-path.mjs`. A background job may add its files; the smallest of several requests counts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const REQUESTS = 10;

execFileSync(process.execPath, ['scripts/build-if-needed.mjs'], { stdio: 'inherit' });
const dist = resolve('dist');
const directory = mkdtempSync(join(tmpdir(), 'namewright-write-path-'));
process.chdir(directory);
Object.assign(process.env, {
  PORT: '0',
  LOG_LEVEL: 'error',
  DATABASE_URL: `sqlite:${join(directory, 'namewright.db')}`,
});

/** Starts the service in this process; resolves with its address and the key that it prints. */
async function start() {
  const write = process.stdout.write.bind(process.stdout);
  let output = '';
  const started = new Promise((done) => {
    process.stdout.write = (chunk) => {
      output += chunk;
      if (output.includes('(shown only now)')) done();
      return true;
    };
  });
  createRequire(import.meta.url)(join(dist, 'main.js'));
  await started;
  process.stdout.write = write;
  return { url: /running at (\S+)/.exec(output)[1], key: /shown only now: (\S+)/.exec(output)[1] };
}

async function executedFiles(session) {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const prefix = pathToFileURL(`${dist}/`).href;
  return result
    .filter(({ url, functions }) => url.startsWith(prefix) && functions.some(({ ranges: [all] }) => all.count > 0))
    .map(({ url }) => url.slice(prefix.length).replace(/\.js$/, ''))
    .toSorted();
}

const { url, key } = await start();
const post = async (path, body) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};
const registrant = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@lovelace.example',
  phone: '+44.2079460000',
  address: { street: '12 St James’s Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};
const { id } = await post('/domains', { name: 'write-path.com', contacts: { registrant } });
const addRecord = (number) =>
  post(`/domains/${id}/dns/records`, { type: 'A', name: `host-${number}`, content: '192.0.2.1' });
await addRecord(0);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
let fewest;
for (let number = 1; number <= REQUESTS; number += 1) {
  await executedFiles(session);
  await addRecord(number);
  const files = await executedFiles(session);
  if (!fewest || files.length < fewest.length) fewest = files;
}
process.stdout.write(`${fewest.join('\n')}\n${fewest.length} files\n`);
process.kill(process.pid, 'SIGTERM');
