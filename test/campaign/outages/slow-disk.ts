import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

const SHIM = join(__dirname, '../../../../test/support/slow-sync.c');
const PROGRAM = join(__dirname, '../../../src/main.js');
const SYNC_MS = 300;
/** Commits then take longer than a request waits. */
const STALLED_SYNC_MS = 2_000;
const STALLED_FOR_MS = 30_000;
const STALLED_WRITERS = 40;
const POLL_EVERY_MS = 500;
/** One a minute for each cause of 503, of which the stall has at most three. */
const MAX_WARNINGS_OF_503 = 3;
const WRITERS = 4;
const PAUSE_MS = 10;
const HEALTH_P99_MS = 20;
const GET_P99_MS = 30;

interface Times {
  readonly health: readonly number[];
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Delays every fsync of SQLite, by 300 ms and then by 2 s: writes may wait for it, reads must not. */
export const slowDiskCampaign: Campaign = { name: 'slow-disk', unit: 'seconds', ciSize: 8, fullSize: 60, run };

async function run(seconds: number): Promise<CampaignResult> {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-slow-disk-'));
  try {
    const library = join(folder, 'slow-sync.so');
    execFileSync('cc', ['-O2', '-shared', '-fPIC', SHIM, '-o', library, '-ldl']);
    const control = await measure(seconds, folder, 'control', {});
    const slow = evaluate(
      control,
      await measure(seconds, folder, 'slow', { LD_PRELOAD: library, SLOW_SYNC_MS: String(SYNC_MS) }),
    );
    const stalled = await stall(folder, library);
    return {
      summary: `${slow.summary}; ${stalled.summary}`,
      failures: [...slow.failures, ...stalled.failures],
      missed: [...(slow.missed ?? []), ...(stalled.missed ?? [])],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  seconds: number,
  folder: string,
  name: string,
  environment: Record<string, string>,
): Promise<Times> {
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, name, 'service.db')}`,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
    MAX_RECORDS_PER_ZONE: '1000000',
    ...environment,
  };
  const service = startProcess(settings, [process.execPath, PROGRAM]);
  try {
    const [address, key] = [await addressOf(service), await firstKeyOf(service)];
    const request = requester(address, key);
    const path = await activeDomain(request);
    const until = performance.now() + seconds * 1_000;
    const [health, reads, ...writes] = await Promise.all([
      timesOf(until, () => request('GET', '/healthz')),
      timesOf(until, () => request('GET', path)),
      ...Array.from({ length: WRITERS }, (_, writer) =>
        timesOf(until, (turn) =>
          request('POST', `${path}/dns/records`, { type: 'A', name: `w${writer}-${turn}`, content: '192.0.2.1' }),
        ),
      ),
    ]);
    return { health, reads, writes: writes.flat() };
  } finally {
    service.signal('SIGTERM');
    await service.ended;
  }
}

/** What clients and operators see while many writers wait for a disk that takes seconds. */
interface Stall {
  readonly statuses: number[];
  /** Names of the records that were acknowledged. */
  readonly acknowledged: string[];
  readonly scrapes: string[];
  readonly ready: { readonly status: number; readonly database: string | undefined }[];
  reads: readonly number[];
}

/** Kills the service after the writes, and reads the zone without the delay. */
async function stall(folder: string, library: string): Promise<CampaignResult> {
  const settings = {
    DATABASE_URL: `sqlite:${join(folder, 'stalled', 'service.db')}`,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
    MAX_RECORDS_PER_ZONE: '1000000',
  };
  const { key, path } = await prepare(settings);
  const seen: Stall = { statuses: [], acknowledged: [], scrapes: [], ready: [], reads: [] };
  const service = startProcess(
    { ...settings, LD_PRELOAD: library, SLOW_SYNC_MS: String(STALLED_SYNC_MS), METRICS_LISTEN: '127.0.0.1:0' },
    [process.execPath, PROGRAM],
  );
  try {
    await observe(service, key, path, seen);
  } finally {
    service.signal('SIGKILL');
    await service.ended;
  }
  const restarted = startProcess(settings, [process.execPath, PROGRAM]);
  try {
    const zoneFile = await fetch(`${await addressOf(restarted)}${path}/dns/zonefile`, { headers: authorization(key) });
    if (!zoneFile.ok) throw new Error(`the zone file after the restart: ${zoneFile.status}`);
    return evaluateStall(seen, service.stdout(), await zoneFile.text());
  } finally {
    restarted.signal('SIGTERM');
    await restarted.ended;
  }
}

/** Creates the domain while the disk is fast. */
async function prepare(settings: Record<string, string>): Promise<{ key: string; path: string }> {
  const service = startProcess(settings, [process.execPath, PROGRAM]);
  try {
    const [address, key] = [await addressOf(service), await firstKeyOf(service)];
    return { key, path: await activeDomain(requester(address, key)) };
  } finally {
    service.signal('SIGTERM');
    await service.ended;
  }
}

async function observe(service: ServiceProcess, key: string, path: string, seen: Stall): Promise<void> {
  const address = await addressOf(service);
  const metrics = (await service.waitForOutput(/"address":"([^"]+)","msg":"serving metrics"/))[1] ?? '';
  const until = performance.now() + STALLED_FOR_MS;
  const write = async (name: string): Promise<void> => {
    const response = await fetch(`${address}${path}/dns/records`, {
      method: 'POST',
      headers: { ...authorization(key), 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'A', name, content: '192.0.2.1' }),
    });
    await response.arrayBuffer();
    seen.statuses.push(response.status);
    if (response.status === 201) seen.acknowledged.push(name);
  };
  const poll = async (): Promise<void> => {
    seen.scrapes.push(await (await fetch(`http://${metrics}/metrics`)).text());
    const response = await fetch(`${address}/readyz`);
    const { database } = (await response.json()) as { database?: string };
    seen.ready.push({ status: response.status, database });
    await sleep(POLL_EVERY_MS);
  };
  const [reads] = await Promise.all([
    timesOf(until, () => requester(address, key)('GET', path)),
    timesOf(until, poll),
    ...Array.from({ length: STALLED_WRITERS }, (_, writer) => timesOf(until, (turn) => write(`s${writer}-${turn}`))),
  ]);
  seen.reads = reads;
  // The log is in order: after this line, all before it have been written.
  await fetch(`${address}/end-of-stall`);
  await service.waitForOutput(/end-of-stall/);
}

function evaluateStall({ statuses, acknowledged, scrapes, ready, reads }: Stall, log: string, zone: string) {
  const lines = log.split('\n');
  const aboutDisk = lines.filter((line) => line.includes('"level":40') && line.includes('takes long to commit: '));
  const slowness = aboutDisk.filter((line) => !line.includes('requests get 503'));
  const of503 = lines.filter((line) => line.includes('requests get 503'));
  const errors = lines.filter((line) => /"level":[56]0/.test(line));
  const failed = statuses.filter((status) => status === 503).length;
  const names = new Set(zone.split('\n').map((line) => line.split(/[\s.]/)[0]));
  const lost = acknowledged.filter((name) => !names.has(name));
  const writeSeconds = Math.max(
    ...scrapes.map((text) => Number(/^namewright_database_write_seconds (\S+)$/m.exec(text)?.[1] ?? 0)),
  );
  const [readP50, readP99] = [percentile(reads, 0.5), percentile(reads, 0.99)];
  const checks: readonly (readonly [boolean, string])[] = [
    [acknowledged.length > 0, 'no write was acknowledged'],
    [statuses.every((status) => status === 201 || status === 503), `statuses: ${[...new Set(statuses)].join(', ')}`],
    [lost.length === 0, `${lost.length} of ${acknowledged.length} acknowledged writes are lost: ${lost[0]}`],
    [slowness.length === 1, `${slowness.length} warnings that the database takes long to commit, 1 expected`],
    [
      of503.length <= MAX_WARNINGS_OF_503 && of503.length > 0 === failed > 0,
      `${of503.length} warnings of 503 for ${failed} requests, at most ${MAX_WARNINGS_OF_503} and at least one if any expected`,
    ],
    [errors.length === 0, `${errors.length} errors in the log: ${errors[0]}`],
    [
      scrapes.every((text) => /^namewright_database_up 1$/m.test(text)),
      'namewright_database_up was not 1 in each scrape',
    ],
    [writeSeconds > 1, `namewright_database_write_seconds was at most ${writeSeconds}`],
    [ready.every(({ status }) => status === 200), `/readyz: ${ready.map(({ status }) => status).join(', ')}`],
    [ready.at(-1)?.database === 'slow', `/readyz called the database ${ready.at(-1)?.database}, slow expected`],
    [readP50 < STALLED_SYNC_MS / 2, `GET waited for commits: p50 ${readP50} ms`],
  ];
  return {
    summary:
      `fsync +${STALLED_SYNC_MS} ms: ${acknowledged.length} writes acknowledged and kept, ${failed} got 503, ` +
      `${slowness.length + of503.length} warnings, write_seconds at most ${writeSeconds}, GET p50 ${readP50} ms, p99 ${readP99} ms of ${reads.length}`,
    failures: checks.filter(([holds]) => !holds).map(([, failure]) => failure),
    missed:
      readP99 > GET_P99_MS ? [`GET p99 ${readP99} ms at +${STALLED_SYNC_MS} ms, at most ${GET_P99_MS} ms allowed`] : [],
  };
}

function evaluate(control: Times, slow: Times): CampaignResult {
  const p99 = {
    health: [percentile(control.health, 0.99), percentile(slow.health, 0.99)],
    reads: [percentile(control.reads, 0.99), percentile(slow.reads, 0.99)],
  } as const;
  const fastestWrite = percentile(slow.writes, 0);
  return {
    summary:
      `fsync +${SYNC_MS} ms: /healthz p99 ${p99.health[1]} ms of ${slow.health.length} (control ${p99.health[0]} ms), GET p99 ${p99.reads[1]} ms of ${slow.reads.length} (control ${p99.reads[0]} ms); ` +
      `${slow.writes.length} writes, p50 ${percentile(slow.writes, 0.5)} ms`,
    failures: fastestWrite < SYNC_MS ? [`a write took ${fastestWrite} ms: the disk was not slow`] : [],
    missed: [
      ...(p99.health[1] > HEALTH_P99_MS
        ? [`/healthz p99 ${p99.health[1]} ms, at most ${HEALTH_P99_MS} ms allowed`]
        : []),
      ...(p99.reads[1] > GET_P99_MS ? [`GET p99 ${p99.reads[1]} ms, at most ${GET_P99_MS} ms allowed`] : []),
    ],
  };
}

async function timesOf(until: number, send: (turn: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (performance.now() < until) {
    const startedAt = performance.now();
    await send(times.length);
    times.push(performance.now() - startedAt);
    await sleep(PAUSE_MS);
  }
  return times;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 10) / 10;
}

const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

interface Resource {
  readonly id: string;
  readonly status: string;
}

/** Returns the path of the new domain. */
async function activeDomain(request: ReturnType<typeof requester>): Promise<string> {
  const { id } = await request('POST', '/api/domains', { name: 'slow-disk.com', contacts: { registrant: REGISTRANT } });
  while ((await request('GET', `/api/domains/${id}`)).status !== 'active') await sleep(PAUSE_MS);
  return `/api/domains/${id}`;
}

function authorization(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function requester(address: string, key: string) {
  return async (method: string, path: string, body?: object): Promise<Resource> => {
    const response = await fetch(address + path, {
      method,
      headers: { ...authorization(key), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Resource;
  };
}
