import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { addObserver, emit, observe } from '../../../../src/application/shared/observation';
import { Outage } from '../../../../src/application/shared/outage';
import { RegistryRejected, RegistryUnavailable } from '../../../../src/application/ports/registry/registry-errors';
import {
  StorageSlow,
  StorageFailing,
  StorageUnavailable,
} from '../../../../src/application/ports/storage/storage-unavailable';
import { CurrentMetrics, type MonitoredParts } from '../../../../src/infrastructure/monitoring/current-metrics';
import { ProcessMetrics } from '../../../../src/infrastructure/monitoring/process-metrics';
import { startMetrics } from '../../../../src/infrastructure/monitoring/start-metrics';
import { renderMetrics } from '../../../../src/infrastructure/monitoring/render-metrics';
import { RecordingLog } from '../../../support/fakes/recording-log';

const NOON = new Date('2027-01-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;

/** Resolves when HTTP servers of this process have begun as many requests. */
function allStarted(requests: number): Promise<void> {
  return new Promise((resolve) => {
    const count = () => {
      requests -= 1;
      if (requests > 0) return;
      unsubscribe('http.server.request.start', count);
      resolve();
    };
    subscribe('http.server.request.start', count);
  });
}

/** A service in which everything that has a metric exists. */
const LOG = new RecordingLog();
const PARTS: MonitoredParts = {
  log: LOG,
  database: {
    connections: { busy: 7, idle: 3, waiting: 2 },
    query: async (sql: string) => {
      if (sql.includes('FROM operations'))
        return [
          { kind: '"renew"', status: 'queued', amount: '2', oldest: NOON.getTime() - HOUR_MS, uncertain_since: null },
          {
            kind: 'register',
            status: 'uncertain',
            amount: 1,
            oldest: NOON.getTime() - HOUR_MS,
            uncertain_since: NOON.getTime() - 700_000,
          },
        ];
      if (sql.includes('dead_letters')) return [{ registry: 'verisign', amount: 4, newest: 7_000 }];
      if (sql.includes('FROM domains ')) return [{ amount: sql.includes('name NOT LIKE') ? 3 : 5 }];
      if (sql.includes('domain_counts'))
        return [
          {
            account_id: 'a',
            status: 'active',
            expires_on: NOON.getTime() + 3 * 24 * HOUR_MS,
            auto_renew: 1,
            amount: 5,
          },
          { account_id: 'a', status: 'redemption', expires_on: NOON.getTime(), auto_renew: 1, amount: 6 },
        ];
      if (sql.includes('derived_rrsets'))
        return [{ signatures: JSON.stringify([Buffer.alloc(20, 1).toString('base64')]) }];
      if (sql.includes('FROM reconciliations')) return [{ registry: 'verisign', differences: '6' }];
      if (sql.includes('last_backup')) return [{ succeeded_at: 1_000_000 }];
      if (sql.includes('UNIX_TIMESTAMP')) return [{ now: Date.now() + 3_600_000 }];
      return [{ amount: '3' }];
    },
  } as never,
  databaseKind: 'mysql',
  readiness: { check: async () => undefined },
  registries: () => [
    {
      registry: 'verisign',
      running: 1,
      waiting: 9,
      breaker: 'open',
      sessions: { busy: 1, idle: 2, serverCertificateUntil: new Date(5_000), clientCertificateUntil: new Date(6_000) },
    },
  ],
  secondaries: () => [{ name: 'ns1', isReachable: false, pending: 8, behindMs: 61_000 }],
  limitsStore: { responds: async () => false },
  eventLoop: { seconds: 2, stop: () => undefined },
  selfRenewing: ['nl'],
  clock: { now: () => NOON },
  lifecycleClock: { now: () => NOON },
};

/** Moves the age of cached figures. */
let now = 0;
let registry: Registry;
let current: CurrentMetrics;
let removeObserver: () => void;

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  registry = new Registry();
  removeObserver = addObserver(new ProcessMetrics(registry));
  current = new CurrentMetrics(registry, PARTS);
});
afterEach(() => {
  jest.restoreAllMocks();
  removeObserver();
  current.stop();
});

async function everything(): Promise<void> {
  emit(() => ({ kind: 'request', method: 'GET', route: '/api/domains/:id', status: 200, seconds: 0.01 }));
  emit(() => ({ kind: 'registry call not sent', registry: 'verisign', name: 'query' }));
  emit(() => ({ kind: 'NOTIFY sent', secondary: 'ns1' }));
  emit(() => ({ kind: 'published', secondary: 'ns1', seconds: 2 }));
  const outage = new Outage(LOG, 'reading due operations');
  await observe({ kind: 'database', name: 'query' }, () => Promise.reject(new StorageUnavailable())).catch(() => 0);
  await observe({ kind: 'registry call', name: 'command', registry: 'verisign' }, async () => 0);
  await observe({ kind: 'operation', name: 'renew' }, async () => 'uncertain');
  await observe({ kind: 'zone transfer', name: 'AXFR' }, async () => undefined);
  await current.refresh();
  outage.end();
}

describe('metrics', () => {
  it.each(['prometheus', 'openMetrics'] as const)('pass promtool in the format %s', async (format) => {
    await everything();

    const text = await renderMetrics(registry, format);

    if (format === 'prometheus')
      expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
    else expect(text).toMatch(/^# TYPE namewright_http_requests counter\nnamewright_http_requests_total\{[^}]+\} 1$/m);
    expect(text.endsWith('# EOF\n')).toBe(format === 'openMetrics');
  });

  it('are listed in docs/operations/monitoring.md with type, labels and meaning', async () => {
    const documented = readFileSync('docs/operations/monitoring.md', 'utf8').match(/^\| `namewright_.*$/gm);

    const exported = registry.getMetricsAsArray().map((metric) => {
      const { name, help } = metric;
      const { labelNames, type } = metric as object as {
        readonly labelNames: readonly string[];
        readonly type: string;
      };
      return `| \`${name}\` | ${type} | ${labelNames.filter((label) => label !== 'le').join(', ') || '–'} | ${help} |`;
    });

    expect(documented).toEqual(exported);
  });

  it('show the present state of the service', async () => {
    await current.refresh();

    const text = await renderMetrics(registry, 'prometheus');

    const values = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(values).toEqual(
      expect.arrayContaining([
        'namewright_backup_last_success_timestamp_seconds 1000',
        'namewright_database_connections{state="busy"} 7',
        'namewright_database_waiting 2',
        'namewright_database_up 1',
        'namewright_database_writable 1',
        'namewright_dead_letter_newest_timestamp_seconds{registry="verisign"} 7',
        'namewright_dead_letters{registry="verisign"} 4',
        'namewright_domains{status="active"} 5',
        'namewright_domains{status="redemption"} 6',
        'namewright_domains_expiring{within_days="1",auto_renew="on"} 0',
        'namewright_domains_expiring{within_days="7",auto_renew="on"} 5',
        'namewright_domains_not_renewed 3',
        'namewright_epp_certificate_expiry_timestamp_seconds{registry="verisign",certificate="client"} 6',
        'namewright_epp_sessions{registry="verisign",state="idle"} 2',
        'namewright_dnssec_signature_end_timestamp_seconds 16843009',
        'namewright_dnssec_steps_failing 3',
        'namewright_reconciliation_differences{registry="verisign"} 6',
        'namewright_jobs_unfinished{type="bulk"} 3',
        'namewright_limits_store_up 0',
        'namewright_operation_oldest_age_seconds{state="queued"} 3600',
        'namewright_operation_oldest_age_seconds{state="uncertain"} 700',
        'namewright_operations{kind="renew",state="queued"} 2',
        'namewright_registry_breaker_state{registry="verisign",state="open"} 1',
        'namewright_registry_calls_waiting{registry="verisign"} 9',
        'namewright_secondary_lag_seconds{secondary="ns1"} 61',
        'namewright_secondary_up{secondary="ns1"} 0',
      ]),
    );
  });

  it('show which background work fails, from its first failure until it works again or ends, even if they were switched on in between', async () => {
    const failingNow = async () => {
      await current.refresh();
      const text = await renderMetrics(registry, 'prometheus');
      return Number(/^namewright_background_work_failing\{work="feeding parrots"\} (\S+)$/m.exec(text)?.[1]);
    };
    const log = new RecordingLog();
    const [one, other] = ['one', 'other'].map((name) => new Outage(log, 'feeding parrots', { registry: name }));
    const ofOtherService = new Outage(new RecordingLog(), 'feeding parrots');
    const onDemand = new Outage(log, 'feeding parrots', {}, 'on demand');
    current.stop();
    current = new CurrentMetrics(registry, { ...PARTS, log });
    const figures = [await failingNow()];
    current.stop();
    for (const outage of [one, one, other, onDemand, ofOtherService]) outage?.recordFailure(new Error('away'));
    current = new CurrentMetrics(registry, { ...PARTS, log });
    figures.push(await failingNow());

    one?.recordSuccess();
    one?.recordSuccess();
    figures.push(await failingNow());
    other?.end();
    figures.push(await failingNow());

    expect(figures).toEqual([0, 2, 1, 0]);
    expect(log.entries.map(({ message }) => message)).toEqual([
      ...[1, 2, 3].map(() => 'feeding parrots failed and is retried'),
      'feeding parrots works again',
    ]);
  });

  it('omit figures of a database that is down, and show that it is down', async () => {
    const away = {
      connections: PARTS.database.connections,
      query: () => Promise.reject(new StorageUnavailable()),
    } as never;
    const readiness = { check: () => Promise.reject(new StorageUnavailable()) };
    const other = new Registry();
    const metrics = new CurrentMetrics(other, { ...PARTS, database: away, readiness });

    await metrics.refresh();
    const text = await renderMetrics(other, 'prometheus');
    metrics.stop();

    expect(text).toMatch(/^namewright_database_up 0$/m);
    expect(text).not.toContain('namewright_operations');
  });

  it('leave out what has no value, at the first scrape and after a read that failed', async () => {
    let isAway = false;
    const query = async (sql: string) => {
      if (isAway) throw new StorageUnavailable();
      return sql.includes('last_backup') ? [] : PARTS.database.query(sql);
    };
    const other = new Registry();
    const metrics = new CurrentMetrics(other, {
      ...PARTS,
      database: { connections: PARTS.database.connections, query } as never,
      limitsStore: undefined,
    });
    const absent = /^namewright_(?:limits_store_up|backup_\w+|dead_letters\S*) .*$/gm;
    const scrape = async () => {
      await metrics.refresh();
      return (await renderMetrics(other, 'prometheus')).match(absent);
    };

    expect(await scrape()).toEqual(['namewright_dead_letters{registry="verisign"} 4']);
    isAway = true;
    now += HOUR_MS;
    expect(await scrape()).toBeNull();
    metrics.stop();
  });

  it('show no offset of the clock if the database responded too slowly to tell it', async () => {
    const query = async (sql: string) => {
      if (sql.includes('UNIX_TIMESTAMP')) now += 8_000;
      return PARTS.database.query(sql);
    };
    const other = new Registry();
    const metrics = new CurrentMetrics(other, {
      ...PARTS,
      database: { connections: PARTS.database.connections, query } as never,
    });

    await current.refresh();
    await metrics.refresh();
    const texts = await Promise.all([registry, other].map((each) => renderMetrics(each, 'prometheus')));
    metrics.stop();

    expect(texts.map((text) => /^namewright_clock_offset_seconds (\d+)/m.exec(text)?.[1])).toEqual(['3600', undefined]);
  });

  it('are collected once for simultaneous scrapes, in whatever format', async () => {
    const arrived = allStarted(3);
    const check = jest.fn(() => arrived);
    const metrics = await startMetrics(
      { address: '127.0.0.1', port: 0 },
      { ...PARTS, readiness: { check } },
      async () => undefined,
    );
    const scrape = async (accept: string) =>
      (await fetch(`http://${metrics.address}/metrics`, { headers: { accept } })).text();

    const texts = await Promise.all(['text/plain', 'application/openmetrics-text', 'text/plain'].map(scrape));
    const collections = check.mock.calls.length;
    await scrape('text/plain');
    await metrics.close();

    expect(texts.map((text) => /^namewright_database_up 1$/m.test(text))).toEqual([true, true, true]);
    expect([collections, check.mock.calls.length]).toEqual([1, 2]);
  });

  it('show a slow disk as a database that responds, with the time of a write', async () => {
    const other = new Registry();
    const readiness = { check: () => Promise.reject(new StorageSlow('slow')), writeMs: 2_100 };
    const metrics = new CurrentMetrics(other, { ...PARTS, readiness });

    await metrics.refresh();
    const text = await renderMetrics(other, 'prometheus');
    metrics.stop();

    expect(text).toMatch(/^namewright_database_up 1$/m);
    expect(text).toMatch(/^namewright_database_writable 1$/m);
    expect(text).toMatch(/^namewright_database_write_seconds 2.1$/m);
  });

  it('show a full disk as a database that responds but cannot be written', async () => {
    const other = new Registry();
    const metrics = new CurrentMetrics(other, {
      ...PARTS,
      readiness: { check: () => Promise.reject(new StorageFailing()) },
    });

    await metrics.refresh();
    const text = await renderMetrics(other, 'prometheus');
    metrics.stop();

    expect(text).toMatch(/^namewright_database_up 1$/m);
    expect(text).toMatch(/^namewright_database_writable 0$/m);
  });

  it.each([
    ['completed', async () => 0],
    ['rejected', () => Promise.reject(new RegistryRejected('policy', 'no'))],
    ['unavailable', () => Promise.reject(new RegistryUnavailable('gone'))],
  ])('count a call to a registry as %s', async (outcome, work) => {
    await observe<unknown>({ kind: 'registry call', name: 'query', registry: 'verisign' }, work).catch(() => 0);

    const text = await renderMetrics(registry, 'prometheus');

    expect(text).toContain(`namewright_registry_calls_total{registry="verisign",kind="query",outcome="${outcome}"} 1`);
  });
});
