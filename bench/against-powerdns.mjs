// Record creation, compared with PowerDNS's HTTP API and MySQL backend: the same MariaDB with durable commits, eight clients,
// fifty zones, measured alternately.
import autocannon from 'autocannon';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { databaseKinds } from './support/databases.mjs';
import { registerDomain } from './support/test-data.mjs';
import { measureAlternately } from './support/load.mjs';
import { median } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atLeast, printLine } from './support/results.mjs';
import { createCaller, openAccount, startService } from './support/service.mjs';

const SCHEMA = '/usr/share/pdns-backend-mysql/schema/schema.mysql.sql';
const PDNS = ['/usr/sbin/pdns_server', '/usr/local/sbin/pdns_server'].find((path) => existsSync(path));
const ZONES = 50;
const CLIENTS = 8;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
/** The first thousands of requests after a start cost twice as much as later ones. */
const WARM_UP_SECONDS = 6;
const AIM = 2;
const API_KEY = 'bench';
let written = 0;

export function run() {
  return withWorkspace(async (workspace) => {
    const mysql = (await databaseKinds(workspace)).find(({ title }) => title === 'MySQL');
    if (!PDNS || !existsSync(SCHEMA) || !mysql) {
      printLine('SKIPPED: pdns_server, its MySQL backend or mariadbd is not installed');
      return [];
    }
    const [ours, theirs] = [await namewright(workspace, mysql), await powerdns(workspace, mysql)];
    const rounds = [];
    for (const target of [ours, theirs]) await createRecords(target, WARM_UP_SECONDS);
    for (const { first, second } of await measureAlternately(
      () => createRecords(ours, SECONDS),
      () => createRecords(theirs, SECONDS),
    ))
      rounds.push({ ours: first, theirs: second });
    const ratios = rounds.map((round) => round.ours.perSecond / round.theirs.perSecond);
    const ratio = median(ratios);
    const describeRuns = (who) =>
      `${median(rounds.map((round) => round[who].perSecond)).toFixed(0)}/s (${rounds.reduce((sum, round) => sum + round[who].failures, 0)} failures)`;
    printLine(
      `records created by ${CLIENTS} clients over ${ZONES} zones on one MariaDB: service ${describeRuns('ours')} | PowerDNS ${describeRuns('theirs')} | ratio ${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    );
    return [atLeast('record creation on MySQL, ratio to PowerDNS', ratio, AIM)];
  });
}

/** Counts responses with 2xx and others. Both servers may keep connections open. */
async function createRecords({ url, headers, request }, duration) {
  const counts = { good: 0, failures: 0 };
  const result = await new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections: CLIENTS,
        duration,
        requests: [{ setupRequest: (base) => ({ ...base, headers, ...request() }) }],
      },
      (error, outcome) => (error ? reject(error) : resolve(outcome)),
    );
    instance.on('response', (_client, status) => (status < 300 ? (counts.good += 1) : (counts.failures += 1)));
  });
  return { perSecond: counts.good / result.duration, failures: counts.failures + result.errors };
}

async function namewright(workspace, mysql) {
  const databaseUrl = await mysql.createDatabase();
  const { key } = openAccount(databaseUrl);
  const service = await startService(workspace, databaseUrl);
  const ids = [];
  for (let zone = 0; zone < ZONES; zone += 1) ids.push(await registerDomain(createCaller(service, key), nameOf(zone)));
  const request = () => ({
    method: 'POST',
    path: `/api/domains/${ids[written % ZONES]}/dns/records`,
    body: JSON.stringify({ type: 'A', name: `h${(written += 1)}`, content: '192.0.2.1', ttl: 3600 }),
  });
  return { url: service.url, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, request };
}

async function powerdns({ folder, start }, mysql) {
  const database = new URL(await mysql.createDatabase());
  await loadSchema(database);
  const home = join(folder, 'powerdns');
  mkdirSync(home);
  const [port, apiPort] = [await freePort(), await freePort()];
  const settings = {
    launch: 'gmysql',
    'gmysql-host': database.hostname,
    'gmysql-port': database.port,
    'gmysql-user': 'root',
    'gmysql-dbname': database.pathname.slice(1),
    'local-address': '127.0.0.1',
    'local-port': port,
    'socket-dir': home,
    api: 'yes',
    'api-key': API_KEY,
    webserver: 'yes',
    'webserver-address': '127.0.0.1',
    'webserver-port': apiPort,
    'webserver-loglevel': 'none',
    loglevel: 3,
  };
  writeFileSync(
    join(home, 'pdns.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const url = `http://127.0.0.1:${apiPort}`;
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
  const zones = `${url}/api/v1/servers/localhost/zones`;
  await start({
    command: PDNS,
    args: [`--config-dir=${home}`],
    isReady: () =>
      fetch(zones, { headers }).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
  for (let zone = 0; zone < ZONES; zone += 1) {
    const response = await fetch(zones, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        name: `${nameOf(zone)}.`,
        kind: 'Native',
        nameservers: ['ns1.example.net.', 'ns2.example.net.'],
      }),
    });
    if (!response.ok) throw new Error(`PowerDNS rejected a zone: ${response.status} ${await response.text()}`);
  }
  return { url, headers, request: patch };
}

function patch() {
  const zone = `${nameOf(written % ZONES)}.`;
  const rrset = {
    name: `h${(written += 1)}.${zone}`,
    type: 'A',
    ttl: 3600,
    changetype: 'REPLACE',
    records: [{ content: '192.0.2.1', disabled: false }],
  };
  return {
    method: 'PATCH',
    path: `/api/v1/servers/localhost/zones/${zone}`,
    body: JSON.stringify({ rrsets: [rrset] }),
  };
}

async function loadSchema(database) {
  const connection = await createConnection({ uri: database.toString(), multipleStatements: true });
  await connection.query(readFileSync(SCHEMA, 'utf8'));
  await connection.end();
}

function nameOf(zone) {
  return `bench-against-${zone}.com`;
}
