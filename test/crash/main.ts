import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../support/databases/mariadb';
import { ALL_STEPS, runCampaign, WEB_STEPS, type CampaignOutcome } from './campaign';
import { SeededRandom } from './random';

/** On two databases at once. `KILLS=2000` for a long run, `CRASH_SEED` for the run that this one repeats. */
async function main(): Promise<number> {
  const kills = Number(process.env['KILLS'] ?? '210');
  const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-crash-'));
  say(`CRASH_SEED=${seed} KILLS=${kills}, logs in ${folder}`);
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  const mysql = await startPrivateMysql();
  try {
    const onSqlite = { title: 'SQLite', label: 's', folder: join(folder, 'sqlite'), databaseUrl: `sqlite:${join(folder, 'sqlite/service.db')}`, instances: [ALL_STEPS] };
    const onMysql = { title: 'MySQL', label: 'm', folder: join(folder, 'mysql'), databaseUrl: await mysql.createDatabase(), mysql, instances: [ALL_STEPS, WEB_STEPS] };
    const campaigns = [onSqlite, onMysql];
    const victims = sum(campaigns.map(({ instances }) => instances.length));
    const plans = campaigns.map((plan, index) => ({ ...plan, kills: Math.ceil((kills * plan.instances.length) / victims), random: new SeededRandom(seed + index) }));
    const outcomes = await Promise.all(plans.map((plan) => runCampaign(plan)));
    const [faults, line] = verdict(plans.map(({ title }) => title), outcomes);
    for (const fault of faults) say(fault);
    if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
    say(line);
    return faults.length === 0 && killsOf(outcomes) >= kills ? 0 : 1;
  } finally {
    await mysql.stop();
  }
}

function killsOf(outcomes: readonly CampaignOutcome[]): number {
  return sum(outcomes.flatMap(({ deaths }) => [...deaths.values()]));
}

function verdict(titles: readonly string[], outcomes: readonly CampaignOutcome[]): [readonly string[], string] {
  const faults = outcomes.flatMap(({ lost, double, left }, index) => [
    ...lost.map((fault) => `LOST on ${titles[index]}: ${fault}`),
    ...double.map((fault) => `DOUBLE on ${titles[index]}: ${fault}`),
    ...left.map((fault) => `LEFT BEHIND on ${titles[index]}: ${fault}`),
  ]);
  const count = (of: (outcome: CampaignOutcome) => number) => sum(outcomes.map(of));
  return [
    faults,
    `${killsOf(outcomes)} kills (${outcomes.map((outcome, index) => `${killsOf([outcome])} on ${titles[index]}`).join(', ')}: ${totals(outcomes.map(({ deaths }) => deaths))}), ${count(({ restarts }) => restarts)} restarts of MySQL, answers ${totals(outcomes.map(({ mischief }) => mischief))}; ` +
      `${count(({ wishes }) => wishes)} wishes, ${count(({ registrations }) => registrations)} registrations, ${count(({ renewals }) => renewals)} renewals, ${count(({ operations }) => operations)} operations: ` +
      `${count(({ lost }) => lost.length)} lost, ${count(({ double }) => double.length)} double, ${count(({ left }) => left.length)} left behind`,
  ];
}

/** `12 lost, 7 late`: each key with what all have of it. */
function totals(maps: readonly ReadonlyMap<string, number>[]): string {
  const keys = new Set(maps.flatMap((map) => [...map.keys()]));
  return [...keys].map((key) => `${sum(maps.map((map) => map.get(key) ?? 0))} ${key}`).join(', ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
