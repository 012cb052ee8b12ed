import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateAccount } from '../../src/application/access/create-account';
import { IssueApiKey } from '../../src/application/access/api-keys/issue-api-key';
import { RegistryPort } from '../../src/application/ports/registry/registry-port';
import { RegistrySandbox } from '../../src/application/ports/registry/registry-sandbox';
import { loadConfig } from '../../src/config';
import { createContainer, type RunningContainer } from '../../src/container/container';
import { OPERATOR } from '../../src/domain/access/actor';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { freePort } from '../support/free-port';
import type { PrivateMysqlServer } from '../support/databases/mariadb';
import { STEPS, type Step } from './child/crash-point';
import { MISCHIEFS, type Mischief } from './child/mischief';
import { Client } from './client';
import { compare, type Comparison } from './comparison';
import type { SeededRandom } from './random';
import { Victim, type Death } from './victim';

const CLIENTS = 8;
const MISCHIEF = 0.06;
const COMMAND_SECONDS = 1;
const MYSQL_RESTARTS = 3;
/** What is in doubt is looked at again after waits that grow; nothing may need longer than this. */
const SETTLE_WITHIN_MS = 150_000;

export interface CampaignPlan {
  readonly title: string;
  /** A letter that sets this campaign's names apart. */
  readonly label: string;
  readonly folder: string;
  readonly databaseUrl: string;
  /** Restarted in between, where there is one. */
  readonly mysql?: PrivateMysqlServer;
  /** One set of steps for each instance of the service. */
  readonly instances: readonly (readonly Step[])[];
  readonly kills: number;
  readonly random: SeededRandom;
}

export interface CampaignOutcome extends Comparison {
  readonly deaths: ReadonlyMap<Death, number>;
  readonly mischief: ReadonlyMap<Mischief, number>;
  readonly restarts: number;
  readonly wishes: number;
}

/** Instances of the service that cannot renew a lease or write to the registry, because they answer requests only. */
export const WEB_STEPS: readonly Step[] = [
  'before the intent',
  'after the intent',
  'before the change',
  'after the change',
];
export const ALL_STEPS: readonly Step[] = STEPS;

/** Kills the service again and again while clients use it, lets it settle, and compares. */
export async function runCampaign(plan: CampaignPlan): Promise<CampaignOutcome> {
  mkdirSync(plan.folder, { recursive: true });
  const settings = settingsFor(plan);
  const apiKey = await openAccount(settings);
  const victims = await Promise.all(plan.instances.map((steps, index) => aVictim(plan, settings, steps, index)));
  const addresses = victims.map(({ address }) => address) as [string, ...string[]];
  const clients = Array.from(
    { length: CLIENTS },
    (_each, index) => new Client(`${plan.label}${index}`, addresses, apiKey, plan.random),
  );
  try {
    const state = { goesOn: true, deaths: new Map<Death, number>() };
    const using = Promise.all(clients.map((client) => client.run(() => state.goesOn)));
    const restarts = await killAll(plan, victims, state.deaths);
    for (const victim of victims) await victim.live();
    state.goesOn = false;
    await using;
    await settle(plan);
    for (const victim of victims) await victim.stop();
    const wishes = clients.flatMap((client) => client.wishes);
    return {
      ...(await comparison(settings, plan, clients)),
      deaths: state.deaths,
      mischief: mischiefOf(victims),
      restarts,
      wishes: wishes.length,
    };
  } finally {
    for (const victim of victims) victim.kill();
  }
}

function settingsFor({ folder, databaseUrl }: CampaignPlan): Record<string, string> {
  const registries = join(folder, 'registries.json');
  const crashing = {
    adapter: join(__dirname, 'child/crashing-registry.js'),
    settings: { file: join(folder, 'registry.db') },
    tlds: ['com'],
    command_seconds: COMMAND_SECONDS,
    query_seconds: COMMAND_SECONDS,
    failures: 50,
    retry_after_seconds: 0.5,
  };
  writeFileSync(registries, JSON.stringify({ registries: { crashing } }));
  return {
    DATABASE_URL: databaseUrl,
    REGISTRIES_FILE: registries,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    OPERATION_WAIT_MS: '1500',
    OPERATION_LEASE_MS: '1000',
    RATE_LIMIT_PER_MINUTE: '0',
    FAILED_AUTH_PER_MINUTE: '0',
    DNS_LISTEN: 'off',
  };
}

async function within<T>(settings: Record<string, string>, use: (running: RunningContainer) => Promise<T>): Promise<T> {
  const running = await createContainer(loadConfig({ ...settings, LOG_LEVEL: 'silent' }));
  try {
    return await use(running);
  } finally {
    await running.close();
  }
}

function openAccount(settings: Record<string, string>): Promise<string> {
  return within(settings, async ({ container }) => {
    const { id } = await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'The clients' });
    return (
      await container.get(IssueApiKey).execute({ accountId: id, actor: OPERATOR, name: 'Their key', scope: 'WRITE' })
    ).text;
  });
}

async function aVictim(
  { folder, random }: CampaignPlan,
  settings: Record<string, string>,
  steps: readonly Step[],
  index: number,
): Promise<Victim> {
  const port = await freePort();
  const own = {
    ...settings,
    PORT: String(port),
    WORKER: steps === WEB_STEPS ? 'off' : 'on',
    MISCHIEF: String(MISCHIEF),
    TOO_LATE_MS: String(COMMAND_SECONDS * 1_500),
  };
  return new Victim(`http://127.0.0.1:${port}`, own, steps, random, join(folder, `instance-${index}.log`));
}

/** Answers how often MySQL was killed and started again on the way. */
async function killAll(
  { kills, mysql }: CampaignPlan,
  victims: readonly Victim[],
  deaths: Map<Death, number>,
): Promise<number> {
  const total = () => [...deaths.values()].reduce((sum, count) => sum + count, 0);
  const killing = Promise.all(
    victims.map(async (victim) => {
      while (total() < kills) {
        const death = await victim.liveAndDie();
        if (death) deaths.set(death, (deaths.get(death) ?? 0) + 1);
      }
    }),
  );
  const restarts = mysql ? MYSQL_RESTARTS : 0;
  for (let restart = 1; restart <= restarts; restart += 1) {
    while (total() < (restart * kills) / (restarts + 1)) await sleep(100);
    await mysql?.kill();
    await sleep(300);
    await mysql?.restart();
  }
  await killing;
  return restarts;
}

function mischiefOf(victims: readonly Victim[]): Map<Mischief, number> {
  return new Map(
    MISCHIEFS.map((kind) => [kind, victims.reduce((total, { mischief }) => total + (mischief.get(kind) ?? 0), 0)]),
  );
}

async function settle({ databaseUrl }: CampaignPlan): Promise<void> {
  await withDatabase(databaseUrl, async (database) => {
    for (const deadline = Date.now() + SETTLE_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
      const [open] = await database.query<{ count: number }>(
        'SELECT COUNT(*) AS count FROM operations WHERE finished_at IS NULL',
      );
      if (Number(open?.count) === 0) return;
    }
  });
}

async function comparison(
  settings: Record<string, string>,
  { databaseUrl }: CampaignPlan,
  clients: readonly Client[],
): Promise<Comparison> {
  const wishes = clients.flatMap((client) => client.wishes);
  return within(settings, async ({ container }) =>
    withDatabase(databaseUrl, (database) =>
      compare({
        database,
        registry: container.get<RegistryPort>(RegistryPort),
        sandbox: container.get<RegistrySandbox>(RegistrySandbox),
        wishes,
      }),
    ),
  );
}

async function withDatabase<T>(url: string, use: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database(loadConfig({ DATABASE_URL: url }).database, SERVICE_CONTENT);
  await database.open();
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}
