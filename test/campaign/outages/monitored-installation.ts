import { spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { stringify } from 'yaml';
import { NAMESPACES } from '../../../src/infrastructure/registry/epp/codec/namespaces';
import { elementFactory } from '../../../src/infrastructure/registry/epp/codec/xml-element';
import { epp, transform } from '../../../src/infrastructure/registry/epp/mapping/commands/command';
import { PRICE_LIST } from '../../../src/infrastructure/registry/sandbox/simulated/offers/price-list';
import { freshName } from '../../../src/testing/registry-fixtures';
import { startPrivateMysql, type PrivateMysqlServer } from '../../support/databases/mariadb';
import { startRedis, type RedisServer } from '../../support/databases/redis';
import { RawEpp } from '../../support/epp/raw-epp';
import { freePort } from '../../support/free-port';
import { REGISTRANT } from '../../support/service/service';
import { addressOf, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import { KilledRegistry } from '../registries/transfer-registry';

/** Of scrapes and evaluations. */
export const INTERVAL = '5s';
const OURS = 'namewright';
const THEIRS = 'another';

const domain = elementFactory(NAMESPACES.domain);

export interface Replica {
  process: ServiceProcess;
  readonly metrics: string;
  url: string;
}

/** Two replicas with a database, a limits store and an EPP registry, and a Prometheus that scrapes them. */
export class MonitoredInstallation {
  private readonly folder = mkdtempSync(join(tmpdir(), 'namewright-alerts-'));
  private readonly stops: (() => unknown)[] = [() => rmSync(this.folder, { recursive: true, force: true })];
  private settings: Record<string, string> = {};
  private prometheus = '';
  private key = '';
  private replicas: Replica[] = [];
  mysql!: PrivateMysqlServer;
  redis!: RedisServer;
  registry!: KilledRegistry;
  sql!: Connection;

  async start(): Promise<void> {
    [this.mysql, this.redis, this.registry] = await Promise.all([
      startPrivateMysql(),
      startRedis(),
      KilledRegistry.open(),
    ]);
    this.stops.push(
      () => this.mysql.stop(),
      () => this.redis.kill(),
      () => this.registry.close(),
    );
    const url = await this.mysql.createDatabase();
    this.sql = await createConnection(url);
    this.stops.push(() => this.sql.destroy());
    this.settings = {
      REGISTRIES_FILE: this.registriesFile(),
      DATABASE_URL: url,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      LIMITS_STORE: this.redis.url,
      RATE_LIMIT_PER_MINUTE: '0',
      DNS_LISTEN: 'off',
      PORT: '0',
    };
    const first = await this.startReplica();
    this.key = await firstKeyOf(first.process);
    this.replicas = [first, await this.startReplica()];
    await this.startPrometheus();
  }

  async startReplica(more: Record<string, string> = {}, port?: string): Promise<Replica> {
    const metrics = port ?? String(await freePort());
    const process = startProcess({ ...this.settings, ...more, METRICS_LISTEN: metrics });
    this.stops.push(() => process.signal('SIGKILL'));
    return { process, metrics, url: await addressOf(process) };
  }

  get other(): Replica {
    return this.replicas[1] as Replica;
  }

  async restartOther(): Promise<void> {
    Object.assign(this.other, await this.startReplica({}, this.other.metrics));
  }

  /** Lets Prometheus scrape these processes. */
  scrape(replicas: readonly Replica[] = this.replicas): void {
    const file = join(this.folder, 'targets.json');
    const targets = replicas.map(({ metrics }) => `127.0.0.1:${metrics}`);
    writeFileSync(`${file}.next`, JSON.stringify([{ targets }]));
    renameSync(`${file}.next`, file);
  }

  async scrapeAlso(replica: Replica): Promise<void> {
    this.scrape([...this.replicas, replica]);
  }

  call(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.replicas[0]?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  search(): Promise<unknown> {
    return this.call('POST', '/api/domains/search', { query: freshName().value.split('.')[0] }).catch(() => undefined);
  }

  list(): Promise<unknown> {
    return this.call('GET', '/api/domains').catch(() => undefined);
  }

  async register(): Promise<{ readonly id: string; readonly name: string }> {
    const name = freshName().value;
    const response = await this.call('POST', '/api/domains', { name, contacts: { registrant: REGISTRANT } });
    const text = await response.text();
    // After an outage, until the circuit breaker closes.
    if (response.status === 503) return sleep(500).then(() => this.register());
    if (!response.ok) throw new Error(`the registration failed: ${text}`);
    const { id } = JSON.parse(text) as { id: string };
    for (;;) {
      const { status } = (await (await this.call('GET', `/api/domains/${id}`)).json()) as { status: string };
      if (status === 'active') return { id, name };
      await sleep(50);
    }
  }

  /** Another registrar requests a transfer, of which the registry sends a message. */
  async causeMessage(): Promise<void> {
    const { id, name } = await this.register();
    await this.call('PUT', `/api/domains/${id}/transfer-lock`, { transfer_locked: false });
    const response = await this.call('POST', `/api/domains/${id}/auth-code`);
    const { port, certificate } = this.registry;
    const second = { id: THEIRS, password: this.registry.password(THEIRS) };
    const registrar = await RawEpp.loggedIn(
      { host: '127.0.0.1', port, certificate: { certificate }, registrars: { first: second, second } } as never,
      'second',
    );
    const { auth_code: authCode } = (await response.json()) as { auth_code: string };
    const body = domain('transfer', [domain('name', name), domain('authInfo', domain('pw', authCode))]);
    await registrar.send(transform('transfer:request', epp('transfer', body, { op: 'request' })));
    await registrar.close();
  }

  async killConnections(): Promise<void> {
    const [rows] = await this.sql.query(
      "SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND user = 'root'",
    );
    for (const { id } of rows as { id: number }[]) await this.sql.query(`KILL ${id}`).catch(() => undefined);
  }

  async isReady(): Promise<void> {
    while (!(await this.call('GET', '/readyz').catch(() => undefined))?.ok) await sleep(200);
  }

  async firing(): Promise<ReadonlySet<string>> {
    const response = await fetch(`${this.prometheus}/api/v1/alerts`);
    const { data } = (await response.json()) as {
      data: { alerts: { state: string; labels: { alertname: string } }[] };
    };
    return new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
  }

  async stop(): Promise<void> {
    for (const stop of this.stops.toReversed()) await stop();
  }

  private registriesFile(): string {
    const { port, certificateFile } = this.registry;
    const file = join(this.folder, 'registries.yaml');
    const password = this.registry.password(OURS);
    writeFileSync(join(this.folder, 'password'), password);
    const tlds = PRICE_LIST.map(({ suffix }) => suffix);
    const rules = Object.fromEntries(
      PRICE_LIST.map(({ suffix, years, nameservers }) => [suffix, { years, nameservers }]),
    );
    const settings = {
      host: '127.0.0.1',
      port,
      client_id: OURS,
      password: { file: 'password' },
      ca: { file: certificateFile },
    };
    const limits = { concurrency: 4, queue: 8 };
    writeFileSync(file, stringify({ registries: { sandbox: { adapter: 'epp', tlds, rules, settings, ...limits } } }));
    return file;
  }

  private async startPrometheus(): Promise<void> {
    const port = await freePort();
    const file = join(this.folder, 'prometheus.yml');
    this.scrape();
    writeFileSync(
      file,
      stringify({
        global: { scrape_interval: INTERVAL, scrape_timeout: INTERVAL, evaluation_interval: INTERVAL },
        rule_files: [resolve('ops/prometheus/alerts.yml')],
        scrape_configs: [{ job_name: 'namewright', file_sd_configs: [{ files: [join(this.folder, 'targets.json')] }] }],
      }),
    );
    const child = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(this.folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
    this.stops.push(() => child.kill());
    this.prometheus = `http://127.0.0.1:${port}`;
    while (!(await fetch(`${this.prometheus}/-/ready`).catch(() => undefined))?.ok) await sleep(100);
  }
}
