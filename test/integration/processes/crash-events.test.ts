import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { describeOrSkip } from '../../support/describe-or-skip';
import { api, registered, type Api } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

const WRITERS_OF_REPLICA = 4;
/** After so many responses of a replica it is killed. */
const KILLS = [5, 20, 11, 30];

interface RecordsEvent {
  readonly id: string;
  readonly position: number;
  readonly data: { readonly version: number; readonly added: readonly { readonly name: string }[] };
}

/** Replicas on one database; the first is killed again and again while all write and read. */
class KilledReplicas {
  readonly acknowledged: string[] = [];
  /** In the order in which a reader has seen them. */
  readonly seen: RecordsEvent[] = [];
  private replicas: ServiceProcess[] = [];
  private key = '';
  private domainId = '';
  private serial = 0;

  constructor(
    private readonly databaseUrl: string,
    private readonly count: number,
  ) {}

  async start(): Promise<void> {
    const first = this.startOne();
    this.key = await firstKeyOf(first);
    this.replicas = [first, ...Array.from({ length: this.count - 1 }, () => this.startOne())];
    this.domainId = await registered(await this.client(first), 'events.com');
  }

  /** Returns when the first replica is dead and the reader of the others has read what they wrote. */
  async writeUntilKilled(answers: number): Promise<void> {
    const [victim, ...others] = this.replicas as [ServiceProcess, ...ServiceProcess[]];
    const ending = new AbortController();
    void victim.ended.then(() => ending.abort());
    let answered = 0;
    const countAnswer = () => {
      answered += 1;
      if (answered === answers) victim.signal('SIGKILL');
    };
    await Promise.allSettled(
      [victim, ...others].flatMap((replica) => [
        ...Array.from({ length: WRITERS_OF_REPLICA }, () =>
          this.write(replica, ending.signal, replica === victim ? countAnswer : undefined),
        ),
        ...(replica === victim ? [this.readAlong(replica, ending.signal)] : []),
      ]),
    );
    await victim.ended;
    this.replicas = [this.startOne(), ...others];
  }

  /** Whether the process died or not: what it answered is stored. */
  private async write(replica: ServiceProcess, ending: AbortSignal, onAnswer?: () => void): Promise<void> {
    const client = await this.client(replica);
    while (!ending.aborted) {
      const name = `h${(this.serial += 1)}`;
      await client
        .post(`/api/domains/${this.domainId}/dns/records`, { type: 'A', name, content: '192.0.2.1' })
        .expect(201);
      this.acknowledged.push(name);
      onAnswer?.();
    }
  }

  /** In small pages, so that numbering goes on all the time. */
  private async readAlong(replica: ServiceProcess, ending: AbortSignal): Promise<void> {
    const client = await this.client(replica);
    while (!ending.aborted) this.seen.push(...(await this.page(client, this.seen.at(-1)?.id)));
  }

  async readToEnd(): Promise<{ readonly all: readonly RecordsEvent[]; readonly stored: readonly string[] }> {
    const client = await this.client(this.replicas[0] as ServiceProcess);
    const all: RecordsEvent[] = [];
    for (let page = await this.page(client); page.length > 0; page = await this.page(client, all.at(-1)?.id))
      all.push(...page);
    const { body } = await client.get(`/api/domains/${this.domainId}/dns/records`).expect(200);
    return { all, stored: (body as { name: string }[]).map(({ name }) => name) };
  }

  async stop(): Promise<void> {
    for (const replica of this.replicas) replica.signal('SIGKILL');
    await Promise.all(this.replicas.map(({ ended }) => ended));
  }

  private async page(client: Api, after?: string): Promise<readonly RecordsEvent[]> {
    const query = `types=records.changed&limit=9${after === undefined ? '' : `&after=${after}`}`;
    return (await client.get(`/api/events?${query}`).expect(200)).body as RecordsEvent[];
  }

  private async client(replica: ServiceProcess): Promise<Api> {
    return api({ server: await addressOf(replica) }, this.key);
  }

  private startOne(): ServiceProcess {
    return startProcess({
      PORT: '0',
      DATABASE_URL: this.databaseUrl,
      RATE_LIMIT_PER_MINUTE: '0',
      DNS_LISTEN: 'off',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
  }
}

beforeAll(build);

async function expectWholeFeed(replicas: KilledReplicas): Promise<void> {
  await replicas.start();
  for (const answers of KILLS) await replicas.writeUntilKilled(answers);
  const { all, stored } = await replicas.readToEnd();
  await replicas.stop();

  const versions = all.map(({ data }) => data.version);
  const names = all.flatMap(({ data }) => data.added.map(({ name }) => name));
  expect(versions).toEqual(versions.map((_version, index) => (versions[0] ?? 0) + index));
  expect(names.toSorted()).toEqual(stored.toSorted());
  expect(names).toEqual(expect.arrayContaining(replicas.acknowledged));
  expect(replicas.seen.length).toBeGreaterThan(0);
  expect(all.slice(0, replicas.seen.length)).toEqual(replicas.seen);
}

describe('the feed of replicas that are killed while they write and read', () => {
  it('has every change once, in commit order, on SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-crash-events-'));

    await expectWholeFeed(new KilledReplicas(`sqlite:${join(folder, 'service.db')}`, 1));

    rmSync(folder, { recursive: true });
  });
});

describeOrSkip(MYSQL_MISSING)('the feed of replicas that are killed while they write and read, on MySQL', () => {
  let mysql: MysqlServer;
  beforeAll(async () => {
    mysql = await startMysql();
  });
  afterAll(() => mysql.stop());

  it('has every change once, in commit order, whichever replica numbers the events', async () => {
    await expectWholeFeed(new KilledReplicas(await mysql.createDatabase(), 3));
  });
});
