import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort } from '../../support/free-port';
import { startKnot } from '../../support/nameservers/knot';
import type { Nameserver } from '../../support/nameservers/nameserver';
import { createCliAdmin } from '../../support/nameservers/primary';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';
import { addressOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

const HOUR_MS = 3_600_000;
const SHORTENED_BY = 900;
const AWAY_MS = HOUR_MS / SHORTENED_BY;
const WRITE_EVERY_MS = 200;
const POLL_EVERY_MS = 100;
const SETTLE_WITHIN_MS = 120_000;
const PUBLISH_WAIT_MS = 500;
const COMMAND = [process.execPath, '--require', './test/crash/child/shortened-hour.cjs', 'dist/main.js'];

interface Zone {
  readonly id: string;
  readonly name: string;
}

interface Installation {
  /** Of two replicas that do not run. */
  readonly settings: readonly [Record<string, string>, Record<string, string>];
  readonly key: string;
  readonly primaries: readonly string[];
  /** A secondary that stays. */
  readonly knot: Nameserver;
  readonly zones: readonly Zone[];
}

type Json = Readonly<Record<string, unknown>>;
type Sample = ReadonlyMap<string, number>;

/**
 * A secondary is down for an hour, which is shortened, and another answers and transfers nothing. Meanwhile zones change, and the
 * replica that sends NOTIFY is killed. Status and metrics must tell the truth, nothing may wait for the two, and the one that comes back
 * must have all zones.
 */
export async function hourWithoutSecondary(installation: Installation): Promise<readonly string[]> {
  const stuck = await StubNameserver.start();
  const hour = new HourAway(installation, stuck);
  try {
    await hour.begin();
    const during = await hour.duringOutage();
    return [...during, ...(await hour.afterReturn())];
  } finally {
    await hour.stop();
    stuck.stop();
  }
}

class HourAway {
  private readonly stops: (() => unknown)[] = [];
  private readonly replicas: { process: ServiceProcess; url: string; readonly metrics: string }[] = [];
  private readonly written: string[] = [];
  private away: Nameserver | undefined;

  constructor(
    private readonly installation: Installation,
    private readonly stuck: StubNameserver,
  ) {}

  async begin(): Promise<void> {
    const { settings, primaries, zones } = this.installation;
    for (const { name } of zones) this.stuck.serials.set(name, 1);
    const admin = createCliAdmin(settings[0]);
    for (const index of [0, 1] as const) await this.startReplica(index);
    this.away = await startKnot(admin, 'away', { primaries });
    this.stops.push(() => this.away?.stop());
    await admin('tsig', 'create', 'stuck');
    await admin('secondary', 'add', 'stuck', `127.0.0.1:${this.stuck.port}`, '--key', 'stuck');
    await this.until('both Knots have all zones', async () => (await this.differences()).length === 0);
  }

  /** What was wrong in the shortened hour. */
  async duringOutage(): Promise<readonly string[]> {
    const wrong: string[] = [];
    await this.away?.kill();
    let changes = 1;
    await this.change(changes, wrong);
    const missedSince = Date.now();
    const changeFor = async (ms: number): Promise<void> => {
      for (const endAt = performance.now() + ms; performance.now() < endAt; await sleep(WRITE_EVERY_MS))
        await this.change((changes += 1), wrong);
    };
    await changeFor(AWAY_MS / 2);
    // A new holder of the lease knows nothing but what is stored.
    await this.restart(changes % 2 === 0 ? 0 : 1);
    await changeFor(AWAY_MS);
    await this.until('the Knot that stayed has all zones', async () => (await this.differences('knot')).length === 0);
    const metrics = await this.metrics();
    for (const [index, each] of metrics.entries())
      wrong.push(...untrue(each).map((line) => `replica ${index}: ${line}`));
    wrong.push(...(await this.statusErrors(['away', 'stuck'])));
    for (const name of ['knot', 'stuck'])
      await this.until(`the stored progress of ${name} does not wait for what it has not got`, async () => {
        const time = (await this.progress()).get(name) ?? 0;
        return time > missedSince;
      });
    if (((await this.progress()).get('away') ?? 0) > missedSince)
      wrong.push('the stored progress of the secondary that is down passes what it has missed');
    return wrong;
  }

  /** What is wrong after the secondary came back. */
  async afterReturn(): Promise<readonly string[]> {
    await this.away?.start();
    await this.until('the Knot that was away has all zones', async () => (await this.differences()).length === 0);
    await this.until('no replica finds it behind', async () =>
      (await this.metrics()).every(
        (each) =>
          each.get('up away') === 1 && each.get('pending_zones away') === 0 && each.get('lag_seconds away') === 0,
      ),
    );
    return this.statusErrors(['stuck']);
  }

  async stop(): Promise<void> {
    for (const stop of this.stops.toReversed()) await stop();
  }

  private async startReplica(index: 0 | 1): Promise<void> {
    const metrics = `127.0.0.1:${await freePort()}`;
    const shortened = {
      SHORTENED_BY: String(SHORTENED_BY),
      PUBLISH_WAIT_MS: String(PUBLISH_WAIT_MS),
      METRICS_LISTEN: metrics,
    };
    const process = startProcess({ ...this.installation.settings[index], ...shortened }, COMMAND);
    this.stops.push(() => process.signal('SIGKILL'));
    this.replicas[index] = { process, metrics, url: await addressOf(process) };
  }

  private async restart(index: 0 | 1): Promise<void> {
    this.replicas[index]?.process.signal('SIGKILL');
    await this.replicas[index]?.process.ended;
    await this.startReplica(index);
  }

  /** Adds a record; its response must not wait for the secondaries longer than it may, and must not call it published. */
  private async change(count: number, wrong: string[]): Promise<void> {
    const { zones } = this.installation;
    // The first zone changes once: after an hour, the stored progress no longer waits for it.
    const zone = zones[count === 1 ? 0 : 1 + (count % (zones.length - 1))] as Zone;
    const content = `change ${count}`;
    const { headers } = await this.call(count, 'POST', `/api/domains/${zone.id}/dns/records?wait=published`, {
      type: 'TXT',
      name: `away-${count}`,
      content,
    });
    this.written.push(`away-${count}.${zone.name}`);
    if (headers.get('zone-published') !== 'false')
      wrong.push(`change ${count} is called published: ${headers.get('zone-published')}`);
  }

  /** At once, because each waits for the answer of a secondary that is down. */
  private statuses(): Promise<readonly (Zone & { readonly body: Json })[]> {
    return Promise.all(
      this.installation.zones.map(async (zone) => ({
        ...zone,
        body: (await this.call(0, 'GET', `/api/domains/${zone.id}/dns/status`)).body,
      })),
    );
  }

  private async statusErrors(notCurrent: readonly string[]): Promise<readonly string[]> {
    return (await this.statuses()).flatMap(({ name, body }) => statusError(name, body, notCurrent));
  }

  /** Serials and contents at the Knots that differ from the database. */
  private async differences(only?: string): Promise<readonly string[]> {
    const { knot } = this.installation;
    const found: string[] = [];
    const statuses = await this.statuses();
    const questions = this.written.map((name) => ({ name, type: 'TXT' }));
    for (const server of [knot, this.away].filter((each) => each !== undefined)) {
      if (only !== undefined && server.plan.name !== only) continue;
      for (const { name, body } of statuses) {
        if ((await server.querySerial(name)) !== body['serial']) found.push(`${server.plan.name}: serial of ${name}`);
      }
      const sets = await server.queryRrsets(questions);
      for (const name of this.written) {
        const [, count] = /^away-(\d+)\./.exec(name) ?? [];
        if (sets.get(`${name} TXT`)?.join() !== `"change ${count}"`) found.push(`${server.plan.name}: ${name}`);
      }
    }
    return found;
  }

  /** The stored progress of each secondary, in milliseconds since 1970. */
  private async progress(): Promise<Sample> {
    const connection = await createConnection(this.installation.settings[0]['DATABASE_URL'] ?? '');
    const [rows] = await connection.query<RowDataPacket[]>('SELECT name, caught_up_to FROM secondaries');
    await connection.end();
    return new Map(rows.map(({ name, caught_up_to: time }) => [String(name), Number(time)]));
  }

  /** Of each replica, the figures of secondaries by `up NAME`. */
  private async metrics(): Promise<readonly Sample[]> {
    return Promise.all(
      this.replicas.map(async ({ metrics }) => {
        const text = await (await fetch(`http://${metrics}/metrics`)).text();
        const lines = text.matchAll(/^namewright_secondary_(\w+)\{secondary="(\w+)"\} (\S+)$/gm);
        return new Map([...lines].map(([, figure, secondary, value]) => [`${figure} ${secondary}`, Number(value)]));
      }),
    );
  }

  private async until(what: string, isReached: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + SETTLE_WITHIN_MS;
    while (!(await isReached())) {
      if (Date.now() > deadline) throw new Error(`never reached: ${what}; ${(await this.differences()).join('; ')}`);
      await sleep(POLL_EVERY_MS);
    }
  }

  private async call(
    turn: number,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly headers: Headers; readonly body: Json }> {
    const response = await fetch(`${this.replicas[turn % 2]?.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.installation.key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return { headers: response.headers, body: (await response.json()) as Json };
  }
}

function statusError(name: string, body: Json, notCurrent: readonly string[]): readonly string[] {
  const states = (body['secondaries'] as { name: string; state: string }[]).map((each) => `${each.name} ${each.state}`);
  const wanted = ['away', 'knot', 'stuck'].map((each) =>
    notCurrent.includes(each) ? `${each} ${each === 'away' ? 'unreachable' : 'behind'}` : `${each} current`,
  );
  const isRight = body['published'] === false && states.toSorted().join() === wanted.join();
  return isRight ? [] : [`the status of ${name} is ${states.join()}, published: ${String(body['published'])}`];
}

/** Metrics of a replica that do not fit secondaries of which one is down, and one is reachable and has no change. */
function untrue(sample: Sample): readonly string[] {
  const rules: readonly (readonly [figure: string, isTrue: (value: number) => boolean])[] = [
    ['up away', (value) => value === 0],
    ['lag_seconds away', (value) => value > 0],
    ['up knot', (value) => value === 1],
    ['pending_zones knot', (value) => value === 0],
    ['up stuck', (value) => value === 1],
    ['pending_zones stuck', (value) => value > 0],
    ['lag_seconds stuck', (value) => value > 0],
  ];
  return rules.flatMap(([figure, isTrue]) => {
    const value = sample.get(figure) ?? Number.NaN;
    return isTrue(value) ? [] : [`namewright_secondary_${figure} is ${value}`];
  });
}
