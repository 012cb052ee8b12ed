import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { emit, observe, addObserver } from '../../../../src/application/shared/observation';
import { Outage } from '../../../../src/application/shared/outage';
import {
  StorageSlow,
  StorageFailing,
  StorageUnavailable,
} from '../../../../src/application/ports/storage/storage-unavailable';
import { CurrentMetrics, type MonitoredParts } from '../../../../src/infrastructure/monitoring/current-metrics';
import { ProcessMetrics } from '../../../../src/infrastructure/monitoring/process-metrics';
import { renderMetrics } from '../../../../src/infrastructure/monitoring/render-metrics';
import { RecordingLog } from '../../../support/fakes/recording-log';

const RULES = resolve('ops/prometheus/alerts.yml');
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Of a scrape and of an evaluation, in seconds. */
const INTERVAL = 15;
const NORMAL_SCRAPES = 8;
const FAULTY_SCRAPES = 50;
/** The clock of promtool starts in 1970. */
const START = new Date(0);

interface Situation {
  readonly parts?: Partial<MonitoredParts>;
  /** Replaces what the database returns for statements that contain the key. */
  readonly rows?: Readonly<Record<string, readonly object[]>>;
  /** Happens between two scrapes. */
  readonly happens?: () => void;
  readonly ends?: () => void;
  /** Whether the process responds to Prometheus. */
  readonly isUp?: boolean;
  /** After how many seconds the alert fires; 60 by default. */
  readonly firesAfter?: number;
}

/** Signatures as the database has them, with their end at an offset of RRSIG data. */
function signaturesUntil(end: number): string {
  const data = Buffer.alloc(100);
  data.writeUInt32BE(end / 1_000, 8);
  return JSON.stringify([data.toString('base64')]);
}

const HEALTHY: Readonly<Record<string, readonly object[]>> = {
  'FROM operations': [
    { kind: 'renew', status: 'queued', amount: 1, oldest: -20_000, uncertain_since: null },
    { kind: 'register', status: 'uncertain', amount: 1, oldest: -30_000, uncertain_since: -10_000 },
  ],
  dead_letters: [{ registry: 'verisign', amount: 4, newest: -61 * MINUTE_MS }],
  domain_counts: [
    { account_id: 'a', status: 'active', expires_on: 40 * DAY_MS, auto_renew: 1, amount: 5 },
    { account_id: 'a', status: 'active', expires_on: DAY_MS, auto_renew: 0, amount: 5 },
  ],
  last_backup: [{ succeeded_at: -60 * MINUTE_MS }],
  derived_rrsets: [{ signatures: signaturesUntil(6 * DAY_MS) }],
  'FROM reconciliations': [{ registry: 'verisign', differences: 0 }],
};
const GUARD = { registry: 'verisign', running: 8, waiting: 20, breaker: 'closed' } as const;
const YEAR = new Date(365 * DAY_MS);
const SESSIONS = { busy: 1, idle: 1, serverCertificateUntil: YEAR, clientCertificateUntil: YEAR };

const LOG = new RecordingLog();
const OUTAGE = new Outage(LOG, 'reading due operations');

/** The faults, and the alerts that each raises within a minute. */
const FAULTS: Readonly<Record<string, Situation>> = {
  NamewrightDown: { isUp: false },
  NamewrightDatabaseUnavailable: {
    parts: { readiness: { check: () => Promise.reject(new StorageUnavailable()) } },
    rows: { '': [] },
  },
  NamewrightDiskFull: { parts: { readiness: { check: () => Promise.reject(new StorageFailing()) } } },
  NamewrightDatabaseSlow: {
    parts: { readiness: { check: () => Promise.reject(new StorageSlow('slow')), writeMs: 2_000 } },
  },
  NamewrightDatabasePoolExhausted: {
    parts: { database: databaseOf(HEALTHY, { busy: 10, idle: 0, waiting: 30 }) },
  },
  NamewrightEventLoopBlocked: { parts: { eventLoop: { seconds: 3, stop: () => undefined } } },
  NamewrightClockSkew: { rows: { UNIX_TIMESTAMP: [{ now: Date.now() + 86_400_000 }] } },
  NamewrightErrors: {
    happens: () => emit(() => ({ kind: 'request', method: 'GET', route: '/x', status: 503, seconds: 1 })),
  },
  NamewrightBackgroundWorkFailing: {
    happens: () => OUTAGE.recordFailure(new StorageUnavailable()),
    ends: () => OUTAGE.end(),
  },
  NamewrightRegistryDown: { parts: { registries: () => [{ ...GUARD, breaker: 'open', sessions: SESSIONS }] } },
  NamewrightRegistryQueueFull: {
    happens: () => emit(() => ({ kind: 'registry call not sent', registry: 'verisign', name: 'command' })),
  },
  NamewrightOperationUncertain: {
    rows: {
      'FROM operations': [
        { kind: 'renew', status: 'uncertain', amount: 1, oldest: -9_000_000, uncertain_since: -601_000 },
      ],
    },
  },
  NamewrightOperationsWaiting: {
    rows: {
      'FROM operations': [{ kind: 'renew', status: 'queued', amount: 1, oldest: -700_000, uncertain_since: null }],
    },
  },
  NamewrightDeadLetter: { rows: { dead_letters: [{ registry: 'verisign', amount: 4, newest: 0 }] } },
  NamewrightCertificateExpires: {
    parts: {
      registries: () => [{ ...GUARD, sessions: { ...SESSIONS, clientCertificateUntil: new Date(13 * DAY_MS) } }],
    },
  },
  NamewrightPasswordExpires: {
    parts: { registries: () => [{ ...GUARD, sessions: { ...SESSIONS, passwordUntil: new Date(29 * DAY_MS) } }] },
  },
  NamewrightDomainNotRenewed: {
    rows: {
      domain_counts: [{ account_id: 'a', status: 'active', expires_on: 5 * DAY_MS, auto_renew: 1, amount: 1 }],
      'FROM domains': [{ amount: 1 }],
    },
    firesAfter: 660,
  },
  NamewrightSecondaryBehind: {
    parts: { secondaries: () => [{ name: 'ns1', isReachable: false, pending: 0, behindMs: 61_000 }] },
  },
  NamewrightZoneTransfersFail: {
    happens: () =>
      void observe({ kind: 'zone transfer', name: 'AXFR' }, () => Promise.reject(new Error('gone'))).catch(() => 0),
  },
  NamewrightDnssecStepFails: { rows: { zone_signing: [{ amount: 1 }] } },
  NamewrightSignaturesEnd: { rows: { derived_rrsets: [{ signatures: signaturesUntil(4 * DAY_MS) }] } },
  NamewrightRegistryDiffers: { rows: { 'FROM reconciliations': [{ registry: 'verisign', differences: 2 }] } },
  NamewrightUpdatesRefused: {
    happens: () => {
      for (let times = 0; times < 5; times += 1) emit(() => ({ kind: 'dynamic update', rcode: 'REFUSED' }));
    },
  },
  NamewrightMailsRefused: {
    happens: () => {
      for (let times = 0; times < 5; times += 1)
        emit(() => ({ kind: 'mail', notice: 'expiry', outcome: times % 2 === 0 ? 'refused' : 'failed' }));
    },
  },
  NamewrightBackupTooOld: { rows: { last_backup: [{ succeeded_at: -27 * 60 * MINUTE_MS }] } },
  NamewrightLimitsStoreAway: { parts: { limitsStore: { responds: async () => false } } },
};

/** States that are no fault, and an alert that stays quiet from the fifth minute on. */
const QUIET: Readonly<
  Record<string, { readonly series: Readonly<Record<string, string>>; readonly quiet: keyof typeof FAULTS }>
> = {
  'an open circuit breaker whose replica has no more calls to try the registry with': {
    series: {
      'namewright_registry_breaker_state{registry="one",state="open"}': '1x8 0x40',
      'namewright_registry_breaker_state{registry="one",state="half open"}': '0x8 1x40',
    },
    quiet: 'NamewrightRegistryDown',
  },
  'a stopping process, whose probe responds 503': {
    series: {
      'namewright_http_requests_total{instance="one",method="GET",route="/readyz",status="200"}': '0+30x60',
      'namewright_http_requests_total{instance="one",method="GET",route="/readyz",status="503"}': '0x18 0+30x4 _x40',
      'namewright_http_requests_total{instance="one",method="GET",route="/x",status="200"}': '0+9x60',
    },
    quiet: 'NamewrightErrors',
  },
  'one failed request of few': {
    series: {
      'namewright_http_requests_total{instance="one",method="GET",route="/x",status="500"}': '3x20 4x40',
      'namewright_http_requests_total{instance="one",method="GET",route="/x",status="200"}': '0+1x60',
    },
    quiet: 'NamewrightErrors',
  },
  'restarts, which begin all counters at 0 again': {
    series: {
      'namewright_http_requests_total{instance="one",method="GET",route="/x",status="500"}': '90x20 0x40',
      'namewright_http_requests_total{instance="one",method="GET",route="/x",status="200"}': '900+9x20 0+9x40',
    },
    quiet: 'NamewrightErrors',
  },
  'a process that starts instead of another, with refused calls long ago': {
    series: {
      'namewright_registry_calls_total{instance="one",registry="one",kind="query",outcome="not sent"}': '7x20 _x40',
      'namewright_registry_calls_total{instance="two",registry="one",kind="query",outcome="not sent"}': '_x20 0x40',
    },
    quiet: 'NamewrightRegistryQueueFull',
  },
  'an imported domain that is renewed a few minutes later': {
    series: { namewright_domains_not_renewed: '0x20 2x20 0x20' },
    quiet: 'NamewrightDomainNotRenewed',
  },
  'one transfer that broke off, as when a secondary restarts': {
    series: { 'namewright_zone_transfers_total{instance="one",kind="AXFR",outcome="failed"}': '0x20 1x40' },
    quiet: 'NamewrightZoneTransfersFail',
  },
  'one refused update, as by a key whose limits were changed': {
    series: { 'namewright_dynamic_updates_total{instance="one",rcode="REFUSED"}': '0x20 1x40' },
    quiet: 'NamewrightUpdatesRefused',
  },
  'one bounce of a mail, as of a mistyped address': {
    series: { 'namewright_mails_total{instance="one",notice="set_up_link",outcome="refused"}': '0x20 1x40' },
    quiet: 'NamewrightMailsRefused',
  },
  'a new service that has no backup yet': {
    series: { 'up{job="namewright",instance="one"}': '1x60' },
    quiet: 'NamewrightBackupTooOld',
  },
  'calls that were refused while the circuit breaker was open': {
    series: {
      'namewright_registry_breaker_state{registry="one",state="open"}': '0x8 1x10 0x40',
      'namewright_registry_calls_total{registry="one",kind="query",outcome="not sent"}': '0x8 10+10x10 110x40',
    },
    quiet: 'NamewrightRegistryQueueFull',
  },
};

function databaseOf(
  rows: Readonly<Record<string, readonly object[]>>,
  connections = { busy: 3, idle: 7, waiting: 0 },
): MonitoredParts['database'] {
  const query = async (sql: string) =>
    Object.entries(rows).find(([part]) => part !== '' && sql.includes(part))?.[1] ??
    (sql.includes('UNIX_TIMESTAMP') ? [{ now: Date.now() }] : [{ amount: 0 }]);
  return { connections, query } as never;
}

/** What happens between two scrapes of a healthy service. */
function load(): void {
  emit(() => ({ kind: 'request', method: 'GET', route: '/x', status: 200, seconds: 0.01 }));
  emit(() => ({ kind: 'published', secondary: 'ns1', seconds: 0.2 }));
}

/** The values of two scrapes, by series. */
async function scrapes({ parts, rows, happens, ends }: Situation): Promise<readonly ReadonlyMap<string, number>[]> {
  const registry = new Registry();
  const removeObserver = addObserver(new ProcessMetrics(registry, ['verisign']));
  const current = new CurrentMetrics(registry, {
    database: databaseOf({ ...rows, ...HEALTHY, ...rows }),
    databaseKind: 'mysql',
    readiness: { check: async () => undefined },
    registries: () => [{ ...GUARD, sessions: SESSIONS }],
    secondaries: () => [{ name: 'ns1', isReachable: true, pending: 3, behindMs: 900 }],
    limitsStore: { responds: async () => true },
    eventLoop: { seconds: 0.02, stop: () => undefined },
    selfRenewing: [],
    clock: { now: () => START },
    log: LOG,
    lifecycleClock: { now: () => START },
    ...parts,
  });
  const scrape = async (withFault: boolean) => {
    load();
    if (withFault) happens?.();
    await new Promise((done) => setImmediate(done));
    await current.refresh();
    const text = await renderMetrics(registry, 'prometheus');
    return new Map(
      [...text.matchAll(/^(namewright_\w+(?:\{.*\})?) (\S+)$/gm)].map(([, series = '', value]) => [
        series,
        Number(value),
      ]),
    );
  };
  try {
    return [await scrape(false), await scrape(true)];
  } finally {
    ends?.();
    removeObserver();
    current.stop();
  }
}

const isCounter = (series: string) => /_(?:total|count|sum|bucket)(?:\{|$)/.test(series);

const phase = (from: number | undefined, by: number, count: number) =>
  from === undefined ? `_x${count + 1}` : `${from.toFixed(6)}${by < 0 ? '-' : '+'}${Math.abs(by).toFixed(6)}x${count}`;

/** In the notation of promtool: the normal state for some scrapes, then the faulty one. */
function valuesOf(series: string, normal: number | undefined, faulty: number | undefined): string {
  if (!isCounter(series)) return `${phase(normal, 0, NORMAL_SCRAPES)} ${phase(faulty, 0, FAULTY_SCRAPES)}`;
  // The first scrape shows what one interval of normal load adds.
  const load = normal ?? 0;
  const growth = Math.max(0, (faulty ?? 0) - load);
  const reached = load * (NORMAL_SCRAPES + 1);
  return `${phase(normal, load, NORMAL_SCRAPES)} ${phase(reached + growth, growth, FAULTY_SCRAPES)}`;
}

function testOf(interval: string, series: Readonly<Record<string, string>>, promql_expr_test: readonly object[]) {
  const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  return { interval, input_series, promql_expr_test };
}

/** Tests the rules. Returns the output; throws what does not hold. */
function promtool(folder: string, tests: readonly object[], evaluation_interval = `${INTERVAL}s`): string {
  const file = join(folder, 'rules.test.yml');
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval, tests }));
  return execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
}

describe('alert rules', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-alerts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('fire for their fault within a minute, and none fires without a fault or for another one', async () => {
    const [normal] = await scrapes({});
    const faultAt = (NORMAL_SCRAPES + 1) * INTERVAL;
    const groups = [];
    for (const [alert, situation] of Object.entries(FAULTS)) {
      const [before, faulty] = situation.isUp === false ? [normal, new Map()] : await scrapes(situation);
      const without = situation.happens ? before : normal;
      const names = new Set([...(without?.keys() ?? []), ...(faulty?.keys() ?? [])]);
      const series = [...names].map((name) => ({
        series: name.includes('{') ? name.replace('{', '{instance="one",') : `${name}{instance="one"}`,
        values: valuesOf(name, without?.get(name), faulty?.get(name)),
      }));
      const isUp = situation.isUp === false ? 0 : 1;
      const up = `1x${NORMAL_SCRAPES} ${isUp}x${FAULTY_SCRAPES}`;
      const firing = { expr: 'group by (alertname) (ALERTS{alertstate="firing"})' };
      groups.push({
        name: alert,
        interval: `${INTERVAL}s`,
        input_series: [{ series: 'up{job="namewright",instance="one"}', values: up }, ...series],
        promql_expr_test: [
          { ...firing, eval_time: `${faultAt - INTERVAL}s`, exp_samples: [] },
          {
            ...firing,
            eval_time: `${faultAt + (situation.firesAfter ?? 60)}s`,
            exp_samples: [{ labels: `{alertname="${alert}"}`, value: 1 }],
          },
        ],
      });
    }
    expect(promtool(folder, groups)).toMatch(/SUCCESS/);
  });

  it.each([
    ['NamewrightBackupTooOld', 'no backup was ever made', { 'up{job="namewright",instance="one"}': '1x330' }, '27h'],
    ['NamewrightDown', 'Prometheus knows no process of the service', {}, '10m'],
  ])('%s fires if %s', (alert, _reason, series, eval_time) => {
    const samples = { expr: `group by (alertname) (ALERTS{alertname="${alert}",alertstate="firing"})`, eval_time };
    const exp_samples = [{ labels: `{alertname="${alert}"}`, value: 1 }];

    expect(promtool(folder, [testOf('5m', series, [{ ...samples, exp_samples }])], '5m')).toMatch(/SUCCESS/);
  });

  it.each(Object.entries(QUIET))('do not fire for %s', (_situation, { series, quiet }) => {
    const promql_expr_test = ['5m15s', '5m30s', '6m', '8m', '10m'].map((eval_time) => ({
      expr: `ALERTS{alertname="${quiet}",alertstate="firing"}`,
      eval_time,
      exp_samples: [],
    }));

    expect(promtool(folder, [testOf('15s', series, promql_expr_test)])).toMatch(/SUCCESS/);
  });

  it('look back over two scrapes at least, with the interval of docs/operations/monitoring.md', () => {
    const [, interval] = /scrape_interval: (\d+)s/.exec(readFileSync('docs/operations/monitoring.md', 'utf8')) ?? [];
    const ranges = [...readFileSync(RULES, 'utf8').matchAll(/\[(\d+)s\]/g)].map(([, seconds]) => Number(seconds));

    expect(Number(interval)).toBe(INTERVAL);
    expect(Math.min(60, ...ranges)).toBeGreaterThanOrEqual(2 * INTERVAL);
  });

  it('have a fault in this test and an entry in the runbook each', () => {
    const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const entry = /^## (Namewright\w+)\n\n- \*\*Symptom\*\*: .+\n- \*\*Look\*\*: .+\n(?:  .+\n)*- \*\*Do\*\*: /gm;
    const entries = [...readFileSync('docs/runbook.md', 'utf8').matchAll(entry)];

    expect(Object.keys(FAULTS)).toEqual(alerts);
    expect(entries.map(([, alert]) => alert)).toEqual(alerts);
  });

  it.each(['ops/prometheus/alerts.yml', 'ops/grafana/namewright.json'])('%s uses only exported metrics', (file) => {
    const registry = new Registry();
    const process = new ProcessMetrics(registry);
    const current = new CurrentMetrics(registry, { eventLoop: { seconds: 0, stop: () => undefined } } as never);
    const exported = new Set(
      registry.getMetricsAsArray().flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
    );
    current.stop();

    const used = [...new Set(readFileSync(file, 'utf8').match(/\bnamewright_\w+/g))];

    expect(process).toBeDefined();
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !exported.has(name))).toEqual([]);
  });
});
