import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SeededRandom } from '../../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import { KNOT_MISSING, startKnot } from '../../support/nameservers/knot';
import { createCliAdmin } from '../../support/nameservers/primary';
import { build, CODE_CACHE, startProcess } from '../../support/service/service-process';
import { dropLeftovers, killDuringImport } from './killed-restore';
import { differences, readTruth, type Truth, type World } from './backup-checker';
import type { Campaign, CampaignResult } from '../campaign';
import { DnsService } from '../dns/dns-service';

/**
 * Restores random moments of a recorded run, of MariaDB by its binary log and of SQLite by backups made under load. Some restores are
 * killed during the import before: the former database must still be served whole, and the next restore must complete.
 */
export const backupCampaign: Campaign = { name: 'backup', unit: 'restores', ciSize: 2, fullSize: 50, run };

const RUN_MS = 6_000;
const SQLITE_BACKUPS = 4;
/** Of so many restores, one is killed first. */
const KILLED_EVERY = 5;
const SETTLE_WITHIN_MS = 180_000;
const POLL_MS = 250;
const MYSQL_OPTIONS = ['--log-bin=binlog', '--server-id=7'];

interface Moment {
  readonly folder: string;
  /** From the binary log; the moment of the backup if absent. */
  readonly at?: Date;
}

async function run(restores: number, seed: number): Promise<CampaignResult> {
  const missing = PRIVATE_MYSQL_MISSING ?? KNOT_MISSING;
  if (missing !== undefined) throw new Error(missing);
  build();
  const random = new SeededRandom(seed);
  const onSqlite = Math.floor(restores * 0.4);
  const results = [
    await drill('MariaDB', restores - onSqlite, random),
    ...(onSqlite > 0 ? [await drill('SQLite', onSqlite, random)] : []),
  ];
  return {
    summary: results.map((result) => result.summary).join('; '),
    failures: results.flatMap((result) => result.failures),
  };
}

async function drill(kind: 'MariaDB' | 'SQLite', restores: number, random: SeededRandom): Promise<CampaignResult> {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-drill-'));
  mkdirSync(join(folder, 'data'));
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const mysql = kind === 'MariaDB' ? await startPrivateMysql(MYSQL_OPTIONS) : undefined;
    if (mysql) closing.push(() => mysql.stop());
    const databaseUrl = (await mysql?.createDatabase()) ?? `sqlite:${join(folder, 'data', 'service.db')}`;
    const registry = await startRegistry(folder);
    closing.push(registry.stop);
    const service = await DnsService.start(join(folder, 'data'), [], {
      DATABASE_URL: databaseUrl,
      REGISTRIES_FILE: registry.file,
      EPP_PASSWORD: registry.password,
      HEALTH_CHECKS_PER_MINUTE: '0',
    });
    closing.push(() => service.kill());
    let transferKey = '';
    const admin = createCliAdmin(service.settings);
    const knot = await startKnot(async (...args) => {
      const output = await admin(...args);
      if (args[0] === 'tsig') transferKey = output;
      return output;
    }, 'ns1');
    closing.push(() => knot.stop());
    const world: World = {
      databaseUrl,
      registryFile: join(folder, 'registry', 'registry.db'),
      registrar: 'namewright',
      nameserver: knot,
      transferKey,
    };
    const account = await cli(service, 'account', 'list', '--json');
    const accountId = (JSON.parse(account) as { id: string; name: string }[]).find(
      ({ name }) => name === 'The clients',
    )?.id;
    const recorded = await record(service, folder, { kind, random });
    await settled(world);
    await service.kill();
    const truth = await readTruth(world);
    const failures: string[] = [];
    let [fixed, killed] = [0, 0];
    for (let count = 1; count <= restores; count += 1) {
      const moment = momentOf(recorded, random);
      const label = `${kind}, restore ${count} of ${moment.at?.toISOString() ?? moment.folder}`;
      const isKilled = count % KILLED_EVERY === 1;
      if (isKilled) {
        const command = restoreCommand(moment, accountId ?? '');
        const { settings } = service;
        const withLogs = moment.at !== undefined;
        const killedAt = await killDuringImport({ settings, folder: moment.folder, command, withLogs }, random);
        await service.restart();
        const found = await checkedUntilEqual(service, world, truth);
        failures.push(...found.map((difference) => `${label}, killed at ${killedAt}: ${difference}`));
        await service.kill();
        killed += 1;
      }
      const { fixedHere, leftovers } = await restore(service, moment, accountId ?? '');
      fixed += fixedHere;
      const left = await dropLeftovers(databaseUrl, leftovers, isKilled);
      failures.push(...left.map((each) => `${label}: ${each}`));
      await service.restart();
      const found = await checkedUntilEqual(service, world, truth);
      failures.push(...found.map((difference) => `${label}: ${difference}`));
      await service.kill();
    }
    return {
      summary: `${kind}: ${truth.names.size} names, ${truth.charges} charges, ${restores} restores, ${killed} of them killed during the import before, ${fixed} differences fixed, ${failures.length} left`,
      failures,
    };
  } finally {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Recorded {
  readonly folders: readonly string[];
  /** MariaDB: the seconds that can be restored. */
  readonly span: readonly [Date, Date] | undefined;
}

/** Registrations, renewals, changes of nameservers and records, with backups meanwhile. */
async function record(
  service: DnsService,
  folder: string,
  { kind, random }: { readonly kind: string; readonly random: SeededRandom },
): Promise<Recorded> {
  const ids: string[] = [];
  const registerNext = async (): Promise<void> => {
    ids.push(await service.register(`drill-${ids.length}-${random.between(1_000, 9_999)}.com`));
  };
  while (ids.length < 3) await registerNext().catch(refused);
  const over = new AbortController();
  let changes = 0;
  const step = async (): Promise<void> => {
    const id = random.oneOf(ids as [string, ...string[]]);
    const kindOfChange = random.between(1, 10);
    if (kindOfChange === 1) await registerNext();
    else if (kindOfChange === 2) await service.call('POST', `/api/domains/${id}/renew`, { years: 1 });
    else if (kindOfChange === 3)
      await service.call('PUT', `/api/domains/${id}/nameservers`, {
        nameservers: [`ns1.host-${random.between(1, 99)}.example`, `ns2.host-${random.between(1, 99)}.example`],
      });
    else
      await service.call('POST', `/api/domains/${id}/dns/records`, {
        type: 'A',
        name: `h${(changes += 1)}`,
        content: `192.0.2.${random.between(1, 254)}`,
      });
  };
  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await step().catch(refused);
      await sleep(random.between(10, 60));
    }
  };
  const working = [work(), work()];
  const folders: string[] = [];
  const count = kind === 'SQLite' ? SQLITE_BACKUPS : 1;
  let firstAt = new Date();
  for (let index = 0; index < count; index += 1) {
    await sleep(random.between(0, RUN_MS / SQLITE_BACKUPS));
    folders.push(join(folder, `backup-${index}`));
    await cli(service, 'backup', folders.at(-1) ?? '');
    firstAt = new Date();
  }
  if (kind === 'MariaDB') await sleep(RUN_MS);
  const lastAt = new Date();
  over.abort();
  await Promise.all(working);
  return { folders, span: kind === 'MariaDB' ? [firstAt, lastAt] : undefined };
}

/** A renewal beyond ten years, or a second change of a domain at once; 503: the operation goes on. */
function refused(error: unknown): void {
  if (!(error instanceof Error) || !/returned (?:4\d\d|503)/.test(error.message)) throw error;
}

function momentOf({ folders, span }: Recorded, random: SeededRandom): Moment {
  if (!span) return { folder: random.oneOf(folders as [string, ...string[]]) };
  const [first, last] = span.map((time) => Math.ceil(time.getTime() / 1_000)) as [number, number];
  return { folder: folders[0] ?? '', at: new Date(random.between(first, last) * 1_000) };
}

function restoreCommand({ folder, at }: Moment, accountId: string): readonly string[] {
  const time = at ? ['--at', at.toISOString().replace('.000', '')] : [];
  return ['backup', 'restore', folder, ...time, '--replace', '--fix', '--account', accountId, '--json'];
}

/** Returns how many differences were fixed, and the databases that killed restores have left. */
async function restore(
  service: DnsService,
  moment: Moment,
  accountId: string,
): Promise<{ readonly fixedHere: number; readonly leftovers: readonly string[] }> {
  const { registries, zones, leftovers } = JSON.parse(await cli(service, ...restoreCommand(moment, accountId))) as {
    registries: { fixed: number }[];
    zones: { isFixed: boolean }[];
    leftovers: string[];
  };
  const fixedZones = zones.filter(({ isFixed }) => isFixed).length;
  return { fixedHere: registries.reduce((sum, { fixed }) => sum + fixed, 0) + fixedZones, leftovers };
}

/** Until nothing changes any more, or for three minutes. */
async function checkedUntilEqual(service: DnsService, world: World, truth: Truth): Promise<readonly string[]> {
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const found = await differences(world, truth);
    if (found.length === 0 || Date.now() > deadline) return [...found, ...service.errors()];
    await sleep(POLL_MS);
  }
}

/** Waits until the nameserver has all zones. */
async function settled(world: World): Promise<void> {
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const found = await readTruth(world).then(
      (truth) => differences(world, truth),
      () => ['a zone is not served yet'],
    );
    if (found.length === 0) return;
    if (Date.now() > deadline) throw new Error(`the recorded run does not settle: ${found.join('; ')}`);
    await sleep(POLL_MS);
  }
}

async function startRegistry(folder: string) {
  const registry = startProcess({}, [
    process.execPath,
    'dist/registry.js',
    '--folder',
    join(folder, 'registry'),
    '--port',
    '0',
  ]);
  const password = (await registry.waitForOutput(/namewright\s+(\S{16})\n/))[1] ?? '';
  const yaml = (await registry.waitForOutput(/( {2}registries:\n[\s\S]*?tlds: .*)\n/))[1] ?? '';
  const file = join(folder, 'registries.yaml');
  writeFileSync(file, yaml);
  process.env['EPP_PASSWORD'] = password;
  return {
    file,
    password,
    stop: async () => {
      registry.signal('SIGTERM');
      await registry.ended;
    },
  };
}

async function cli(service: DnsService, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...CODE_CACHE, 'dist/cli.js', ...args], {
    env: { PATH: process.env['PATH'], ...service.settings },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trimEnd();
}
