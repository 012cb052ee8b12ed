import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import type { Campaign, CampaignResult } from '../campaign';

const PROGRAM = join(__dirname, '../../../src/main.js');
const NAMES = 4;
/** One apply in so many is interrupted by a kill. */
const KILL_EVERY = 50;
/** One state in so many is that of a name to buy. */
const BUY_EVERY = 10;
const MAX_RECORDS = 12;
const RETRY_MS = 50;
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

interface Plan {
  readonly empty: boolean;
  readonly records: {
    readonly added: readonly unknown[];
    readonly changed: readonly unknown[];
    readonly removed: readonly unknown[];
  };
  readonly settings: readonly unknown[];
  readonly operations: readonly { readonly kind: string; readonly id: string | null }[];
}

interface Sent<T> {
  readonly status: number;
  readonly body: T;
  readonly etag: string;
}

/** Applies random desired states and kills the service while it applies some: each is applied as planned, once, whole or not at all. */
export const statesCampaign: Campaign = { name: 'states', unit: 'states', ciSize: 150, fullSize: 10_000, run };

/** One half on SQLite, the other on MariaDB. */
async function run(size: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-states-'));
  const mysql = await startPrivateMysql();
  try {
    const half = Math.ceil(size / 2);
    const results = [
      await runOn('SQLite', `sqlite:${join(folder, 'service.db')}`, { size: half, seed }),
      await runOn('MariaDB', await mysql.createDatabase(), { size: size - half, seed: seed + 1 }),
    ];
    return {
      summary: results.map(({ summary }) => summary).join('; '),
      failures: results.flatMap(({ failures }) => failures),
    };
  } finally {
    await mysql.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOn(
  database: string,
  url: string,
  { size, seed }: { readonly size: number; readonly seed: number },
): Promise<CampaignResult> {
  const service = new KilledService({
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
  });
  try {
    await service.start();
    const { summary, failures } = await new States(service, new SeededRandom(seed)).run(size);
    return { summary: `${database}: ${summary}`, failures: failures.map((failure) => `${database}: ${failure}`) };
  } finally {
    await service.kill();
  }
}

class KilledService {
  private process: ServiceProcess | undefined;
  private address = '';
  private apiKey = '';

  constructor(private readonly settings: Record<string, string>) {}

  async start(): Promise<void> {
    this.process = startProcess(this.settings, [process.execPath, PROGRAM]);
    this.address = await addressOf(this.process);
    if (this.apiKey === '') this.apiKey = await firstKeyOf(this.process);
  }

  async kill(): Promise<void> {
    this.process?.signal('SIGKILL');
    await this.process?.ended;
  }

  async send<T>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Sent<T>> {
    const response = await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: (await response.json()) as T,
      etag: response.headers.get('etag') ?? '',
    };
  }
}

class States {
  private readonly failures: string[] = [];
  private readonly bought: string[] = [];
  private kills = 0;
  private serial = 0;

  constructor(
    private readonly service: KilledService,
    private readonly random: SeededRandom,
  ) {}

  async run(size: number): Promise<CampaignResult> {
    for (let index = 0; index < NAMES; index += 1) await this.register(`held-${index}.com`);
    for (let index = 0; index < size; index += 1) await this.applyOne(index % KILL_EVERY === KILL_EVERY - 1);
    await this.checkPurchases();
    return {
      summary: `${size} states, ${this.kills} kills, ${this.bought.length} names bought`,
      failures: this.failures,
    };
  }

  /** Its zone has another version once the registration is confirmed. */
  private async register(name: string): Promise<void> {
    await this.service.send('POST', '/api/domains', { name, contacts: { registrant: REGISTRANT } });
    for (;;) {
      const { body } = await this.service.send<{ status: string }>('GET', `/api/domains/by-name/${name}`);
      if (body.status === 'active') return;
      await sleep(RETRY_MS);
    }
  }

  private async applyOne(isKilled: boolean): Promise<void> {
    this.serial += 1;
    const buys = this.serial % BUY_EVERY === 0;
    const name = buys ? `bought-${this.serial}.com` : `held-${this.random.between(0, NAMES - 1)}.com`;
    const state = { ...this.stateOf(), ...(buys && PURCHASE) };
    const path = `/api/domains/by-name/${name}/state`;
    const plan = await this.service.send<Plan>('PUT', `${path}?dry_run=true`, state);
    if (plan.status !== 200) return this.fail(`the plan of ${name} got ${plan.status} ${JSON.stringify(plan.body)}`);
    if (buys) this.bought.push(name);
    const headers = { 'idempotency-key': `state-${this.serial}`, 'if-match': plan.etag };
    const applied = await this.applyUntilAnswered(path, state, headers, isKilled);
    if (applied.status !== 200) return this.fail(`${name} got ${applied.status} ${JSON.stringify(applied.body)}`);
    if (effectOf(applied.body) !== effectOf(plan.body))
      this.fail(`${name}: planned ${effectOf(plan.body)}, applied ${effectOf(applied.body)}`);
    await this.finish(applied.body);
    const again = await this.service.send<Plan>('PUT', path, state);
    if (again.status !== 200 || !again.body.empty)
      this.fail(`${name}: the second apply is not empty: ${again.status} ${JSON.stringify(again.body)}`);
    await this.checkRecords(name, state.records);
  }

  private async applyUntilAnswered(
    path: string,
    state: object,
    headers: Record<string, string>,
    isKilled: boolean,
  ): Promise<Sent<Plan>> {
    if (isKilled) {
      const lost = this.service.send<Plan>('PUT', path, state, headers).catch(() => undefined);
      await sleep(this.random.between(0, 40));
      await this.service.kill();
      await lost;
      this.kills += 1;
      await this.service.start();
    }
    for (;;) {
      const sent = await this.service.send<Plan>('PUT', path, state, headers);
      const isRunning = JSON.stringify(sent.body).includes('IDEMPOTENCY_KEY_IN_USE');
      if (sent.status < 500 && !isRunning) return sent;
      await sleep(RETRY_MS);
    }
  }

  private async finish({ operations }: Plan): Promise<void> {
    for (const { id } of operations)
      for (;;) {
        const { body } = await this.service.send<{ finished_at: string | null }>('GET', `/api/operations/${id ?? ''}`);
        if (body.finished_at !== null) break;
        await sleep(RETRY_MS);
      }
  }

  private async checkRecords(name: string, wanted: readonly { readonly name: string; readonly content: string }[]) {
    const { body: domain } = await this.service.send<{ id: string }>('GET', `/api/domains/by-name/${name}`);
    const { body } = await this.service.send<typeof wanted>('GET', `/api/domains/${domain.id}/dns/records`);
    const linesOf = (records: typeof wanted) =>
      records
        .map((record) => `${record.name} ${record.content}`)
        .toSorted()
        .join(', ');
    if (linesOf(body) !== linesOf(wanted)) this.fail(`${name} has ${linesOf(body)}, not ${linesOf(wanted)}`);
  }

  private async checkPurchases(): Promise<void> {
    for (const name of this.bought) {
      const { body } = await this.service.send<readonly unknown[]>('GET', `/api/sandbox/ledger?name=${name}`);
      if (body.length !== 1) this.fail(`${name} was charged ${body.length} times`);
    }
  }

  private stateOf() {
    const hosts = Array.from({ length: this.random.between(0, MAX_RECORDS) }, (_, index) => index);
    return {
      records: hosts.map((index) => ({
        name: `h${index}`,
        type: 'A',
        content: `192.0.2.${this.random.between(1, 250)}`,
        ttl: 300 + this.random.between(0, 3),
      })),
      tags: [`tag-${this.random.between(0, 3)}`],
      auto_renew: this.random.between(0, 1) === 0,
      // Takes the registry's time.
      ...(this.random.between(0, 5) === 0 && { transfer_locked: this.random.between(0, 1) === 0 }),
    };
  }

  private fail(failure: string): void {
    this.failures.push(failure);
  }
}

const PURCHASE = {
  register: true,
  max_price: { amount: 1_000, currency: 'USD' },
  registrant: { contact: 'held-0.com' },
};

/** What a plan changes, without what only an applied one has. */
function effectOf({ empty, records, settings, operations }: Plan): string {
  const { added, changed, removed } = records;
  return JSON.stringify([
    empty,
    added.length,
    changed.length,
    removed.length,
    settings,
    operations.map(({ kind }) => kind),
  ]);
}
