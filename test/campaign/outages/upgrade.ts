import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../crash/client';
import { SeededRandom } from '../../crash/random';
import { checkConsistency, waitForOperations } from '../../crash/run-crash-campaign';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import { freePort } from '../../support/free-port';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

/**
 * Replaces two replicas of an older version one after the other under load. In between, both versions serve one database, and are
 * killed and started again in turn. Nothing may be lost or bought twice, and no process may log an error.
 */
export const upgradeCampaign: Campaign = { name: 'upgrade', unit: 'kills', ciSize: 2, fullSize: 40, run };

/** The last commit with the migrations that the initial schema replaced. */
const OLDER = 'a8ba3d8d2994';
const FOLDER = join('dist-campaign', 'releases', OLDER);
const COMPILER = 'node_modules/typescript/bin/tsc';
const CLIENTS = 6;
const TRAFFIC = { registrations: 0.2, renewals: 0.2, records: 0.4, hasAuthCodes: true };
const BEFORE_MS = 4_000;
const BETWEEN_KILLS_MS = 1_500;
const MAX_PAUSE_MS = 2_000;
const LEVEL_ERROR = /^.*"level":[56]0.*$/gm;

interface Replica {
  readonly settings: Record<string, string>;
  program: string;
  process: ServiceProcess;
}

async function run(kills: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  if (!isInHistory()) return { summary: `skipped: this clone's history ends before commit ${OLDER}`, failures: [] };
  buildOlder();
  build();
  const random = new SeededRandom(seed);
  const mysql = await startPrivateMysql();
  const started: ServiceProcess[] = [];
  const start = (settings: Record<string, string>, program: string) => {
    const child = startProcess(settings, [process.execPath, program]);
    started.push(child);
    return child;
  };
  try {
    const shared = {
      DATABASE_URL: await mysql.createDatabase(),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      NODE_ENV: 'test',
      DNS_LISTEN: 'off',
      RATE_LIMIT_PER_MINUTE: '0',
      FAILED_AUTH_PER_MINUTE: '0',
      OPERATION_LEASE_MS: '1000',
    };
    const older = join(FOLDER, 'dist/main.js');
    const replicas: Replica[] = [];
    for (let index = 0; index < 2; index += 1) {
      const settings = { ...shared, PORT: String(await freePort()) };
      const replica = { settings, program: older, process: start(settings, older) };
      await addressOf(replica.process);
      replicas.push(replica);
    }
    const [first, second] = replicas as [Replica, Replica];
    const apiKey = await firstKeyOf(first.process);
    const addresses = replicas.map(({ settings }) => `http://127.0.0.1:${settings['PORT']}`) as [string, string];
    const clients = Array.from(
      { length: CLIENTS },
      (_each, index) => new Client(`u${index}`, addresses, apiKey, random, TRAFFIC),
    );
    const requests = () => clients.flatMap((client) => client.requests);
    const restart = async (replica: Replica, signal: 'SIGKILL' | 'SIGTERM', program = replica.program) => {
      replica.process.signal(signal);
      await replica.process.ended;
      const from = performance.now();
      replica.program = program;
      replica.process = start(replica.settings, program);
      await addressOf(replica.process);
      return [from, performance.now()] as const;
    };

    let isRunning = true;
    const load = Promise.all(clients.map((client) => client.run(() => isRunning)));
    await sleep(BEFORE_MS);
    const migration = await restart(first, 'SIGTERM', 'dist/main.js');
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(random.between(0, 2 * BETWEEN_KILLS_MS));
      await restart(kill % 2 === 0 ? second : first, 'SIGKILL');
    }
    await restart(second, 'SIGTERM', 'dist/main.js');
    await sleep(BETWEEN_KILLS_MS);
    isRunning = false;
    await load;
    await waitForOperations({ databaseUrl: shared.DATABASE_URL });
    for (const { process: each } of replicas) {
      each.signal('SIGTERM');
      await each.ended;
    }
    const report = await checkConsistency(shared, { databaseUrl: shared.DATABASE_URL }, clients);
    const pauseMs = longestPause(
      requests().flatMap(({ respondedAt, status = 0 }) => (respondedAt && status < 300 ? [respondedAt] : [])),
      migration,
    );
    return {
      summary: `${kills} kills of two versions side by side; ${requests().length} requests, ${report.registrations} registrations, ${report.renewals} renewals: ${report.lost.length} lost, ${report.double.length} double, ${report.left.length} left behind; the start of the first new process took ${seconds(migration[1] - migration[0])} s, longest pause in writes meanwhile ${seconds(pauseMs)} s`,
      failures: [
        ...report.lost.map((each) => `LOST: ${each}`),
        ...report.double.map((each) => `DOUBLE: ${each}`),
        ...report.left.map((each) => `LEFT BEHIND: ${each}`),
        ...started.flatMap((each) => each.stdout().match(LEVEL_ERROR) ?? []),
      ],
      missed:
        pauseMs > MAX_PAUSE_MS
          ? [`no successful write for ${Math.round(pauseMs)} ms during the migrations, more than ${MAX_PAUSE_MS} ms`]
          : [],
    };
  } finally {
    for (const each of started) each.signal('SIGKILL');
    await mysql.stop();
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

function isInHistory(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${OLDER}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Compiles the sources of the commit, without a type check, against the present dependencies. */
function buildOlder(): void {
  if (existsSync(join(FOLDER, 'dist/main.js'))) return;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const archive = execFileSync(
    'git',
    ['archive', OLDER, 'src', 'public', 'docs', 'package.json', 'tsconfig.json', 'tsconfig.build.json'],
    { maxBuffer: 256 * 1024 * 1024 },
  );
  execFileSync('tar', ['-x', '-C', FOLDER], { input: archive });
  execFileSync(process.execPath, [COMPILER, '-p', join(FOLDER, 'tsconfig.build.json'), '--noCheck']);
}

/** The longest time without a successful response, of which a part was within the span. */
function longestPause(respondedAt: readonly number[], [from, until]: readonly [number, number]): number {
  const times = respondedAt.toSorted((left, right) => left - right);
  return Math.max(
    0,
    ...times.slice(1).flatMap((end, index) => {
      const begin = times[index] ?? end;
      return end > from && begin < until ? [end - begin] : [];
    }),
  );
}
