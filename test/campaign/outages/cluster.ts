import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../crash/random';
import { ALL_STEPS, runCrashCampaign, WEB_STEPS, type DatabaseFaults } from '../../crash/run-crash-campaign';
import { GALERA_MISSING, startGalera, type GaleraCluster } from '../../support/databases/galera';
import type { Campaign, CampaignResult } from '../campaign';
import { failuresOf, summaryOf } from './crash';

/** As `crash`, with three instances of the service, each on its own node of a Galera cluster, and faults of the nodes. */
export const clusterCampaign: Campaign = { name: 'cluster', unit: 'kills', ciSize: 0, fullSize: 1_000, run };

const KILLS_PER_FAULT = 10;
/** Longer than the cluster takes to exclude a node that does not respond. */
const CUT_OFF_MS = 6_000;
const DOWN_MS = 1_000;
/** Until a node that was cut off has joined the cluster again, so that a majority always lives. */
const REJOIN_MS = 4_000;

async function run(kills: number, seed: number): Promise<CampaignResult> {
  if (GALERA_MISSING !== undefined) throw new Error(GALERA_MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-cluster-'));
  const cluster = await startGalera();
  try {
    const database = await cluster.createDatabase();
    const databaseUrls = cluster.nodes.map((node) => node.url(database));
    const random = new SeededRandom(seed);
    const outcome = await runCrashCampaign({
      title: 'Galera',
      label: 'g',
      folder,
      databaseUrl: databaseUrls[0] ?? '',
      databaseUrls,
      databaseFaults: faultsOf(cluster, Math.max(2, Math.floor(kills / KILLS_PER_FAULT)), random),
      instances: [ALL_STEPS, ALL_STEPS, WEB_STEPS],
      kills,
      random,
    });
    const failures = failuresOf(['Galera'], [outcome], kills);
    if (failures.length === 0) rmSync(folder, { recursive: true, force: true });
    else process.stdout.write(`logs in ${folder}\n`);
    return { summary: summaryOf(['Galera'], [outcome]), failures };
  } finally {
    await cluster.stop();
  }
}

/** Kills one node after another, or cuts it off. */
function faultsOf({ nodes }: GaleraCluster, count: number, random: SeededRandom): DatabaseFaults {
  let turn = 0;
  return {
    count,
    cause: async () => {
      const node = nodes[(turn += 1) % nodes.length];
      if (random.next() < 0.5) {
        await node?.kill();
        await sleep(DOWN_MS);
        await node?.restart();
      } else {
        node?.freeze();
        await sleep(CUT_OFF_MS);
        node?.thaw();
        await sleep(REJOIN_MS);
      }
    },
  };
}
