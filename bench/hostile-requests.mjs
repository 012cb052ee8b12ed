// The largest requests that the service accepts or rejects: how long they block the event loop, and their memory. Then clients
// that never read their responses.
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertDomains, insertRecords, insertZones } from './support/test-data.mjs';
import { watchMemory } from './support/memory.mjs';
import { signIn } from './support/sign-in.mjs';
import { withWorkspace } from './support/processes.mjs';
import { atMost, printLine } from './support/results.mjs';
import { createCaller, invitePerson, openAccount, startService } from './support/service.mjs';

const BLOCKED_AIM_MS = 50;
const MEMORY_AIM_MIB = 64;
/** The minimum counts, because other processes only add to it. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Part of the titles of the inputs to measure. */
const ONLY = process.env.BENCH_INPUTS ?? '';
const RECORDS = 10_000;
const STALLED_AIM_MIB = 256;
const STALLED_FOR_MS = 8_000;
const UPLOAD_BYTES = 8 * 2 ** 20;
const BATCH_BYTES = 4 * 2 ** 20;
const BOUNDARY = 'boundary';
const PROBE = pathToFileURL(join(import.meta.dirname, 'support/loop-probe.mjs')).href;

export function run() {
  return withWorkspace(async (workspace) => {
    const results = [];
    const attacked = await newZone(workspace, 'attacked');
    for (const attack of attacks().filter(({ title }) => title.includes(ONLY)))
      results.push(...(await measure(workspace, attacked.databaseUrl, { ...attacked, ...attack })));
    const read = await newZone(workspace, 'read');
    await insertRecords(read.databaseUrl, RECORDS);
    await addLongRecords(workspace, read);
    for (const crowd of crowds())
      results.push(await measureStalled(workspace, read.databaseUrl, { ...read, ...crowd }));
    return results;
  });
}

async function newZone({ folder }, name) {
  const databaseUrl = `sqlite:${join(folder, `${name}.db`)}`;
  const { accountId, key } = openAccount(databaseUrl);
  const setupLink = invitePerson(databaseUrl, accountId);
  await insertDomains(databaseUrl, accountId, 1);
  await insertZones(databaseUrl);
  return { databaseUrl, key, setupLink };
}

/** Once, whatever the number of rounds: what readers leave in memory depends on the zone. */
async function addLongRecords(workspace, { databaseUrl, key }) {
  const service = await startService(workspace, databaseUrl, { MAX_RECORDS_PER_ZONE: '100000' });
  const [{ id }] = await createCaller(service, key)('GET', '/domains?limit=1');
  for (const { title, headers, body } of recordBatches().filter((each) =>
    / TXT .*(?<! at one name)$/.test(each.title),
  )) {
    const options = { method: 'POST', headers: { ...headers, authorization: `Bearer ${key}` } };
    const status = await send(
      `${service.url}/api/domains/${id}/dns/records/batch`,
      options,
      body(undefined, undefined, 0),
    );
    if (status !== 200) throw new Error(`${title}: ${status}`);
  }
  await service.stop();
}

const GZIPPED = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

function batch(title, text) {
  return {
    title: `batch of ${title}`,
    path: 'dns/records/batch',
    headers: { ...GZIPPED, 'idempotency-key': title },
    body: () => gzipSync(text),
  };
}

const BATCH_RECORDS = 500;

/** Records whose contents are as long as a batch can hold (JSON escapes each quote), and cost the most to read. */
function costlyRecords() {
  const room = BATCH_BYTES / BATCH_RECORDS - 300;
  const keys = Array.from({ length: room / 8 }, (_, index) => `key${1_000 + index}`).join(' ');
  const few = Array.from({ length: 60 }, (_, index) => `key${1_000 + index}="${'\\255'.repeat(15)}"`).join(' ');
  const escapes = '\\255'.repeat(1_000);
  const contents = [
    ['SVCB', 'with many keys', `1 . ${keys}`],
    ['SVCB', 'with 60 keys and values of escapes', `1 . ${few}`],
    ['TXT', 'of escapes', `"${escapes}"`],
    ['TXT', 'of short strings', Array.from({ length: room / 6 }, () => '"a"').join(' ')],
    ['TXT', 'of strings with a comment', `${Array.from({ length: room / 6 - 10 }, () => '"a"').join(' ')} ; TXT`],
    ['TXT', 'of quotes', `"${String.raw`\"`.repeat(room / 4)}"`],
  ];
  return contents.map(([type, kind, content]) => ({
    title: `${BATCH_RECORDS} ${type} records ${kind}`,
    records: (name) => Array.from({ length: BATCH_RECORDS }, (_, index) => ({ type, name: name(index), content })),
  }));
}

/** Other names in each round, so that each writes as much. Identical records at one name are rejected late. */
function recordBatches() {
  return costlyRecords().flatMap(({ title, records }) => [
    freshBatch(title, (round) => records((index) => `batch${round}-${title.length}-${index}`)),
    freshBatch(`${title} at one name`, () => records(() => 'same')),
  ]);
}

function freshBatch(title, records) {
  return {
    title: `batch of ${title}`,
    path: 'dns/records/batch',
    headers: GZIPPED,
    body: (_token, _zone, round) => gzipSync(JSON.stringify({ create: records(round) })),
  };
}

/** The same records for the PowerDNS API. */
function powerDnsPatches() {
  return costlyRecords().flatMap(({ title, records }) => [
    patch(title, (round) => records((index) => `patch${round}-${title.length}-${index}`).map((record) => [record])),
    patch(`${title} at one name`, () => [records(() => 'same')]),
  ]);
}

function patch(title, sets) {
  return {
    title: `PowerDNS PATCH of ${title}`,
    method: 'PATCH',
    compatPath: '/compat/powerdns/api/v1/servers/localhost/zones/',
    headers: GZIPPED,
    body: (_token, zone, round) =>
      gzipSync(JSON.stringify({ rrsets: sets(round).map((records) => powerDnsSet(zone, records)) })),
  };
}

function powerDnsSet(zone, records) {
  const [{ name, type }] = records;
  const contents = records.map(({ content }) => ({ content }));
  return { name: `${name}.${zone}.`, type, ttl: 300, changetype: 'REPLACE', records: contents };
}

function bulkJob(title, body) {
  return {
    title: `bulk job of ${title}`,
    fullPath: '/api/bulk',
    headers: GZIPPED,
    body: () => gzipSync(JSON.stringify(body)),
  };
}

function manyMembers(count, value) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`member${index}`, value]));
}

function bulkJobs() {
  const base = { action: 'auto_renewal', auto_renew: true };
  return [
    bulkJob('10,000 unknown ids', { ...base, domains: Array.from({ length: 10_000 }, (_, index) => `dom_${index}`) }),
    bulkJob('10,000 long ids', {
      ...base,
      domains: Array.from({ length: 10_000 }, (_, index) => String(index).padEnd(400, 'x')),
    }),
    bulkJob('10,000 ids that are numbers', { ...base, domains: Array.from({ length: 10_000 }, (_, index) => index) }),
    bulkJob('10,000 unknown members', { ...base, ...manyMembers(10_000, 1) }),
    bulkJob('a filter of 10,000 members', { ...base, filter: manyMembers(10_000, '1') }),
  ];
}

function upload(title, text) {
  return {
    title: `upload of ${title}`,
    path: 'zone-file/plan',
    page: true,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: (token) => multipart(token, text()),
  };
}

function compressedForm(fullPath, page) {
  return {
    title: `24 KB of gzip to ${fullPath}`,
    fullPath,
    page,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' },
    body: () => gzipSync('a'.repeat(24_000_000)),
  };
}

function attacks() {
  return [
    compressedForm('/sign-in', false),
    compressedForm('/api-keys', true),
    upload('comments', () => `@ 300 A 192.0.2.1\n${lines(() => '; comment\n')}`),
    upload('one line', () => '@ 300 A 192.0.2.1\n;'.padEnd(UPLOAD_BYTES, 'c')),
    upload('one word', () => 'a'.repeat(UPLOAD_BYTES)),
    upload(
      'records outside the zone',
      () => `@ 300 A 192.0.2.1\n${lines((index) => `a${index}.example. 1 A 192.0.2.1\n`)}`,
    ),
    upload('10,000 records and comments', () =>
      Array.from({ length: 10_000 }, (_, index) => `r${index} 300 A 192.0.2.1\n`)
        .join('')
        .padEnd(UPLOAD_BYTES, '; comment\n'),
    ),
    upload(
      'escaped characters',
      () => `@ 300 A 192.0.2.1\n${lines(() => '; &&&&&&&&&&<<<<<<<<<<&&&&&&&&&&&&&&&&&&&&&\n')}`,
    ),
    batch('empty arrays', `[${'[],'.repeat(BATCH_BYTES / 3 - 10)}[]]`),
    batch('numbers', `[${'1,'.repeat(BATCH_BYTES / 2 - 10)}1]`),
    batch('members', `{${Array.from({ length: 250_000 }, (_, index) => `"${index}":1`).join(',')}}`),
    batch('nesting', '['.repeat(BATCH_BYTES)),
    batch('one string', JSON.stringify('a'.repeat(BATCH_BYTES - 2))),
    batch('unknown members', JSON.stringify(manyMembers(7_900, 1))),
    batch(
      'records with unknown members',
      JSON.stringify({ create: Array.from({ length: 100 }, () => manyMembers(70, 1)) }),
    ),
    batch('records that are numbers', JSON.stringify({ create: Array.from({ length: 7_900 }, () => 1) })),
    upload('long lines of TXT strings', () => lines(() => `x 300 TXT ${'"a" '.repeat(70_000)}\n`)),
    upload('blank lines', () => `@ 300 A 192.0.2.1\n`.padEnd(UPLOAD_BYTES, '\n')),
    batch('spaces', ' '.repeat(BATCH_BYTES)),
    batch('quotes', `["${'\\"'.repeat(BATCH_BYTES / 2 - 10)}"]`),
    ...bulkJobs(),
    // Last: what they write stays, and a review of a whole zone has it in memory.
    ...recordBatches(),
    ...powerDnsPatches(),
  ];
}

/** Connections that each send `requests` requests and read nothing. */
function crowds() {
  return [
    { title: '150 exports of 10,000 records that are not read', connections: 150, requests: 1, path: 'dns/zonefile' },
    {
      title: '150 lists of TXT records that are not read',
      connections: 150,
      requests: 1,
      path: 'dns/records?type=TXT',
    },
    {
      title: '8,000 pipelined reads of 10,000 records that are not read',
      connections: 1,
      requests: 8_000,
      path: 'dns/records',
    },
  ];
}

/** Runs without rate limits, and ends before the service disconnects stalled readers. */
async function measureStalled(workspace, databaseUrl, { key, title, connections, requests, path }) {
  const service = await startService(workspace, databaseUrl, { RATE_LIMIT_PER_MINUTE: '0' });
  const [{ id }] = await createCaller(service, key)('GET', '/domains?limit=1');
  const memory = await watchMemory(service.pid);
  const { hostname, port } = new URL(service.url);
  const text = `GET /api/domains/${id}/${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const clients = Array.from({ length: connections }, () => {
    const client = connect(Number(port), hostname)
      .pause()
      .on('error', () => {});
    client.write(text.repeat(requests));
    return client;
  });
  await sleep(STALLED_FOR_MS);
  const { idle, peak } = memory.stop();
  for (const client of clients) client.destroy();
  await service.stop();
  printLine(`${title}: ${idle.toFixed(0)} MiB idle, ${peak.toFixed(0)} MiB at most`);
  return atMost(`${title}, memory beyond idle`, peak - idle, STALLED_AIM_MIB, ' MiB');
}

function lines(line) {
  const written = [];
  for (let length = 0, index = 0; length < UPLOAD_BYTES - 100; index += 1)
    length += written[written.push(line(index)) - 1].length;
  return written.join('');
}

function multipart(token, text) {
  const part = (name, value) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return Buffer.from(`${part('_token', token)}${part('text', text.slice(0, UPLOAD_BYTES))}--${BOUNDARY}--\r\n`);
}

async function measure(workspace, databaseUrl, attack) {
  const probe = join(workspace.folder, 'probe.json');
  const service = await startService(workspace, databaseUrl, {
    MAX_RECORDS_PER_ZONE: '100000',
    NODE_OPTIONS: `--import ${PROBE}`,
    LOOP_PROBE_FILE: probe,
    COMPATIBILITY_APIS: 'powerdns',
    RECORD_TYPES: 'all',
  });
  const domains = await createCaller(service, attack.key)('GET', '/domains?limit=1');
  const person = attack.page ? await personAt(service, attack) : undefined;
  const path = pathOf(attack, domains[0]);
  const headers = {
    ...attack.headers,
    accept: 'text/html, application/json',
    ...(person ? { cookie: person.cookie } : { authorization: `Bearer ${attack.key}`, 'x-api-key': attack.key }),
  };
  let blockedMs = Infinity;
  let memoryMib = Infinity;
  let status;
  let length;
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = attack.body(person?.token, domains[0].name, round);
    length = body.length;
    const memory = await watchMemory(service.pid);
    await blocked(service.pid, probe);
    status = await send(`${service.url}${path}`, { method: attack.method ?? 'POST', headers }, body);
    blockedMs = Math.min(blockedMs, await blocked(service.pid, probe));
    const { idle, peak } = memory.stop();
    memoryMib = Math.min(memoryMib, peak - idle);
  }
  await service.stop();
  if (status >= 500) throw new Error(`${attack.title}: ${status}`);
  printLine(
    `${attack.title}: ${(length / 1_024).toFixed(0)} KiB sent, status ${status}, event loop blocked ${blockedMs.toFixed(0)} ms, ${memoryMib.toFixed(0)} MiB`,
  );
  return [
    atMost(`${attack.title}, event loop blocked`, blockedMs, BLOCKED_AIM_MS, ' ms'),
    atMost(`${attack.title}, memory beyond idle`, memoryMib, MEMORY_AIM_MIB, ' MiB'),
  ];
}

function pathOf({ fullPath, compatPath, page, path }, { id, name }) {
  if (fullPath !== undefined) return fullPath;
  if (compatPath !== undefined) return `${compatPath}${name}.`;
  return page ? `/domains/${id}/${path}` : `/api/domains/${id}/${path}`;
}

let signedIn;
async function personAt({ url }, { setupLink }) {
  signedIn ??= await signIn(url, setupLink);
  const page = await fetch(`${url}/register`, { headers: { cookie: signedIn, accept: 'text/html' } });
  const fresh = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return {
    cookie: [signedIn, ...fresh].join('; '),
    token: /name="_token" value="([^"]+)"/.exec(await page.text())?.[1],
  };
}

async function blocked(pid, probe) {
  rmSync(probe, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(probe)) await sleep(5);
  return JSON.parse(readFileSync(probe, 'utf8')).blockedMs;
}

/** Reads the whole response and returns its status. */
async function send(url, options, body) {
  const call = request(url, {
    ...options,
    headers: { ...options.headers, 'content-length': body.length, connection: 'close' },
  });
  call.on('error', () => {});
  call.end(body);
  const [response] = await once(call, 'response');
  await once(response.resume(), 'close');
  return response.statusCode;
}
