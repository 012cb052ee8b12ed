import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../../support/databases/mariadb';
import { addressOf, firstKeyOf, startProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

const PROGRAM = join(__dirname, '../../../src/main.js');
const CLIENTS = 6;
const RETRY_MS = 50;
const REPLAYS = 2;
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly key: string;
}

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly isReplay: boolean;
}

interface Tally {
  answered: number;
  replays: number;
  unavailable: number;
  readonly failures: string[];
}

/** Kills the database server while clients repeat requests with Idempotency-Keys, and checks that every replay is identical. */
export const replaysCampaign: Campaign = {
  name: 'replays',
  unit: 'kills of the database server',
  ciSize: 5,
  fullSize: 500,
  run,
};

async function run(kills: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-replays-'));
  const mysql = await startPrivateMysql();
  const settings = {
    DATABASE_URL: await mysql.createDatabase(),
    SECRET_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'info',
  };
  const service = startProcess(settings, [process.execPath, PROGRAM]);
  const tally: Tally = { answered: 0, replays: 0, unavailable: 0, failures: [] };
  try {
    const [address, apiKey] = [await addressOf(service), await firstKeyOf(service)];
    const state = { isOver: false };
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      runClient({ address, apiKey, client, random: new SeededRandom(seed + client), state, tally }),
    );
    await killRepeatedly(mysql, kills, new SeededRandom(seed + CLIENTS));
    state.isOver = true;
    await Promise.all(clients);
    return {
      summary: `${kills} kills, ${tally.answered} requests answered, ${tally.replays} replays, ${tally.unavailable} retries after 5xx or IDEMPOTENCY_KEY_IN_USE`,
      failures: tally.failures,
    };
  } finally {
    service.signal('SIGKILL');
    await service.ended;
    await mysql.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function killRepeatedly(mysql: PrivateMysqlServer, kills: number, random: SeededRandom): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(random.between(100, 900));
    await mysql.kill();
    await sleep(random.between(0, 100));
    await mysql.restart();
  }
}

interface Client {
  readonly address: string;
  readonly apiKey: string;
  readonly client: number;
  readonly random: SeededRandom;
  readonly state: { readonly isOver: boolean };
  readonly tally: Tally;
}

/** Registers and changes a domain with an Idempotency-Key on each request; repeats each at once, and all at the end. */
async function runClient({ address, apiKey, client, random, state, tally }: Client): Promise<void> {
  let serial = 0;
  const answered: { readonly request: Request; readonly first: Sent }[] = [];
  const perform = async (method: string, path: string, body: object): Promise<Sent> => {
    const request = { method, path, body, key: `key-${client}-${(serial += 1)}` };
    const first = await sendUntilAnswered(address, apiKey, request, tally);
    tally.answered += 1;
    for (let replay = 0; replay < REPLAYS; replay += 1)
      compare(request, first, await sendUntilAnswered(address, apiKey, request, tally), tally);
    answered.push({ request, first });
    return first;
  };
  const registration = await perform('POST', '/api/domains', {
    name: `replayed-${client}.com`,
    contacts: { registrant: REGISTRANT },
  });
  const path = `/api/domains/${(JSON.parse(registration.text) as { id: string }).id}`;
  const changes = [
    () => perform('POST', `${path}/dns/records`, { type: 'A', name: `r${serial}`, content: '192.0.2.1' }),
    () => perform('PUT', `${path}/autorenew`, { auto_renew: serial % 2 === 0 }),
    () =>
      perform('PUT', `${path}/nameservers`, { nameservers: ['ns1.example.net', `ns${2 + (serial % 7)}.example.net`] }),
    () => perform('PUT', `${path}/transfer-lock`, { transfer_locked: serial % 2 === 0 }),
    () => perform('POST', `${path}/renew`, { years: 1 }),
  ];
  while (!state.isOver) await changes[random.between(0, changes.length - 1)]?.();
  for (const { request, first } of answered)
    compare(request, first, await sendUntilAnswered(address, apiKey, request, tally), tally);
}

function compare(request: Request, first: Sent, again: Sent, tally: Tally): void {
  tally.replays += 1;
  if (again.isReplay && again.status === first.status && again.text === first.text) return;
  tally.failures.push(
    `${request.method} ${request.path} with ${request.key} got ${first.status} ${first.text}, and repeated ${again.status} ${again.text}${again.isReplay ? '' : ' without Idempotent-Replay'}`,
  );
}

/** Retries the request until the response is final. */
async function sendUntilAnswered(address: string, apiKey: string, request: Request, tally: Tally): Promise<Sent> {
  for (;;) {
    const sent = await send(address, apiKey, request);
    if (sent) return sent;
    tally.unavailable += 1;
    await sleep(RETRY_MS);
  }
}

async function send(address: string, apiKey: string, { method, path, body, key }: Request): Promise<Sent | undefined> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key };
  const response = await fetch(address + path, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status >= 500 || response.status === 429 || response.headers.has('retry-after')) return undefined;
  return { status: response.status, text, isReplay: response.headers.get('idempotent-replay') === 'true' };
}
