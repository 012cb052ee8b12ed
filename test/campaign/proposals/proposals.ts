import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_DAILY_BULK } from '../../../src/domain/portfolio/bulk-job';
import { SeededRandom } from '../../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import { build } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';
import { ProposalCases } from './proposal-cases';
import { RULES, type OwnDomain } from './proposal-writes';
import { startProposingInstallation, type ProposingInstallation } from './proposing-installation';

/**
 * Keys that may only propose, and keys under approval rules, write at random on every path while replicas are killed. Nothing changes
 * before someone else accepts it; then it is done once and as planned, or the proposal is stale.
 */
export const proposalsCampaign: Campaign = { name: 'proposals', unit: 'writes', ciSize: 300, fullSize: 10_000, run };

const DOMAINS = 5;
/** The start of a process takes two seconds of processor time. */
const AT = { ci: { replicas: 2, writesForAKill: 150 }, full: { replicas: 3, writesForAKill: 100 } };
const MOST_AT_ONCE = 500;
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

async function run(size: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  build();
  const { replicas, writesForAKill } = size < proposalsCampaign.fullSize ? AT.ci : AT.full;
  const random = new SeededRandom(seed);
  const mysql = await startPrivateMysql();
  try {
    const at = await startProposingInstallation(await mysql.createDatabase(), replicas, random);
    try {
      return await drive(at, { size, seed, writesForAKill });
    } finally {
      await at.replicas.stop();
    }
  } finally {
    await mysql.stop();
  }
}

interface Plan {
  readonly size: number;
  readonly seed: number;
  readonly writesForAKill: number;
}

async function drive(at: ProposingInstallation, { size, seed, writesForAKill }: Plan): Promise<CampaignResult> {
  const { replicas, admin } = at;
  const domains: OwnDomain[] = [];
  for (let index = 0; index < DOMAINS; index += 1) domains.push(await register(at, `proposed-${index}.com`));
  const rules = await replicas.send(admin, 'PUT', '/api/approval-rules', { rules: RULES });
  if (rules.status !== 200) throw new Error(`the rules got ${rules.status}: ${JSON.stringify(rules.body)}`);
  const cases = domains.map((domain, index) => {
    const own = new SeededRandom(seed * DOMAINS + index);
    return new ProposalCases(at, domain, String(index), own, MAX_DAILY_BULK.jobs / DOMAINS);
  });
  const state = { done: 0 };
  const work = async (each: ProposalCases): Promise<void> => {
    while (state.done < size) {
      state.done += 1;
      await each.runOne();
    }
  };
  await Promise.all([killAtTimes(at, state, { size, writesForAKill }), ...cases.map(work)]);
  const failures = cases.flatMap((each) => each.failures);
  const storm = Math.min(MOST_AT_ONCE, Math.ceil(size / 10));
  failures.push(...(await acceptOfMany(at, cases, storm)));
  for (const { domain, expectedCharges } of cases) {
    const { length } = await chargesOf(at, domain.name);
    if (length !== expectedCharges) failures.push(`${domain.name} has ${length} charges, not ${expectedCharges}`);
  }
  failures.push(...replicas.errors().map((line) => `the log has ${line}`));
  const kinds = [...new Set(cases.flatMap(({ counts }) => [...counts.keys()]))];
  const count = (kind: string): number => cases.reduce((sum, { counts }) => sum + (counts.get(kind) ?? 0), 0);
  return {
    summary: `${size} writes (${kinds.map((kind) => `${count(kind)} ${kind}`).join(', ')}), ${replicas.kills} kills, ${storm} acceptances at once, ${failures.length} failures`,
    failures,
  };
}

async function register(at: ProposingInstallation, name: string): Promise<OwnDomain> {
  await at.replicas.send(at.admin, 'POST', '/api/domains', { name, contacts: { registrant: REGISTRANT } }, name);
  return activeDomain(at, name);
}

/** Waits until the registration is done, after whose response a busy service may take a while. */
async function activeDomain({ replicas, admin }: ProposingInstallation, name: string): Promise<OwnDomain> {
  for (;;) {
    const { body } = await replicas.send(admin, 'GET', `/api/domains/by-name/${name}`);
    const { id, status } = body as { readonly id: string; readonly status: string };
    if (status === 'active') return { id, name };
    await sleep(20);
  }
}

/** Each after as many writes as the one before, so that a slow machine has as many as a fast one. */
async function killAtTimes(
  { replicas }: ProposingInstallation,
  state: { readonly done: number },
  { size, writesForAKill }: Omit<Plan, 'seed'>,
) {
  for (let kill = 1; kill * writesForAKill <= size; kill += 1) {
    const at = (kill - 0.5) * writesForAKill;
    while (state.done < at) await sleep(5);
    await replicas.kill();
  }
}

/** A purchase that so many requests accept at the same time, at all replicas. */
async function acceptOfMany(at: ProposingInstallation, [cases]: readonly ProposalCases[], times: number) {
  const { replicas, agent } = at;
  const name = 'proposed-once.com';
  const order = { name, contacts: { registrant: REGISTRANT } };
  const { body } = await replicas.send(agent.apiKey, 'POST', '/api/domains', order, name);
  const { id, plan } = body as { readonly id: string; readonly plan: { readonly cost: { readonly amount: number } } };
  const early = await chargesOf(at, name);
  const responses = (await cases?.acceptAtOnce(id, times)) ?? [];
  if (responses.some(({ status }) => status === 200)) await activeDomain(at, name);
  const paid = (await chargesOf(at, name)).map(({ amount }) => amount);
  return [
    ...(early.length > 0 ? [`${name} was charged before it was accepted`] : []),
    ...(JSON.stringify(paid) === JSON.stringify([plan.cost.amount]) ? [] : [`${name} cost ${paid.join(' and ')}`]),
    ...(responses.every(({ status }) => status === 200 || status === 409) ? [] : ['an acceptance failed']),
  ];
}

async function chargesOf({ replicas, admin }: ProposingInstallation, name: string) {
  const { body } = await replicas.send(admin, 'GET', `/api/sandbox/ledger?name=${name}`);
  return body as readonly { readonly amount: number }[];
}
