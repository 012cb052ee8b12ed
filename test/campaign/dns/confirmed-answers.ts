import { mkdtempSync, rmSync } from 'node:fs';
import { Resolver } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startKnot } from '../../support/nameservers/knot';
import { missing } from '../../support/nameservers/nameserver';
import { POWERDNS_MISSING, startPowerdns } from '../../support/nameservers/powerdns';
import { createCliAdmin } from '../../support/nameservers/primary';
import { build } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { DnsService } from './dns-service';

/**
 * Records come and go with `?wait=published`, while resolvers query for them all the time, so also during each transfer. Knot and
 * PowerDNS must answer with every change as soon as it is confirmed.
 */
export const confirmedAnswersCampaign: Campaign = {
  name: 'confirmed-answers',
  unit: 'changes',
  ciSize: 60,
  fullSize: 5_000,
  run,
};

const MISSING = missing('knotd', 'kdig') ?? POWERDNS_MISSING;
const DOMAINS = 10;
const QUERIES_AFTER_A_CHANGE = 3;

async function run(changes: number): Promise<CampaignResult> {
  if (MISSING !== undefined) throw new Error(MISSING);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-confirmed-answers-'));
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const service = await DnsService.start(folder, [], { PUBLISH_WAIT_MS: '30000' });
    stops.push(() => service.kill());
    const admin = createCliAdmin(service.settings);
    const secondaries = [await startKnot(admin, 'knot'), await startPowerdns(admin, 'powerdns')];
    stops.push(...secondaries.map((each) => () => each.stop()));
    const resolvers = secondaries.map(({ plan }) => {
      const resolver = new Resolver({ timeout: 3_000, tries: 3 });
      resolver.setServers([`127.0.0.1:${plan.port}`]);
      return { name: plan.name, resolver };
    });
    const failures: string[] = [];
    const meanwhile = { queries: 0, isOver: false };
    const check = async (name: string, expected: string | undefined) => {
      for (const { name: secondary, resolver } of resolvers)
        for (let count = 0; count < QUERIES_AFTER_A_CHANGE; count += 1) {
          const found = await textAt(resolver, name);
          if (found !== expected) failures.push(`${secondary} answered ${name} with ${found}, not with ${expected}`);
        }
    };
    const changeOne = async (domain: string) => {
      const id = await service.register(domain);
      while ((await service.call('GET', `/api/domains/${id}/dns/status`))['published'] !== true) await sleep(50);
      const [name, path] = [`_acme-challenge.${domain}`, `/api/domains/${id}/dns/records`];
      const querying = resolvers.map(async ({ resolver }) => {
        // Only the queries after a change are judged; one without a response does not end the campaign.
        for (; !meanwhile.isOver; meanwhile.queries += 1) await textAt(resolver, name).catch(() => undefined);
      });
      for (let count = 0; count < changes / DOMAINS / 2; count += 1) {
        const record = { type: 'TXT', name: '_acme-challenge', content: `v${count}` };
        const { id: recordId } = await service.call('POST', `${path}?wait=published`, record);
        await check(name, record.content);
        await service.call('DELETE', `${path}/${String(recordId)}?wait=published`);
        await check(name, undefined);
      }
      return querying;
    };
    const domains = Array.from({ length: DOMAINS }, (_, index) => `confirmed-${index}.com`);
    const querying = await Promise.all(domains.map(changeOne)).finally(() => {
      meanwhile.isOver = true;
    });
    await Promise.all(querying.flat());
    return {
      summary: `${changes} changes, ${meanwhile.queries} queries meanwhile, ${failures.length} former answers`,
      failures,
    };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function textAt(resolver: Resolver, name: string): Promise<string | undefined> {
  try {
    return (await resolver.resolveTxt(name)).flat().join(' ');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENODATA' || code === 'ENOTFOUND') return undefined;
    throw error;
  }
}
