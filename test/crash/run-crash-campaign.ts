import { mkdirSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateAccount } from '../../src/application/access/create-account';
import { IssueApiKey } from '../../src/application/access/api-keys/issue-api-key';
import { RegistryPort, type GlueHost } from '../../src/application/ports/registry/registry-port';
import { RegistrySandbox, type LedgerEntry } from '../../src/application/ports/registry/registry-sandbox';
import type { RegistryAdapterName } from '../../src/infrastructure/registry/registry-factory';
import { loadConfig } from '../../src/config';
import { createContainer, type RunningContainer } from '../../src/container/container';
import { OPERATOR } from '../../src/domain/access/actor';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { freePort } from '../support/free-port';
import { STEPS, type Step } from './child/crash-point';
import { RESPONSE_FAULTS, type ResponseFault } from './child/response-faults';
import { Client, type Traffic } from './client';
import { compare, type ConsistencyReport, type RegisteredGlue } from './consistency';
import type { SeededRandom } from './random';
import { KilledService, type KillPoint } from './killed-service';

const CLIENTS = 8;
const RESPONSE_FAULT_RATE = 0.06;
const COMMAND_SECONDS = 1;
/** For the comparison afterwards, which no late response may end. */
const CHECK_SECONDS = 60;
/** A command takes several requests to a registrar. */
const REGISTRAR_COMMAND_SECONDS = 3;
const TRAFFIC: Traffic = { registrations: 0.3, renewals: 0.2, records: 0.15, hasAuthCodes: true, hasGlue: true };
/** Longer than the longest back-off of an operation with an unknown outcome, five minutes: it grows with the length of the campaign. */
const OPERATIONS_TIMEOUT_MS = 360_000;

/** A registrar's stand-in, which outlives the service. */
export interface CampaignRegistrar {
  readonly adapter: RegistryAdapterName;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly traffic: Traffic;
  /** The operator's; the adapter's if absent. */
  readonly readLagSeconds?: number;
  /** Stops the faults of the stand-in. */
  calm(): void;
  charges(): readonly LedgerEntry[] | Promise<readonly LedgerEntry[]>;
  glue?(): RegisteredGlue;
}

/** What happens to the database, at even distances during the campaign. */
export interface DatabaseFaults {
  readonly count: number;
  /** Causes the next fault and ends it. */
  cause(): Promise<void>;
}

interface CampaignPlan {
  readonly title: string;
  /** A prefix that makes this campaign's domain names unique. */
  readonly label: string;
  readonly folder: string;
  readonly databaseUrl: string;
  /** For each instance, if they use different nodes of a cluster. */
  readonly databaseUrls?: readonly string[];
  readonly databaseFaults?: DatabaseFaults;
  /** The simulated registry if absent. */
  readonly registrar?: CampaignRegistrar;
  /** The steps at which each instance of the service is killed. */
  readonly instances: readonly (readonly Step[])[];
  readonly kills: number;
  readonly random: SeededRandom;
}

export interface CampaignOutcome extends ConsistencyReport {
  readonly kills: ReadonlyMap<KillPoint, number>;
  readonly responseFaults: ReadonlyMap<ResponseFault, number>;
  readonly databaseFaults: number;
  readonly requests: number;
}

/** For instances with WORKER=off, which call no registry. */
export const WEB_STEPS: readonly Step[] = [
  'before the intent',
  'after the intent',
  'before the change',
  'after the change',
];
export const ALL_STEPS: readonly Step[] = STEPS;

/** Kills the service repeatedly under load, waits until all operations finish, and checks consistency. */
export async function runCrashCampaign(plan: CampaignPlan): Promise<CampaignOutcome> {
  mkdirSync(plan.folder, { recursive: true });
  const settings = settingsFor(plan);
  const apiKey = await openAccount(settings);
  const services = await Promise.all(plan.instances.map((steps, index) => createService(plan, settings, steps, index)));
  const addresses = services.map(({ address }) => address) as [string, ...string[]];
  const clients = Array.from(
    { length: CLIENTS },
    (_each, index) =>
      new Client(`${plan.label}${index}`, addresses, apiKey, plan.random, plan.registrar?.traffic ?? TRAFFIC),
  );
  try {
    const state = { isRunning: true, kills: new Map<KillPoint, number>() };
    const load = Promise.all(clients.map((client) => client.run(() => state.isRunning)));
    const databaseFaults = await killAll(plan, services, state.kills);
    for (const service of services) await service.startWithoutFaults();
    plan.registrar?.calm();
    state.isRunning = false;
    await load;
    await waitForOperations(plan);
    for (const service of services) await service.stop();
    const requests = clients.flatMap((client) => client.requests);
    writeRegistries(plan, CHECK_SECONDS);
    return {
      ...(await checkConsistency(settings, plan, clients)),
      kills: state.kills,
      responseFaults: countResponseFaults(services),
      databaseFaults,
      requests: requests.length,
    };
  } finally {
    for (const service of services) service.kill();
  }
}

/** Returns the file. @param seconds that a call may take */
function writeRegistries({ folder, registrar }: CampaignPlan, seconds: number): string {
  const registries = join(folder, 'registries.json');
  const adapterSettings = join(folder, 'adapter-settings.json');
  if (registrar) writeFileSync(adapterSettings, JSON.stringify(registrar.settings));
  const crashing = {
    adapter: join(__dirname, 'child/crashing-registry.js'),
    settings: registrar
      ? { adapter: registrar.adapter, adapter_settings: adapterSettings }
      : { file: join(folder, 'registry.db') },
    tlds: ['com'],
    command_seconds: seconds,
    query_seconds: seconds,
    failures: 50,
    retry_after_seconds: 0.5,
    ...(registrar?.readLagSeconds !== undefined && { read_lag_seconds: registrar.readLagSeconds }),
  };
  writeFileSync(registries, JSON.stringify({ registries: { crashing } }));
  return registries;
}

function settingsFor(plan: CampaignPlan): Record<string, string> {
  return {
    DATABASE_URL: plan.databaseUrl,
    REGISTRIES_FILE: writeRegistries(plan, plan.registrar ? REGISTRAR_COMMAND_SECONDS : COMMAND_SECONDS),
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

/** Opens an account and returns a key for it. */
export function openAccount(settings: Record<string, string>): Promise<string> {
  return within(settings, async ({ container }) => {
    const { id } = await container.get(CreateAccount).execute({ actor: OPERATOR, name: 'The clients' });
    return (
      await container.get(IssueApiKey).execute({ accountId: id, actor: OPERATOR, name: 'Their key', scope: 'WRITE' })
    ).text;
  });
}

async function createService(
  { folder, random, registrar, databaseUrls }: CampaignPlan,
  settings: Record<string, string>,
  steps: readonly Step[],
  index: number,
): Promise<KilledService> {
  const port = await freePort();
  const own = {
    ...settings,
    DATABASE_URL: databaseUrls?.[index] ?? settings['DATABASE_URL'] ?? '',
    PORT: String(port),
    WORKER: steps === WEB_STEPS ? 'off' : 'on',
    RESPONSE_FAULT_RATE: String(RESPONSE_FAULT_RATE),
    TOO_LATE_MS: String((registrar ? REGISTRAR_COMMAND_SECONDS : COMMAND_SECONDS) * 1_500),
  };
  return new KilledService(`http://127.0.0.1:${port}`, own, steps, random, join(folder, `instance-${index}.log`));
}

/** Returns how many faults the database had. */
async function killAll(
  { kills, databaseFaults }: CampaignPlan,
  services: readonly KilledService[],
  counts: Map<KillPoint, number>,
): Promise<number> {
  const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const killing = Promise.all(
    services.map(async (service) => {
      while (total() < kills) {
        const killPoint = await service.runUntilKilled();
        if (killPoint) counts.set(killPoint, (counts.get(killPoint) ?? 0) + 1);
      }
    }),
  );
  const faults = databaseFaults?.count ?? 0;
  for (let fault = 1; fault <= faults; fault += 1) {
    while (total() < (fault * kills) / (faults + 1)) await sleep(100);
    await databaseFaults?.cause();
  }
  await killing;
  return faults;
}

function countResponseFaults(services: readonly KilledService[]): Map<ResponseFault, number> {
  return new Map(
    RESPONSE_FAULTS.map((kind) => [
      kind,
      services.reduce((total, { responseFaults }) => total + (responseFaults.get(kind) ?? 0), 0),
    ]),
  );
}

export async function waitForOperations({ databaseUrl }: Pick<CampaignPlan, 'databaseUrl'>): Promise<void> {
  await withDatabase(databaseUrl, async (database) => {
    for (const deadline = Date.now() + OPERATIONS_TIMEOUT_MS; Date.now() < deadline; await sleep(200)) {
      const [open] = await database.query<{ count: number }>(
        'SELECT COUNT(*) AS count FROM operations WHERE finished_at IS NULL',
      );
      if (Number(open?.count) === 0) return;
    }
  });
}

export async function checkConsistency(
  settings: Record<string, string>,
  { databaseUrl, registrar, folder }: Pick<CampaignPlan, 'databaseUrl' | 'registrar'> & { readonly folder?: string },
  clients: readonly Client[],
): Promise<ConsistencyReport> {
  const requests = clients.flatMap((client) => client.requests);
  return within(settings, async ({ container }) =>
    withDatabase(databaseUrl, async (database) =>
      compare({
        database,
        registry: container.get<RegistryPort>(RegistryPort),
        charges: await (registrar ? registrar.charges() : container.get<RegistrySandbox>(RegistrySandbox).ledger()),
        requests,
        glue: registrar
          ? registrar.glue?.()
          : folder === undefined
            ? undefined
            : simulatedGlue(join(folder, 'registry.db')),
      }),
    ),
  );
}

/** The addresses of hosts in the file of a simulated registry. */
function simulatedGlue(file: string): RegisteredGlue {
  const rows = contentsOf(file, 'SELECT glue AS content FROM simreg_registrations') as readonly (readonly GlueHost[])[];
  return new Map(rows.flat().map(({ host, addresses }) => [host, addresses]));
}

/** The parsed column `content`, from an SQLite file that a server may have open. */
export function contentsOf(file: string, sql: string): readonly unknown[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    const rows = database.prepare<[], { content: string }>(sql).all();
    return rows.map(({ content }): unknown => JSON.parse(content));
  } finally {
    database.close();
  }
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
