import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../crash/random';
import type { GaleraCluster } from '../../support/databases/galera';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { addressOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

/** Between faults, after the cluster is whole again. */
const RECOVERY_MS = 3_000;
const DOWN_MS = 1_000;
/** RestartSec of Debian's mariadb.service: longer than a cluster takes to exclude a node, see docs/operations/clusters.md. */
const NODE_DOWN_MS = 5_000;
/** RestartSec in ops/systemd. */
const RESTART_AFTER_MS = 2_000;
const MAX_STARTS = 5;
/** Longer than the cluster takes to exclude a node, and than the lease of an operation. */
const CUT_OFF_MS = 6_000;
const PAUSE_AFTER_KILL_MS = 5_000;
const PAUSE_AFTER_CUT_MS = 10_000;

export interface Replica {
  readonly settings: Record<string, string>;
  process: ServiceProcess;
}

interface Fault {
  readonly title: string;
  readonly longestPauseMs: number;
  readonly cause: () => Promise<void>;
}

/** A fault, and when it and the recovery from it happened. */
interface Caused {
  readonly title: string;
  readonly longestPauseMs: number;
  readonly from: number;
  readonly until: number;
}

export function faultsOf(
  replicas: readonly Replica[],
  { nodes }: GaleraCluster,
  knots: readonly Nameserver[],
): readonly Fault[] {
  let turn = 0;
  const next = <T>(all: readonly T[]): T => all[(turn += 1) % all.length] as T;
  return [
    {
      title: 'replica killed',
      longestPauseMs: PAUSE_AFTER_KILL_MS,
      cause: async () => {
        const replica = next(replicas);
        replica.process.signal('SIGKILL');
        const { code, stdout, stderr } = await replica.process.ended;
        if (code !== null)
          throw new Error(`a replica ended with ${code} before the kill: ${(stdout + stderr).slice(-2_000)}`);
        await sleep(DOWN_MS);
        await startUnderSupervisor(replica);
      },
    },
    {
      title: 'node killed',
      longestPauseMs: PAUSE_AFTER_KILL_MS,
      cause: async () => {
        const node = next(nodes);
        await node.kill();
        await sleep(NODE_DOWN_MS);
        await node.restart();
      },
    },
    {
      title: 'replica suspended',
      longestPauseMs: PAUSE_AFTER_CUT_MS,
      cause: async () => {
        const { process } = next(replicas);
        process.signal('SIGSTOP');
        await sleep(CUT_OFF_MS);
        process.signal('SIGCONT');
      },
    },
    {
      title: 'node suspended',
      longestPauseMs: PAUSE_AFTER_CUT_MS,
      cause: async () => {
        const node = next(nodes);
        node.freeze();
        await sleep(CUT_OFF_MS);
        node.thaw();
      },
    },
    ...(nodes.every(({ network }) => network)
      ? [
          {
            title: 'node cut off from the others',
            longestPauseMs: PAUSE_AFTER_CUT_MS,
            cause: async () => {
              const { network } = next(nodes);
              network?.cutOff();
              await sleep(CUT_OFF_MS);
              network?.reconnect();
            },
          },
        ]
      : []),
    {
      title: 'Knot killed',
      longestPauseMs: PAUSE_AFTER_KILL_MS,
      cause: async () => {
        const knot = next(knots);
        await knot.kill();
        await sleep(DOWN_MS);
        await knot.start();
      },
    },
  ];
}

/** Each kind as often as the others, in random order; one after the other, so that a majority of the nodes always lives. */
export async function causeAll(
  faults: readonly Fault[],
  cluster: GaleraCluster,
  count: number,
  random: SeededRandom,
): Promise<readonly Caused[]> {
  const caused: Caused[] = [];
  let round: Fault[] = [];
  for (let index = 0; index < count; index += 1) {
    if (round.length === 0) round = [...faults];
    const [{ title, longestPauseMs, cause }] = round.splice(random.between(0, round.length - 1), 1) as [Fault];
    const from = performance.now();
    await cause();
    const problem = await cluster.waitUntilWhole();
    if (problem !== undefined)
      process.stdout.write(
        `faults: after "${title}", a node stayed outside of the cluster and was restarted: ${problem}\n`,
      );
    await sleep(RECOVERY_MS);
    caused.push({ title, longestPauseMs, from, until: performance.now() });
  }
  return caused;
}

/** For each kind of fault, the longest time without a successful response of which a part was during one. */
export function pausesIn(respondedAt: readonly number[], caused: readonly Caused[]) {
  const times = [...respondedAt, caused.at(-1)?.until ?? 0].toSorted((left, right) => left - right);
  const gaps = times.slice(1).map((end, index) => [times[index] ?? end, end] as const);
  const kinds = new Map<string, { title: string; longestPauseMs: number; times: number; worstMs: number }>();
  for (const { title, longestPauseMs, from, until } of caused) {
    const overlapping = gaps.filter(([start, end]) => end > from && start < until);
    const worst = Math.max(0, ...overlapping.map(([start, end]) => end - start));
    const before = kinds.get(title);
    kinds.set(title, {
      title,
      longestPauseMs,
      times: (before?.times ?? 0) + 1,
      worstMs: Math.round(Math.max(before?.worstMs ?? 0, worst)),
    });
  }
  return [...kinds.values()];
}

/** As systemd does: a service whose node has just come back ends at once, and is started again. */
async function startUnderSupervisor(replica: Replica): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    replica.process = startProcess(replica.settings);
    try {
      await addressOf(replica.process);
      return;
    } catch (error) {
      if (attempt === MAX_STARTS || !String(error).includes('WSREP has not yet prepared node')) throw error;
      await sleep(RESTART_AFTER_MS);
    }
  }
}
