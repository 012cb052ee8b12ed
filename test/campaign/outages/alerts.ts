import { setTimeout as sleep } from 'node:timers/promises';
import { PRIVATE_MYSQL_MISSING } from '../../support/databases/mariadb';
import { REDIS_MISSING } from '../../support/databases/redis';
import { fakeTimeLibrary } from '../../support/dnssec/fake-time';
import { build } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { INTERVAL, MonitoredInstallation, type Replica } from './monitored-installation';

/** Injects faults into running replicas that a Prometheus scrapes, and measures how soon each raises its alert. Before that, none may fire. */
export const alertsCampaign: Campaign = { name: 'alerts', unit: 'faults', ciSize: 0, fullSize: 12, run };

const AIM_SECONDS = 60;
const GIVE_UP_SECONDS = 150;
const NORMAL_SECONDS = 60;
const HOUR = '+3600s';

/** A fault in the running service. */
interface Fault {
  readonly alert: string;
  readonly inject: () => Promise<unknown>;
  /** Repeated until the alert fires. */
  readonly load?: () => Promise<unknown>;
  readonly repair: () => Promise<unknown>;
}

function faultsOf(world: MonitoredInstallation): readonly Fault[] {
  const { mysql, redis, registry, sql } = world;
  const { faults } = registry;
  const rename = (table: string) => ({
    inject: () => sql.query(`RENAME TABLE ${table} TO ${table}_away`),
    repair: () => sql.query(`RENAME TABLE ${table}_away TO ${table}`),
  });
  let skewed: Replica | undefined;
  return [
    {
      alert: 'NamewrightDown',
      inject: async () => world.other.process.signal('SIGKILL'),
      repair: () => world.restartOther(),
    },
    {
      alert: 'NamewrightDatabaseUnavailable',
      inject: async () => mysql.freeze(),
      repair: async () => mysql.thaw(),
    },
    {
      alert: 'NamewrightLimitsStoreAway',
      inject: async () => redis.freeze(),
      repair: async () => redis.thaw(),
    },
    {
      alert: 'NamewrightRegistryDown',
      inject: () => faults.inject({ kind: 'drop_before' }),
      load: () => world.search(),
      repair: () => faults.clear(),
    },
    {
      alert: 'NamewrightDeadLetter',
      inject: async () => {
        await world.causeMessage();
        await faults.inject({ kind: 'malformed', target: 'poll:req', times: 2 });
      },
      repair: () => faults.clear(),
    },
    {
      alert: 'NamewrightEventLoopBlocked',
      inject: async () => {
        world.other.process.signal('SIGSTOP');
        await sleep(4_000);
        world.other.process.signal('SIGCONT');
      },
      repair: async () => undefined,
    },
    { alert: 'NamewrightBackgroundWorkFailing', ...rename('transfers') },
    { alert: 'NamewrightErrors', load: () => world.list(), ...rename('domains') },
    {
      alert: 'NamewrightDatabasePoolExhausted',
      inject: () => sql.query('LOCK TABLES domains WRITE'),
      load: () => Promise.all(Array.from({ length: 60 }, () => world.list())),
      repair: () => sql.query('UNLOCK TABLES'),
    },
    {
      alert: 'NamewrightClockSkew',
      inject: async () => {
        skewed = await world.startReplica({
          LD_PRELOAD: fakeTimeLibrary() ?? '',
          FAKETIME: HOUR,
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          WORKER: 'off',
        });
        await world.scrapeAlso(skewed);
      },
      repair: async () => {
        world.scrape();
        skewed?.process.signal('SIGKILL');
      },
    },
    {
      alert: 'NamewrightDiskFull',
      // The check of /readyz no longer fits, as on a full disk: reads go on.
      inject: async () => {
        await sql.query('SET GLOBAL max_allowed_packet = 16384');
        await world.killConnections();
      },
      repair: async () => {
        await sql.query('SET GLOBAL max_allowed_packet = 16777216');
        await world.killConnections();
      },
    },
    {
      alert: 'NamewrightRegistryQueueFull',
      inject: () => faults.inject({ kind: 'delay', target: 'domain:check', milliseconds: 700 }),
      load: () => Promise.all(Array.from({ length: 40 }, () => world.search())),
      repair: () => faults.clear(),
    },
  ];
}

async function run(size: number): Promise<CampaignResult> {
  const missing =
    PRIVATE_MYSQL_MISSING ?? REDIS_MISSING ?? (fakeTimeLibrary() === undefined ? 'libfaketime is missing' : undefined);
  if (missing !== undefined) throw new Error(missing);
  build();
  const world = new MonitoredInstallation();
  try {
    await world.start();
    const falseAlarms = await alertsOfNormalLoad(world);
    const results: { readonly alert: string; readonly seconds: number }[] = [];
    for (const fault of faultsOf(world).slice(0, size)) {
      await world.isReady();
      const seconds = await secondsUntilAlert(world, fault);
      process.stdout.write(`  ${fault.alert}: ${Number.isFinite(seconds) ? `${seconds.toFixed(0)} s` : 'missing'}\n`);
      results.push({ alert: fault.alert, seconds });
    }
    return {
      summary: `${NORMAL_SECONDS} s of normal load: ${falseAlarms.length} alerts; ${results.filter(({ seconds }) => seconds <= AIM_SECONDS).length} of ${results.length} faults raised their alert within ${AIM_SECONDS} s, with a scrape and an evaluation every ${INTERVAL}`,
      failures: [
        ...falseAlarms.map((alert) => `${alert} fired under normal load`),
        ...results
          .filter(({ seconds }) => !Number.isFinite(seconds))
          .map(({ alert }) => `${alert} did not fire within ${GIVE_UP_SECONDS} s`),
      ],
      missed: results
        .filter(({ seconds }) => Number.isFinite(seconds) && seconds > AIM_SECONDS)
        .map(({ alert, seconds }) => `${alert} fired after ${seconds.toFixed(0)} s`),
    };
  } finally {
    await world.stop();
  }
}

async function alertsOfNormalLoad(world: MonitoredInstallation): Promise<readonly string[]> {
  const fired = new Set<string>();
  const until = performance.now() + NORMAL_SECONDS * 1_000;
  while (performance.now() < until) {
    await Promise.all([world.list(), world.search(), world.register()]);
    for (const alert of await world.firing()) fired.add(alert);
    await sleep(500);
  }
  return [...fired];
}

/** Infinity if it does not fire. The alert must not fire from an earlier fault. */
async function secondsUntilAlert(
  world: MonitoredInstallation,
  { alert, inject, load, repair }: Fault,
): Promise<number> {
  while ((await world.firing()).has(alert)) await sleep(500);
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const over = new AbortController();
  await inject();
  const loading = load && repeat(load, over.signal);
  try {
    while (!(await world.firing()).has(alert)) {
      if (seconds() > GIVE_UP_SECONDS) return Infinity;
      await sleep(250);
    }
    return seconds();
  } finally {
    over.abort();
    await repair();
    await loading;
  }
}

async function repeat(load: () => Promise<unknown>, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await load();
    await sleep(200);
  }
}
