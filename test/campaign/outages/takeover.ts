import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { freePort } from '../../support/free-port';
import { createCliAdmin } from '../../support/nameservers/primary';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

/** Measures how fast a process takes over NOTIFY from a killed one if the secondary serves very many zones. */
export const takeoverCampaign: Campaign = { name: 'takeover', unit: 'zones', ciSize: 10_000, fullSize: 1_000_000, run };

const WITHIN_MS = 5_000;
const MEMORY_MIB = 64;
/** After the first NOTIFY, long enough to see whether all zones are compared. */
const WATCH_MS = 15_000;
const MAX_QUERIES = 100;
const GIVE_UP_AFTER_MS = 60_000;
const MISSED = 'filled-7.com';
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

async function run(zones: number): Promise<CampaignResult> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-takeover-'));
  const file = join(folder, 'service.db');
  const stub = await StubNameserver.start();
  const settings = { DATABASE_URL: `sqlite:${file}`, SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), PORT: '0' };
  const processes: ServiceProcess[] = [];
  const start = async (): Promise<ServiceProcess> => {
    const process = startProcess({ ...settings, DNS_LISTEN: `127.0.0.1:${await freePort()}` });
    processes.push(process);
    await addressOf(process);
    return process;
  };
  try {
    const first = await start();
    await registerOne(await addressOf(first), await firstKeyOf(first));
    const admin = createCliAdmin(settings);
    await admin('tsig', 'create', 'ns1');
    await admin('secondary', 'add', 'ns1', `127.0.0.1:${stub.port}`, '--key', 'ns1');
    await sleep(2_000);
    first.signal('SIGKILL');
    await first.ended;
    fill(file, zones);
    stub.reset();

    const second = await start();
    const startedAt = performance.now();
    const before = memoryOf(second);
    while (!stub.notified.includes(MISSED) && performance.now() - startedAt < GIVE_UP_AFTER_MS) await sleep(5);
    const ms = Math.round(performance.now() - startedAt);
    await sleep(WATCH_MS);
    const grown = Math.round((peakOf(second) - before) / 1_024);
    const asked = stub.queryCount;
    return {
      summary: `${zones} zones: NOTIFY for a missed change after ${ms} ms, ${asked} SOA queries, ${grown} MiB more memory`,
      missed: ms > WITHIN_MS ? [`NOTIFY for the missed change took ${ms} ms; the aim is ${WITHIN_MS} ms`] : [],
      failures: [
        ...(grown > MEMORY_MIB ? [`memory grew by ${grown} MiB; the aim is ${MEMORY_MIB} MiB`] : []),
        ...(asked > MAX_QUERIES ? [`${asked} SOA queries were sent for one changed zone`] : []),
      ],
    };
  } finally {
    for (const process of processes) process.signal('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
    stub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function registerOne(url: string, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/api/domains`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'template.com', contacts: { registrant: REGISTRANT } }),
  });
  const { id } = (await response.json()) as { id: string };
  for (;;) {
    const domain = (await (await fetch(`${url}/api/domains/${id}`, { headers })).json()) as { status: string };
    if (domain.status === 'active') return;
    await sleep(20);
  }
}

/** Copies one domain and its zone, all served by the secondary since yesterday, then adds one change without NOTIFY. */
function fill(file: string, zones: number): void {
  const database = new Sqlite(file);
  try {
    const own = new Map([
      ['id', `'dom_filled' || n.i`],
      ['name', `'filled-' || n.i || '.com'`],
      ['live_name', `'filled-' || n.i || '.com'`],
    ]);
    const columns = (table: string) =>
      (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    const copy = (table: string, replaced: ReadonlyMap<string, string>, where: string) => {
      const names = columns(table);
      const values = names.map((name) => replaced.get(name) ?? `t.${name}`);
      database.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${zones}) INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM n, ${table} t WHERE ${where}`,
      );
    };
    const dayAgo = Date.now() - 86_400_000;
    database.pragma('foreign_keys = OFF');
    database.exec('BEGIN');
    copy('domains', own, `t.name = 'template.com'`);
    copy(
      'zones',
      new Map([
        ['domain_id', `'dom_filled' || n.i`],
        ['version', '1'],
        ['changed_at', String(dayAgo)],
      ]),
      `t.domain_id = (SELECT id FROM domains WHERE name = 'template.com')`,
    );
    database.exec(`UPDATE secondaries SET caught_up_to = ${Date.now() - 300_000}`);
    database
      .prepare('UPDATE zones SET version = 2, changed_at = ? WHERE domain_id = (SELECT id FROM domains WHERE name = ?)')
      .run(Date.now(), MISSED);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** Resident KiB. */
function memoryOf({ pid }: ServiceProcess): number {
  return statusOf(pid, 'VmRSS');
}

function peakOf({ pid }: ServiceProcess): number {
  return statusOf(pid, 'VmHWM');
}

function statusOf(pid: number, field: string): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}
