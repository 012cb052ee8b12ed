import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ALL_STEPS,
  contentsOf,
  runCrashCampaign,
  WEB_STEPS,
  type CampaignOutcome,
  type CampaignRegistrar,
  type DatabaseFaults,
} from '../../crash/run-crash-campaign';
import { SeededRandom } from '../../crash/random';
import { setTimeout as sleep } from 'node:timers/promises';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../../support/databases/mariadb';
import { DomainName } from '../../../src/domain/shared/domain-name';
import type { Host } from '../../../src/infrastructure/registry/sandbox/epp-server/backend-store';
import { EppServer } from '../../../src/infrastructure/registry/sandbox/epp-server/epp-server';
import { serverCertificate } from '../../../src/infrastructure/registry/sandbox/epp-server/server-certificate';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';
import { createRegistryContext } from '../../../src/testing/create-registry-context';
import type { Campaign, CampaignResult } from '../campaign';

const MYSQL_RESTARTS = 3;

/** Kills the service at random points on SQLite and MySQL, then compares its data with the registry and its charges. */
export const crashCampaign: Campaign = { name: 'crash', unit: 'kills', ciSize: 12, fullSize: 2_000, run };

async function run(kills: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-crash-'));
  const mysql = await startPrivateMysql();
  const epp = await startEppRegistry(join(folder, 'epp-registry'));
  try {
    const onSqlite = {
      title: 'SQLite',
      label: 's',
      folder: join(folder, 'sqlite'),
      databaseUrl: `sqlite:${join(folder, 'sqlite/service.db')}`,
      instances: [ALL_STEPS],
    };
    const onMysql = {
      title: 'MySQL',
      label: 'm',
      folder: join(folder, 'mysql'),
      databaseUrl: await mysql.createDatabase(),
      databaseFaults: restartsOf(mysql),
      instances: [ALL_STEPS, WEB_STEPS],
    };
    const onEpp = {
      title: 'EPP',
      label: 'e',
      folder: join(folder, 'epp'),
      databaseUrl: `sqlite:${join(folder, 'epp/service.db')}`,
      registrar: epp.registrar,
      instances: [ALL_STEPS],
    };
    const campaigns = [onSqlite, onMysql, onEpp];
    const instances = sum(campaigns.map((plan) => plan.instances.length));
    const plans = campaigns.map((plan, index) => ({
      ...plan,
      kills: Math.ceil((kills * plan.instances.length) / instances),
      random: new SeededRandom(seed + index),
    }));
    const outcomes = await Promise.all(plans.map((plan) => runCrashCampaign(plan)));
    const result = {
      summary: summaryOf(
        plans.map(({ title }) => title),
        outcomes,
      ),
      failures: failuresOf(
        plans.map(({ title }) => title),
        outcomes,
        kills,
      ),
    };
    if (result.failures.length === 0) rmSync(folder, { recursive: true, force: true });
    else process.stdout.write(`logs in ${folder}\n`);
    return result;
  } finally {
    await epp.server.close();
    await mysql.stop();
  }
}

const REGISTRAR = { id: 'registrar', password: 'first-password' };
const LOST_HOST_UPDATES = 5;

/** An EPP server in this process, which loses responses to updates of hosts. */
async function startEppRegistry(
  folder: string,
): Promise<{ readonly server: EppServer; readonly registrar: CampaignRegistrar }> {
  mkdirSync(folder);
  const { certificate, key } = await serverCertificate(folder, new Date());
  const file = join(folder, 'registry.db');
  const server = new EppServer({ file, certificate, key, clock: new SystemClock(), log: createRegistryContext().log });
  await server.open();
  await server.setPassword(REGISTRAR.id, REGISTRAR.password);
  const port = await server.listen(0, '127.0.0.1');
  await server.faults.inject({ kind: 'drop_after', target: 'host:update', times: LOST_HOST_UPDATES });
  return {
    server,
    registrar: {
      adapter: 'epp',
      settings: { host: '127.0.0.1', port, ca: certificate, client_id: REGISTRAR.id, password: REGISTRAR.password },
      traffic: { registrations: 0.2, renewals: 0.1, records: 0.1, hasAuthCodes: true, hasGlue: true },
      calm: () => undefined,
      charges: async () =>
        (await server.charges(REGISTRAR.id)).map(({ at, kind, name, years, amount }) => ({
          at,
          kind,
          name: DomainName.fromState(name),
          years,
          amount: { minor: amount, currency: 'USD' },
          transactionId: null,
        })),
      glue: () =>
        new Map(
          (contentsOf(file, 'SELECT content FROM eppreg_hosts') as readonly Host[]).map(({ name, addresses }) => [
            name,
            addresses,
          ]),
        ),
    },
  };
}

function restartsOf(mysql: PrivateMysqlServer): DatabaseFaults {
  return {
    count: MYSQL_RESTARTS,
    cause: async () => {
      await mysql.kill();
      await sleep(300);
      await mysql.restart();
    },
  };
}

export function failuresOf(
  titles: readonly string[],
  outcomes: readonly CampaignOutcome[],
  kills: number,
): readonly string[] {
  const killed = killsOf(outcomes);
  return [
    ...outcomes.flatMap(({ lost, double, left }, index) => [
      ...lost.map((failure) => `LOST on ${titles[index]}: ${failure}`),
      ...double.map((failure) => `DOUBLE on ${titles[index]}: ${failure}`),
      ...left.map((failure) => `LEFT BEHIND on ${titles[index]}: ${failure}`),
    ]),
    ...(killed < kills ? [`only ${killed} of ${kills} kills`] : []),
  ];
}

export function summaryOf(titles: readonly string[], outcomes: readonly CampaignOutcome[]): string {
  const count = (of: (outcome: CampaignOutcome) => number) => sum(outcomes.map(of));
  return (
    `${killsOf(outcomes)} kills (${outcomes.map((outcome, index) => `${killsOf([outcome])} on ${titles[index]}`).join(', ')}: ${totals(outcomes.map((outcome) => outcome.kills))}), ${count(({ databaseFaults }) => databaseFaults)} faults of the database server, responses ${totals(outcomes.map(({ responseFaults }) => responseFaults))}; ` +
    `${count(({ requests }) => requests)} requests, ${count(({ registrations }) => registrations)} registrations, ${count(({ renewals }) => renewals)} renewals, ${count(({ operations }) => operations)} operations (${count(({ glueUpdates }) => glueUpdates)} updates of glue): ` +
    `${count(({ lost }) => lost.length)} lost, ${count(({ double }) => double.length)} double, ${count(({ left }) => left.length)} left behind`
  );
}

function killsOf(outcomes: readonly CampaignOutcome[]): number {
  return sum(outcomes.flatMap(({ kills }) => [...kills.values()]));
}

/** The sum for each key over all maps: `12 lost, 7 late`. */
function totals(maps: readonly ReadonlyMap<string, number>[]): string {
  const keys = new Set(maps.flatMap((map) => [...map.keys()]));
  return [...keys].map((key) => `${sum(maps.map((map) => map.get(key) ?? 0))} ${key}`).join(', ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
