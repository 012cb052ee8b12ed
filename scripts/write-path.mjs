// Lists the files of src that every `POST /api/domains/{id}/dns/records` executes, by V8's coverage of the main thread:
// `node scripts/write-path.mjs`. `--check` fails if decision 0013 says otherwise, `--write` corrects its numbers.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const REQUESTS = 10;
/** Without background jobs. */
const QUIET_MS = 200;
const RECORD = resolve('docs/decisions/0013-files-of-a-record-creation.md');
const [mode] = process.argv.slice(2);

execFileSync(process.execPath, ['scripts/build-if-needed.mjs'], { stdio: 'inherit' });
const dist = resolve('dist');
const src = resolve('src');
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
  return new Set(
    result
      .filter(({ url, functions }) => url.startsWith(prefix) && functions.some(({ ranges: [all] }) => all.count > 0))
      .map(({ url }) => url.slice(prefix.length).replace(/\.js$/, '')),
  );
}

const textOf = (file) => readFileSync(['.ts', '.tsx'].map((end) => join(src, file + end)).find(existsSync), 'utf8');

/** The decision record with the numbers of this run. @throws if the steps that it names are not executed */
function corrected(record, files) {
  const texts = files.map(textOf);
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  const [, steps] = /passes through seven steps: ([^.]*)\./.exec(record);
  const names = [...steps.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const missing = names.filter((name) => !texts.some((text) => new RegExp(`(?:class|function) ${name}\\b`).test(text)));
  if (names.length !== 7 || missing.length > 0)
    throw new Error(`the seven steps are ${names.join(', ')}; not executed: ${missing.join(', ')}`);
  return record
    .replace(/^\d+ files run/m, `${files.length} files run`)
    .replace(
      /the \d+ files have about \d+,000 lines/,
      `the ${files.length} files have about ${Math.round(lines / 1000)},000 lines`,
    )
    .replaceAll(/^\| \d+ \| `src\/(\w+)`/gm, (_, layer) => {
      return `| ${files.filter((file) => file.startsWith(`${layer}/`)).length} | \`src/${layer}\``;
    });
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
// What the service does once after its start would be taken for a part of every request.
while ((await executedFiles(session)).size > 0) await sleep(QUIET_MS);
let always;
for (let number = 1; number <= REQUESTS; number += 1) {
  await executedFiles(session);
  await addRecord(number);
  const files = await executedFiles(session);
  // Background jobs add files to some requests.
  always = always?.filter((file) => files.has(file)) ?? [...files];
}
const files = always.toSorted();
process.stdout.write(`${files.join('\n')}\n${files.length} files\n`);
if (mode) {
  const record = readFileSync(RECORD, 'utf8');
  const right = corrected(record, files);
  if (mode === '--write') writeFileSync(RECORD, right);
  else if (record !== right) {
    process.stderr.write(`${RECORD} has other numbers: run \`node scripts/write-path.mjs --write\`\n`);
    // The service exits with 0 when it has stopped.
    process.on('exit', () => {
      process.exitCode = 1;
    });
  }
}
process.kill(process.pid, 'SIGTERM');
