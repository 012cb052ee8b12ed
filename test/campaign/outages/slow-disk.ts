import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, firstKeyOf, startProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

const SHIM = join(__dirname, '../../../../test/support/slow-sync.c');
const PROGRAM = join(__dirname, '../../../src/main.js');
const SYNC_MS = 300;
const WRITERS = 4;
const PAUSE_MS = 10;
const HEALTH_P99_MS = 20;
const GET_P99_MS = 30;

interface Times {
  readonly health: readonly number[];
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/** Delays every fsync of SQLite by 300 ms: writes may wait for it, reads must not. */
export const slowDiskCampaign: Campaign = { name: 'slow-disk', unit: 'seconds', ciSize: 8, fullSize: 60, run };

async function run(seconds: number): Promise<CampaignResult> {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-slow-disk-'));
  try {
    const library = join(folder, 'slow-sync.so');
    execFileSync('cc', ['-O2', '-shared', '-fPIC', SHIM, '-o', library, '-ldl']);
    const control = await measure(seconds, folder, 'control', {});
    return evaluate(
      control,
      await measure(seconds, folder, 'slow', { LD_PRELOAD: library, SLOW_SYNC_MS: String(SYNC_MS) }),
    );
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
    const domain = await request('POST', '/api/domains', {
      name: 'slow-disk.com',
      contacts: { registrant: REGISTRANT },
    });
    const path = `/api/domains/${domain.id}`;
    while ((await request('GET', path)).status !== 'active') await sleep(PAUSE_MS);
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

function requester(address: string, key: string) {
  return async (method: string, path: string, body?: object): Promise<Resource> => {
    const response = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Resource;
  };
}
