import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { A_REGISTRANT } from '../../support/data/a-domain';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

/** Imports names at a registry with a limit of calls a second: how much of the limit it uses, its memory, and kills in between. */
export const importCampaign: Campaign = { name: 'import', unit: 'names', ciSize: 60, fullSize: 10_000, run };

const CALLS_PER_SECOND = 10;
/** `info` and `registrant`. */
const CALLS_PER_NAME = 2;
const NAMES_PER_PAGE = 100;
const LEAST_SHARE = 0.9;
const MAX_MIB = 64;
const KILLS = 3;
const MAX_KILLED_NAMES = 200;
const SAMPLE_EVERY_MS = 250;
/** Polls of a short import must not blur its rate, and those of a long one must not fill the memory. */
const pollEveryMs = (size: number) => Math.min(2_000, Math.max(SAMPLE_EVERY_MS, size / 2));
const YEAR_MS = 365 * 86_400_000;
const REGISTRIES = `registries:
  stand-in:
    adapter: simulated
    tlds: [com]
    per_second: ${CALLS_PER_SECOND}
`;

interface Report {
  readonly finished_at: string | null;
  readonly imported: number;
  readonly present: number;
  readonly failed: number;
}

async function run(size: number): Promise<CampaignResult> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-import-'));
  const file = join(folder, 'service.db');
  writeFileSync(join(folder, 'registries.yaml'), REGISTRIES);
  const settings = {
    DATABASE_URL: `sqlite:${file}`,
    REGISTRIES_FILE: join(folder, 'registries.yaml'),
    PORT: '0',
    NODE_ENV: 'test',
    RATE_LIMIT_PER_MINUTE: '0',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  };
  let service = startProcess(settings);
  const restart = async (): Promise<string> => {
    service.signal('SIGKILL');
    await service.ended;
    service = startProcess(settings);
    return addressOf(service);
  };
  try {
    const address = await addressOf(service);
    const key = await firstKeyOf(service);
    const registryFile = join(folder, 'service-registry-stand-in.db');
    fill(registryFile, 'measured', size);
    const measured = await measure(service, { address, key }, size);
    const killed = Math.min(size, MAX_KILLED_NAMES);
    fill(registryFile, 'killed', killed);
    const afterKills = await importWithKills({ address, key }, restart);
    return resultOf({ size, killed, ...measured, afterKills, domains: countDomains(file) });
  } finally {
    service.signal('SIGTERM');
    await service.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Access {
  readonly address: string;
  readonly key: string;
}

async function measure(service: ServiceProcess, access: Access, size: number) {
  await sleep(3_000);
  const idleMiB = residentMiB(service);
  const startedAt = performance.now();
  const id = await start(access);
  let [peakMiB, report]: [number, Report] = [idleMiB, await read(access, id)];
  for (let since = 0; report.finished_at === null; since += SAMPLE_EVERY_MS) {
    await sleep(SAMPLE_EVERY_MS);
    peakMiB = Math.max(peakMiB, residentMiB(service));
    if (since % pollEveryMs(size) < SAMPLE_EVERY_MS) report = await read(access, id);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const calls = size * CALLS_PER_NAME + Math.floor(size / NAMES_PER_PAGE) + 1;
  return { report, seconds, share: calls / seconds / CALLS_PER_SECOND, beyondIdleMiB: peakMiB - idleMiB };
}

async function importWithKills(access: Access, restart: () => Promise<string>): Promise<Report> {
  const id = await start(access);
  let { address } = access;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(2_000);
    address = await restart();
  }
  for (;;) {
    const report = await read({ ...access, address }, id);
    if (report.finished_at !== null) return report;
    await sleep(SAMPLE_EVERY_MS);
  }
}

interface Measured {
  readonly size: number;
  readonly killed: number;
  readonly report: Report;
  readonly seconds: number;
  readonly share: number;
  readonly beyondIdleMiB: number;
  readonly afterKills: Report;
  readonly domains: number;
}

function resultOf({
  size,
  killed,
  report,
  seconds,
  share,
  beyondIdleMiB,
  afterKills,
  domains,
}: Measured): CampaignResult {
  const failures = [
    ...(report.imported === size && report.failed === 0 ? [] : [`imported ${report.imported} of ${size}`]),
    ...(afterKills.imported + afterKills.present === size + killed && afterKills.failed === 0
      ? []
      : [`after ${KILLS} kills: ${JSON.stringify(afterKills)}`]),
    ...(domains === size + killed ? [] : [`${domains} domains instead of ${size + killed}`]),
  ];
  return {
    summary: `${report.imported} names in ${Math.round(seconds)} s: ${(share * 100).toFixed(1)} % of ${CALLS_PER_SECOND} calls a second, ${beyondIdleMiB.toFixed(1)} MiB beyond idle; ${killed} more with ${KILLS} kills`,
    failures,
    missed: [
      ...(share < LEAST_SHARE ? [`uses ${(share * 100).toFixed(1)} % of the limit`] : []),
      ...(beyondIdleMiB > MAX_MIB ? [`takes ${beyondIdleMiB.toFixed(1)} MiB beyond idle`] : []),
    ],
  };
}

async function start({ address, key }: Access): Promise<string> {
  const response = await fetch(`${address}/api/imports`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ registry: 'stand-in' }),
  });
  if (response.status !== 202) throw new Error(`POST /api/imports: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { readonly id: string }).id;
}

async function read({ address, key }: Access, id: string): Promise<Report> {
  const response = await fetch(`${address}/api/imports/${id}`, { headers: { Authorization: `Bearer ${key}` } });
  if (response.status !== 200) throw new Error(`GET /api/imports: ${response.status} ${await response.text()}`);
  return (await response.json()) as Report;
}

function residentMiB({ pid }: ServiceProcess): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}

/** Names that the registry holds for us and the service does not know. */
function fill(registryFile: string, prefix: string, size: number): void {
  const connection = new Sqlite(registryFile);
  const insert = connection.prepare(
    `INSERT INTO simreg_registrations (name, sponsor, creator, created_at, expires_at, phase, refundable, transfer_locked, nameservers, glue, registrant, next_due_at)
      VALUES (?, 'namewright', 'namewright', ?, ?, 'registered', 0, 1, '["ns1.example.net","ns2.example.net"]', '[]', ?, ?)`,
  );
  const now = Date.now();
  const registrant = JSON.stringify(A_REGISTRANT);
  connection.transaction(() => {
    for (let index = 0; index < size; index += 1)
      insert.run(`${prefix}-${index}.com`, now, now + YEAR_MS, registrant, now + YEAR_MS);
  })();
  connection.close();
}

function countDomains(file: string): number {
  const connection = new Sqlite(file, { readonly: true });
  const count = connection.prepare('SELECT COUNT(*) FROM domains').pluck().get() as number;
  connection.close();
  return count;
}
