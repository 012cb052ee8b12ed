// npm run bench: requests per second and latency of the interface on SQLite, against bench/floor.mjs on a copy of the
// same database, measured in turn in one run. Ratios are what counts; machines differ.
import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const CONNECTIONS = 8;
const RECORDS = 20;
const folder = mkdtempSync(join(tmpdir(), 'namewright-bench-'));
const children = [];
let written = 0;

try {
  const service = await startService(join(folder, 'service'));
  const { id, empty } = await fill(service);
  cpSync(join(folder, 'service'), join(folder, 'floor'), { recursive: true });
  const floor = await startFloor(join(folder, 'floor', 'service.db'));
  const cases = [
    { title: 'GET /api/domains/{id}', path: () => ({ path: `/api/domains/${id}` }) },
    { title: `GET …/dns/records (${RECORDS})`, path: () => ({ path: `/api/domains/${id}/dns/records` }) },
    { title: 'POST …/dns/records', path: () => write(empty) },
  ];
  for (const { title, path } of cases) report(title, await measure(path, service, floor));
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function measure(request, service, floor) {
  const results = { service: [], floor: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    results.floor.push(await load(floor, service.key, request()));
    results.service.push(await load(service.url, service.key, request()));
  }
  return results;
}

async function load(url, key, request) {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, requests: [{ method: 'GET', ...request, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } }] });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals and ${result.errors} errors from ${url}`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

function write(domainId) {
  return {
    method: 'POST',
    path: `/api/domains/${domainId}/dns/records`,
    setupRequest: (request) => ({ ...request, body: JSON.stringify({ type: 'A', name: `h${(written += 1)}`, content: '192.0.2.1' }) }),
  };
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function inWords(runs) {
  const median = (field) => middle(runs.map((run) => run[field]));
  return `${median('perSecond').toFixed(0)}/s p50 ${median('p50')} ms p99 ${median('p99')} ms`;
}

function report(title, { service, floor }) {
  const ratios = service.map((run, round) => run.perSecond / floor[round].perSecond);
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  process.stdout.write(`${title}: service ${inWords(service)} | floor ${inWords(floor)} | ratio ${middle(ratios).toFixed(2)} (${spread})\n`);
}

async function fill({ url, key }) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const call = async (path, body) => (await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const registrant = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone: '+44.2079460000', address: { street: 'a', city: 'b', country: 'GB' } };
  const { id } = await call('/domains', { name: 'bench-read.com', contacts: { registrant } });
  const { id: empty } = await call('/domains', { name: 'bench-write.com', contacts: { registrant } });
  for (let index = 0; index < RECORDS; index += 1) await call(`/domains/${id}/dns/records`, { type: 'A', name: `h${index}`, content: '192.0.2.1' });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  return { id, empty };
}

async function startService(data) {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATABASE_URL: `sqlite:${join(data, 'service.db')}`, LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '10000000', MAX_RECORDS_PER_ZONE: '1000000' };
  const text = await started(['dist/main.js'], env, /shown only now: (\S+)/);
  return { url: `http://127.0.0.1:${port}`, key: text };
}

async function startFloor(file) {
  const port = await freePort();
  await started(['bench/floor.mjs'], { ...process.env, PORT: String(port), BENCH_DATABASE: file }, /floor (ready)/);
  return `http://127.0.0.1:${port}`;
}

async function started(args, env, announcement) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let text = '';
  for (;;) {
    const [chunk] = await once(child.stdout, 'data');
    text += chunk;
    const found = announcement.exec(text)?.[1];
    if (found) {
      child.stdout.resume();
      return found;
    }
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return port;
}
