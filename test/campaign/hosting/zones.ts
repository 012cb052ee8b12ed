import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import type { Campaign, CampaignResult } from '../campaign';
import {
  delegationDifferences,
  forAll,
  listDifferences,
  read,
  transferDifferences,
  type ShownZone,
} from './zone-checks';
import { pathOf, type HostedZone } from './zone-actions';
import { ZoneCreator } from './zone-creator';
import { send, startInstallation, transfer, type TransferSource, type ZoneInstallation } from './zone-installation';

/**
 * Several accounts create zones at random, one below the other and between two others, fill them on all paths, sign some and delete
 * some. At the end, Knot and PowerDNS must serve what the API shows, and each zone must delegate to those below it. One half on SQLite,
 * the other on MariaDB.
 */
export const zonesCampaign: Campaign = { name: 'zones', unit: 'zones', ciSize: 200, fullSize: 10_000, run };

const AT_ONCE = 8;
const POLL_INTERVAL_MS = 200;
/** Far beyond what a busy machine needs: a zone that is not served by then never will be. */
const PUBLICATION_TIMEOUT_MS = 15 * 60_000;
const LATENESS_MS = 60_000;
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

async function run(size: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  const mysql = await startPrivateMysql();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-zones-'));
  try {
    const half = Math.ceil(size / 2);
    const results = [
      await runOn(folder, `sqlite:${join(folder, 'service.db')}`, { size: half, seed }),
      await runOn(folder, await mysql.createDatabase(), { size: size - half, seed: seed + 1 }),
    ];
    const [sqlite, mariadb] = results.map(({ summary }) => summary);
    return {
      summary: `SQLite: ${sqlite}; MariaDB: ${mariadb}`,
      failures: results.flatMap(({ failures }) => failures),
    };
  } finally {
    await mysql.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOn(
  folder: string,
  databaseUrl: string,
  { size, seed }: { readonly size: number; readonly seed: number },
): Promise<CampaignResult> {
  const installation = await startInstallation(folder, databaseUrl);
  try {
    const domains = await registerDomains(installation);
    const unproven = await createUnproven(installation, Math.ceil(size / 20));
    const creator = new ZoneCreator(installation);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < size; index = next++)
        await creator.createOne(new SeededRandom(seed * size + index));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    process.stdout.write(`zones: created, ${describe(creator.counts)}\n`);
    const { failures, deleted, counts } = creator;
    const zones = creator.zones();
    failures.push(...(await untilSigned(installation, creator.signedBelowOthers())));
    failures.push(...(await untilPublished(installation, zones)));
    const shown = await forAll(zones, async (zone) => [await read(installation, zone)]);
    failures.push(...delegationDifferences(shown, new Set(creator.signedBelowOthers().map(({ id }) => id))));
    const sources = [installation.primary, ...installation.secondaries];
    const late: string[] = [];
    failures.push(
      ...(await forAll(shown, async (zone) =>
        (await Promise.all(sources.map((source) => lastingDifferences(installation, source, zone, late)))).flat(),
      )),
    );
    failures.push(...(await untilGone(installation, [...deleted, ...unproven])));
    failures.push(...(await listDifferences(installation, zones, domains)));
    failures.push(...installation.service.errors().map((line) => `the log has ${line}`));
    const records = shown.reduce((sum, zone) => sum + zone.records.length, 0);
    return {
      summary: `${zones.length} zones with ${records} records left after ${deleted.length} deletions; ${describe(counts)}; ${late.length > 0 ? `late for a moment: ${late.join(', ')}; ` : ''}${failures.length} differences`,
      failures,
    };
  } finally {
    await installation.stop();
  }
}

/**
 * A secondary that has served a serial can step back for a moment: of a name that was deleted and created again, it resets the zone
 * when it reads the catalog (RFC 9432, section 5.4). What lasts is a difference, and the primary is never late.
 */
async function lastingDifferences(
  installation: ZoneInstallation,
  source: TransferSource,
  zone: ShownZone,
  late: string[],
): Promise<readonly string[]> {
  let differences = await transferDifferences(source, zone);
  if (differences.length === 0 || source === installation.primary) return differences;
  const [first] = differences;
  const deadline = Date.now() + LATENESS_MS;
  while (differences.length > 0 && Date.now() < deadline) {
    await sleep(POLL_INTERVAL_MS);
    differences = await transferDifferences(source, await read(installation, zone));
  }
  if (differences.length === 0) late.push(String(first));
  return differences;
}

function describe(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${count} ${what}`).join(', ');
}

/** One for each account, by its id: lists of domains have it, and no zone beside it. */
async function registerDomains(installation: ZoneInstallation): Promise<ReadonlyMap<string, string>> {
  const domains = new Map<string, string>();
  for (const [index, client] of installation.clients.entries()) {
    const name = `registered-${index}.com`;
    const { status, text } = await send(installation, client, 'POST', '/api/domains', {
      name,
      contacts: { registrant: REGISTRANT },
    });
    if (status >= 300) throw new Error(`POST /api/domains returned ${status}: ${text}`);
    domains.set(client.accountId, name);
  }
  return domains;
}

/** Zones whose names no one proves: no nameserver may ever serve them. */
async function createUnproven(installation: ZoneInstallation, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `unproven-${index}.example`);
  for (const name of names) {
    const { status, text } = await send(installation, installation.stranger, 'POST', '/api/zones', { name });
    if (status !== 201 || (JSON.parse(text) as { status: string }).status !== 'unverified')
      throw new Error(`creating ${name} returned ${status}: ${text}`);
  }
  return names;
}

/** Lets caches expire until the zones above have the DS records of the zones, and these know it. */
async function untilSigned(installation: ZoneInstallation, zones: readonly HostedZone[]): Promise<readonly string[]> {
  const [operator] = installation.clients;
  const deadline = Date.now() + PUBLICATION_TIMEOUT_MS;
  let left = zones;
  while (left.length > 0 && Date.now() < deadline) {
    const { status, text } = await send(installation, operator, 'POST', '/api/sandbox/advance', { days: 2 });
    if (status !== 200) throw new Error(`POST /api/sandbox/advance returned ${status}: ${text}`);
    await sleep(POLL_INTERVAL_MS);
    left = await forAll(left, async (zone) => {
      const { text } = await send(installation, zone.client, 'GET', `${pathOf(zone)}/dnssec`);
      return (JSON.parse(text) as { state?: string }).state === 'active' ? [] : [zone];
    });
  }
  return left.map(({ name }) => `${name} has no DS records in the zone above`);
}

async function untilPublished(
  installation: ZoneInstallation,
  zones: readonly HostedZone[],
): Promise<readonly string[]> {
  return untilAll(zones, 'is not published', async (zone) => {
    const { text } = await send(installation, zone.client, 'GET', `${pathOf(zone)}/dns/status`);
    return (JSON.parse(text) as { published?: boolean }).published === true;
  });
}

async function untilGone(installation: ZoneInstallation, names: readonly string[]): Promise<readonly string[]> {
  const sources = [installation.primary, ...installation.secondaries];
  return untilAll(
    names.map((name) => ({ name })),
    'is still served',
    async ({ name }) =>
      (await Promise.all(sources.map((source) => transfer(source, name)))).every((answers) => answers === undefined),
  );
}

async function untilAll<Z extends { readonly name: string }>(
  zones: readonly Z[],
  otherwise: string,
  isReached: (zone: Z) => Promise<boolean>,
): Promise<readonly string[]> {
  const deadline = Date.now() + PUBLICATION_TIMEOUT_MS;
  let left = zones;
  while (left.length > 0 && Date.now() < deadline) {
    left = await forAll(left, async (zone) => ((await isReached(zone)) ? [] : [zone]));
    if (left.length > 0) await sleep(POLL_INTERVAL_MS);
  }
  return left.map(({ name }) => `${name} ${otherwise}`);
}
