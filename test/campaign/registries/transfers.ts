import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../crash/random';
import type { Campaign, CampaignResult } from '../campaign';
import {
  AdapterRegistrar,
  PerlRegistrar,
  type Decision,
  type Outcome,
  type Registrar,
  type TransferState,
} from './transfer-registrars';
import { KilledRegistry } from './transfer-registry';

/**
 * Random transfers between the EPP adapter and Net::EPP::Simple at the sandbox EPP server, while responses are lost and all
 * three are killed. A name must have one sponsor, the gaining registrar must pay once, and both queues must tell it.
 */
export const transfersCampaign: Campaign = { name: 'transfers', unit: 'transfers', ciSize: 50, fullSize: 1_000, run };

/** Names whose transfer period ends together. */
const BATCH = 10;
/** Longer than the transfer period of .com. */
const TRANSFER_DAYS = 6;
const MAX_ATTEMPTS = 50;
const FAULTS = ['drop_before', 'drop_after', 'failure', 'malformed', 'idle_close'] as const;
/** `race`: one registrar approves while the other one cancels. */
const ENDINGS = ['approve', 'reject', 'cancel', 'race', 'lapse'] as const;

interface Transfer {
  readonly name: string;
  readonly losing: Registrar;
  readonly gaining: Registrar;
  readonly ending: (typeof ENDINGS)[number];
}

interface Tally {
  readonly failures: string[];
  readonly ended: Record<TransferState, number>;
  unknown: number;
  clientKills: number;
}

async function run(size: number, seed: number): Promise<CampaignResult> {
  const random = new SeededRandom(seed);
  const registry = await KilledRegistry.open();
  const registrars = await Promise.all([
    AdapterRegistrar.open(registry, 'namewright'),
    PerlRegistrar.open(registry, 'another'),
  ]);
  const tally: Tally = {
    failures: [],
    ended: { pending: 0, completed: 0, rejected: 0, cancelled: 0 },
    unknown: 0,
    clientKills: 0,
  };
  const chaos = new Chaos(registry, random, tally);
  const states = new Map<string, TransferState>();
  const transfers: Transfer[] = [];
  try {
    for (let start = 0; start < size; start += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, size - start) }, (_each, index): Transfer => {
        const [gaining, losing] = random.next() < 0.5 ? registrars : (registrars.toReversed() as typeof registrars);
        return { name: `transfer-${start + index}.com`, gaining, losing, ending: random.oneOf(ENDINGS) };
      });
      for (const transfer of batch) await carryOut(transfer, chaos, tally);
      await registry.advance(TRANSFER_DAYS);
      await registry.faults.clear();
      for (const transfer of batch) states.set(transfer.name, await verifySponsor(transfer, tally));
      transfers.push(...batch);
    }
    const messages = await verifyQueues(transfers, states, registrars, tally);
    await verifyCharges(transfers, states, registry, tally);
    const { completed, rejected, cancelled } = tally.ended;
    return {
      summary:
        `${size} transfers (${completed} completed, ${rejected} rejected, ${cancelled} cancelled), ` +
        `${registry.kills} kills of the registry, ${tally.clientKills} of a registrar, ${tally.unknown} unknown outcomes, ` +
        `${messages} messages, ${tally.failures.length} failures`,
      failures: tally.failures,
    };
  } finally {
    await Promise.all(registrars.map((registrar) => registrar.close()));
    await registry.close();
  }
}

async function carryOut({ name, losing, gaining, ending }: Transfer, chaos: Chaos, tally: Tally): Promise<void> {
  const authCode = await losing.register(name);
  await untilSettled(
    () => chaos.around(name, gaining, () => gaining.request(name, authCode)),
    async () => (await gaining.status(name)) !== undefined,
    `the request of ${name}`,
    tally,
  );
  const decide = (registrar: Registrar, decision: Decision) =>
    untilSettled(
      () => chaos.around(name, registrar, () => registrar.decide(name, decision)),
      async () => (await registrar.status(name)) !== 'pending',
      `${decision} of ${name}`,
      tally,
    );
  if (ending === 'cancel') await decide(gaining, 'cancel');
  else if (ending === 'race') await Promise.all([decide(losing, 'approve'), decide(gaining, 'cancel')]);
  else if (ending !== 'lapse') await decide(losing, ending);
}

/** Like a registrar with an unknown outcome: reads the status before it repeats the command. */
async function untilSettled(
  command: () => Promise<Outcome>,
  isSettled: () => Promise<boolean>,
  what: string,
  tally: Tally,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const outcome = await command();
    if (outcome === 'unknown') tally.unknown += 1;
    if (await isSettled()) return;
    if (outcome === 'done') break;
  }
  tally.failures.push(`${what} had no effect`);
}

async function verifySponsor({ name, losing, gaining, ending }: Transfer, tally: Tally): Promise<TransferState> {
  const [state, seen] = [await gaining.status(name), await losing.status(name)];
  const [byLosing, byGaining] = [await losing.sponsors(name), await gaining.sponsors(name)];
  const shown = `${name} (${ending}): ${gaining.id} sees ${state}, ${losing.id} sees ${seen}`;
  if (byLosing === byGaining)
    tally.failures.push(`${shown}; ${byLosing ? 'two registrars sponsor' : 'no registrar sponsors'} it`);
  if (state === undefined || state === 'pending' || state !== seen || byGaining !== (state === 'completed'))
    tally.failures.push(`${shown}; ${byGaining ? gaining.id : losing.id} sponsors it`);
  if (state !== undefined) tally.ended[state] += 1;
  return state ?? 'pending';
}

async function verifyCharges(
  transfers: readonly Transfer[],
  states: ReadonlyMap<string, TransferState>,
  registry: KilledRegistry,
  tally: Tally,
): Promise<void> {
  const paid = new Map<string, string[]>();
  for (const id of new Set(transfers.map(({ gaining }) => gaining.id)))
    for (const { kind, name } of await registry.charges(id))
      if (kind === 'transfer') paid.set(name, [...(paid.get(name) ?? []), id]);
  for (const { name, gaining } of transfers) {
    const expected = states.get(name) === 'completed' ? [gaining.id] : [];
    const found = paid.get(name) ?? [];
    if (found.join() !== expected.join())
      tally.failures.push(`${name}: paid by [${found.join()}] in place of [${expected.join()}]`);
  }
}

/** The losing registrar is told of the request and, unless it has decided itself, of the end; the gaining one of a decision. */
async function verifyQueues(
  transfers: readonly Transfer[],
  states: ReadonlyMap<string, TransferState>,
  registrars: readonly Registrar[],
  tally: Tally,
): Promise<number> {
  const told = new Map<string, number>();
  let messages = 0;
  for (const { id, drain } of registrars.map((registrar) => ({ id: registrar.id, drain: () => registrar.drain() })))
    for (const text of (await drain()).values()) {
      const name = /transfer-\d+\.com/.exec(text)?.[0];
      if (name === undefined || !/ transfer | transferred /.test(text)) continue;
      messages += 1;
      told.set(`${id} ${name}`, (told.get(`${id} ${name}`) ?? 0) + 1);
    }
  for (const { name, losing, gaining } of transfers) {
    const state = states.get(name);
    const expected = [state === 'rejected' ? 1 : 2, state === 'cancelled' ? 0 : 1];
    const found = [losing, gaining].map(({ id }) => told.get(`${id} ${name}`) ?? 0);
    if (found.join() !== expected.join())
      tally.failures.push(`${name} (${state}): ${found.join(' and ')} messages in place of ${expected.join(' and ')}`);
  }
  return messages;
}

/** Faults and kills around single commands. */
class Chaos {
  constructor(
    private readonly registry: KilledRegistry,
    private readonly random: SeededRandom,
    private readonly tally: Tally,
  ) {}

  async around(name: string, sender: Registrar, command: () => Promise<Outcome>): Promise<Outcome> {
    const dice = this.random.next();
    if (dice < 0.25) await this.registry.faults.inject({ kind: this.random.oneOf(FAULTS), target: name, times: 1 });
    const delay = this.random.between(0, 15);
    const outcome = command();
    if (dice > 0.95) await sleep(delay).then(() => this.registry.kill());
    else if (dice > 0.9) {
      this.tally.clientKills += 1;
      await sleep(delay).then(() => sender.restart());
    }
    return outcome;
  }
}
