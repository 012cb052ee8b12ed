// Dynamic updates: messages a second on one and on 16 TCP connections, beside Knot's and BIND's own UPDATE, and the time from a
// message to its response with two secondaries current. BENCH_NAMED and LD_LIBRARY_PATH name a BIND that is not installed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseKinds } from './support/databases.mjs';
import { KNOT_MISSING, startKnot } from './support/knot.mjs';
import { NameserverProbe } from './support/nameserver-probe.mjs';
import { median, percentile } from './support/numbers.mjs';
import { freePort, withWorkspace } from './support/processes.mjs';
import { atLeast, atMost, printLine } from './support/results.mjs';
import { createAdmin, createCaller, openAccount, startService } from './support/service.mjs';
import { registerDomain } from './support/test-data.mjs';
import { parseKey, UpdateClient, updatesPerSecond } from './support/update-load.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROUND_MS = 3_000;
const CONNECTIONS = [1, 16];
const KNOT_AIM = 0.3;
const PUBLISHED_AIM_MS = 100;
/** Enough that each zone changes less than once a second. */
const ZONES = 30;
const CHANGES = 300;
/** PowerDNS looks at its queue of NOTIFYs once a second, so this is only shown. */
const SLOW_CHANGES = 30;
const ZONE = 'bench-updates.com';
const KEY = `hmac-sha256:bench:${Buffer.alloc(32, 7).toString('base64')}`;
const NAMED = [process.env.BENCH_NAMED, '/usr/sbin/named'].find((path) => path && existsSync(path));
const PDNS = ['/usr/sbin/pdns_server'].find((path) => existsSync(path));

export function run() {
  if (KNOT_MISSING) {
    printLine(`SKIPPED: ${KNOT_MISSING}`);
    return [];
  }
  return withWorkspace(async (workspace) => {
    const others = [{ title: 'Knot', ...(await startKnotPrimary(workspace)) }];
    if (NAMED) others.push({ title: 'BIND', ...(await startBind(workspace)) });
    else printLine('SKIPPED BIND: no named is installed');
    const results = [];
    for (const kind of await databaseKinds(workspace)) {
      results.push(...(await rates(workspace, kind, others)), await published(workspace, kind, 'Knot', CHANGES));
      if (PDNS) await published(workspace, kind, 'PowerDNS', SLOW_CHANGES);
    }
    return results;
  });
}

async function startUpdatable(workspace, kind) {
  const databaseUrl = await kind.createDatabase();
  const { accountId, key } = openAccount(databaseUrl);
  const port = await freePort();
  const env = { DNS_LISTEN: `127.0.0.1:${port}`, ZONE_HISTORY_MIB_PER_DAY: '0' };
  const admin = createAdmin(databaseUrl, env);
  const tsig =
    /hmac-sha256:\S+/.exec(admin('key', 'create-tsig', '--account', accountId, '--name', 'bench'))?.[0] ?? '';
  const service = await startService(workspace, databaseUrl, env);
  return { port, key: parseKey(tsig), admin, call: createCaller(service, key), stop: () => service.stop() };
}

/** Rounds alternate between the servers. None has a secondary, so all answer after their commit. */
async function rates(workspace, kind, others) {
  const own = await startUpdatable(workspace, kind);
  await registerDomain(own.call, ZONE);
  const servers = [{ title: `Namewright on ${kind.title}`, port: own.port, key: own.key, zone: ZONE }, ...others];
  const results = [];
  for (const connections of CONNECTIONS) {
    /** @type {Record<string, number[]>} */
    const measured = Object.fromEntries(servers.map(({ title }) => [title, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const server of servers) measured[server.title].push(await updatesPerSecond(server, connections, ROUND_MS));
    const line = Object.entries(measured).map(([title, perSecond]) => `${title} ${median(perSecond).toFixed(0)}/s`);
    printLine(`UPDATE on ${connections} TCP connections: ${line.join(' | ')}`);
    const [ours = [], knots = []] = Object.values(measured);
    const ratio = median(ours.map((perSecond, round) => perSecond / knots[round]));
    results.push(atLeast(`UPDATE on ${connections} connections on ${kind.title}, of Knot's`, ratio, KNOT_AIM));
  }
  await own.stop();
  return results;
}

/** The response is sent when both secondaries serve the change. */
async function published(workspace, kind, second, changes) {
  const own = await startUpdatable(workspace, kind);
  const name = `${kind.title}-${second}`.toLowerCase();
  const knot = await startKnot(workspace, own.admin, `one-${name}`);
  const startOther = second === 'Knot' ? startKnot : startPowerdns;
  const other = await startOther(workspace, own.admin, `two-${name}`);
  const zones = Array.from({ length: ZONES }, (_, index) => `bench-published-${index}.com`);
  for (const zone of zones) await registerDomain(own.call, zone);
  for (const { probe } of [knot, other])
    for (const zone of zones)
      while ((await probe.serial(zone)) === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  const client = await UpdateClient.open(own.port, own.key);
  const times = [];
  for (let change = 0; change < changes; change += 1) {
    times.push(await client.add(zones[change % ZONES]));
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  client.close();
  const claim = `from UPDATE to the response with Knot and ${second} current on ${kind.title}`;
  printLine(
    `${claim}: p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(1)} ms`,
  );
  for (const { stop } of [knot, other, own]) await stop();
  return atMost(`${claim}, p99`, percentile(times, 99), PUBLISHED_AIM_MS, ' ms');
}

async function startPowerdns({ folder, start }, admin, name) {
  const port = await freePort();
  const home = join(folder, name);
  mkdirSync(home);
  admin('dns', 'tsig', 'create', name);
  admin('dns', 'secondary', 'add', name, `127.0.0.1:${port}`, '--key', name);
  execFileSync('sh', ['-s'], {
    input: admin('dns', 'pdns-config', '--secondary', name, '--dir', home),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const probe = await NameserverProbe.open(port);
  const { stop } = await start({ command: PDNS, args: [`--config-dir=${home}`], isReady: () => probe.isReachable() });
  return { probe, stop: async () => (probe.close(), stop()) };
}

/** With its default journal, which is synchronized to disk on every commit. */
async function startKnotPrimary(workspace) {
  const { home, port } = await primaryFolder(workspace, 'knot-primary');
  const [, name, secret] = KEY.split(':');
  const file = join(home, 'knot.conf');
  const lines = [
    'server:',
    `  listen: 127.0.0.1@${port}`,
    `  rundir: ${home}`,
    'database:',
    `  storage: ${home}`,
    'key:',
    `  - id: ${name}`,
    '    algorithm: hmac-sha256',
    `    secret: ${secret}`,
    'acl:',
    '  - id: update',
    `    key: ${name}`,
    '    action: update',
    'zone:',
    `  - domain: ${ZONE}`,
    `    storage: ${home}`,
    '    file: zone',
    '    zonefile-sync: -1',
    '    journal-content: all',
    '    acl: update',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return startPrimary(workspace, port, '/usr/sbin/knotd', ['-c', file]);
}

async function startBind(workspace) {
  const { home, port } = await primaryFolder(workspace, 'bind-primary');
  const [, name, secret] = KEY.split(':');
  const file = join(home, 'named.conf');
  const lines = [
    `options { directory "${home}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; pid-file none; };`,
    'controls { };',
    `key "${name}" { algorithm hmac-sha256; secret "${secret}"; };`,
    `zone "${ZONE}" { type primary; file "zone"; allow-update { key "${name}"; }; };`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return startPrimary(workspace, port, NAMED, ['-g', '-c', file]);
}

async function primaryFolder({ folder }, name) {
  const home = join(folder, name);
  mkdirSync(home);
  const lines = ['$TTL 3600', '@ SOA ns1.example.net. root.example.net. 1 3600 600 86400 300', '@ NS ns1.example.net.'];
  writeFileSync(join(home, 'zone'), `${lines.join('\n')}\n`);
  return { home, port: await freePort() };
}

async function startPrimary({ start }, port, command, args) {
  const probe = await NameserverProbe.open(port);
  await start({ command, args, isReady: () => probe.isReachable() });
  probe.close();
  return { port, key: parseKey(KEY), zone: ZONE };
}
