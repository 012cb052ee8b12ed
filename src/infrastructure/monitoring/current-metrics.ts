import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock, LifecycleClock, Log } from '../../application/ports/system';
import type { LimitsStoreProbe } from '../../application/ports/access/rate-limits-and-usage';
import { type Readiness, StorageSlow, StorageFailing } from '../../application/ports/storage/storage-unavailable';
import { failingWork } from '../../application/shared/outage';
import { withinMs } from '../../application/shared/within-ms';
import type { SecondaryStatus } from '../nameserver/notify/secondary-link';
import type { Database } from '../persistence/database/database';
import type { RegistryStatus } from '../registry/routing/open-registries';
import { Cached } from './cached';
import type { EventLoopLag } from './event-loop-lag';
import { StoredFigures } from './stored-figures';

export interface MonitoredParts {
  readonly database: Database;
  readonly databaseKind: 'sqlite' | 'mysql';
  readonly readiness: Readiness;
  readonly registries: () => readonly RegistryStatus[];
  readonly secondaries: () => readonly SecondaryStatus[];
  readonly limitsStore: Pick<LimitsStoreProbe, 'responds'> | undefined;
  readonly eventLoop: Pick<EventLoopLag, 'seconds' | 'stop'>;
  readonly clock: Clock;
  /** Of the service, whose failing work is counted. */
  readonly log: Log;
  /** TLDs whose registry renews names by itself. */
  readonly selfRenewing: readonly string[];
  /** By which domains expire. */
  readonly lifecycleClock: LifecycleClock;
}

const READY_WITHIN_MS = 3_000;
const OPERATIONS_MS = 5_000;
/** Their alerts fire within a minute. */
const QUARTER_MINUTE_MS = 15_000;
const MINUTE_MS = 60_000;
const DOMAINS_MS = 300_000;
const EXPIRY_DAYS = [1, 7, 30, 60, 90, 365];
const BREAKER_STATES = ['closed', 'half open', 'open'] as const;

type Labels = Readonly<Record<string, string>>;

/** Reads the present state at each scrape: of this process from memory, of the database from figures that are cached. */
export class CurrentMetrics {
  private readonly gauges = new Map<keyof typeof GAUGES, Gauge>();
  private readonly cpuSeconds;
  private readonly operations;
  private readonly deadLetters;
  private readonly jobs;
  private readonly domains;
  private readonly lastBackup;
  private readonly clockOffset;
  private readonly failingSteps;
  private readonly signatureEnd;
  private readonly differences;

  constructor(
    private readonly registry: Registry,
    private readonly parts: MonitoredParts,
  ) {
    const stored = new StoredFigures(parts.database, parts.databaseKind, parts.selfRenewing);
    this.operations = new Cached(OPERATIONS_MS, () => stored.openOperations());
    this.deadLetters = new Cached(QUARTER_MINUTE_MS, () => stored.deadLetters());
    this.jobs = new Cached(MINUTE_MS, () => stored.jobs());
    this.domains = new Cached(DOMAINS_MS, () => stored.domains(parts.lifecycleClock.now()));
    this.lastBackup = new Cached(MINUTE_MS, () => stored.lastBackup());
    this.clockOffset = new Cached(QUARTER_MINUTE_MS, () => stored.clockOffset());
    this.failingSteps = new Cached(MINUTE_MS, () => stored.failingSigningSteps(parts.lifecycleClock.now()));
    this.signatureEnd = new Cached(MINUTE_MS, () => stored.signatureEnd());
    this.differences = new Cached(MINUTE_MS, () => stored.differences());
    this.cpuSeconds = new Counter({
      name: 'namewright_process_cpu_seconds_total',
      help: 'CPU time of this process since its start',
      registers: [registry],
    });
    for (const name of Object.keys(GAUGES) as (keyof typeof GAUGES)[]) {
      const [help, labels] = GAUGES[name];
      this.gauges.set(name, new Gauge({ name, help, labelNames: [...labels], registers: [registry] }));
    }
  }

  stop(): void {
    this.parts.eventLoop.stop();
    this.registry.clear();
  }

  async refresh(): Promise<void> {
    for (const [name, gauge] of this.gauges) {
      gauge.reset();
      // A reset gauge without labels is 0, which would look like a measurement.
      if (GAUGES[name][1].length === 0) gauge.remove();
    }
    this.ofProcess();
    this.ofRegistries();
    this.ofSecondaries();
    await Promise.all([
      this.ofDatabase(),
      this.ofLimitsStore(),
      this.ofOperations(),
      this.ofDomains(),
      this.ofDeadLetters(),
      this.ofJobs(),
      this.ofNumber('namewright_backup_last_success_timestamp_seconds', this.lastBackup),
      this.ofNumber('namewright_clock_offset_seconds', this.clockOffset),
      this.ofNumber('namewright_dnssec_signature_end_timestamp_seconds', this.signatureEnd),
      this.ofSigningSteps(),
      this.ofDifferences(),
    ]);
  }

  private set(name: keyof typeof GAUGES, value: number, labels: Labels = {}): void {
    this.gauges.get(name)?.set(labels, value);
  }

  private ofProcess(): void {
    const { database } = this.parts;
    const { user, system } = process.cpuUsage();
    this.cpuSeconds.reset();
    this.cpuSeconds.inc((user + system) / 1e6);
    this.set('namewright_process_resident_memory_bytes', process.memoryUsage.rss());
    this.set('namewright_process_start_time_seconds', Date.now() / 1_000 - process.uptime());
    this.set('namewright_event_loop_lag_seconds', this.parts.eventLoop.seconds);
    for (const [work, amount] of failingWork(this.parts.log))
      this.set('namewright_background_work_failing', amount, { work });
    const { busy, idle, waiting } = database.connections;
    this.set('namewright_database_connections', busy, { state: 'busy' });
    this.set('namewright_database_connections', idle, { state: 'idle' });
    this.set('namewright_database_waiting', waiting);
  }

  private ofRegistries(): void {
    for (const { registry, running, waiting, breaker, sessions } of this.parts.registries()) {
      this.set('namewright_registry_calls_running', running, { registry });
      this.set('namewright_registry_calls_waiting', waiting, { registry });
      for (const state of BREAKER_STATES)
        this.set('namewright_registry_breaker_state', Number(breaker === state), { registry, state });
      if (!sessions) continue;
      this.set('namewright_epp_sessions', sessions.busy, { registry, state: 'busy' });
      this.set('namewright_epp_sessions', sessions.idle, { registry, state: 'idle' });
      for (const [certificate, until] of [
        ['server', sessions.serverCertificateUntil],
        ['client', sessions.clientCertificateUntil],
      ] as const)
        if (until)
          this.set('namewright_epp_certificate_expiry_timestamp_seconds', until.getTime() / 1_000, {
            registry,
            certificate,
          });
      if (sessions.passwordUntil)
        this.set('namewright_epp_password_expiry_timestamp_seconds', sessions.passwordUntil.getTime() / 1_000, {
          registry,
        });
    }
  }

  private ofSecondaries(): void {
    for (const { name: secondary, isReachable, pending, behindMs } of this.parts.secondaries()) {
      this.set('namewright_secondary_up', Number(isReachable), { secondary });
      this.set('namewright_secondary_pending_zones', pending, { secondary });
      this.set('namewright_secondary_lag_seconds', behindMs / 1_000, { secondary });
    }
  }

  private async ofDatabase(): Promise<void> {
    const error: unknown = await withinMs(READY_WITHIN_MS, this.parts.readiness.check()).catch(
      (reason: unknown) => reason,
    );
    const isWritable = error === undefined || error instanceof StorageSlow;
    this.set('namewright_database_up', Number(isWritable || error instanceof StorageFailing));
    this.set('namewright_database_writable', Number(isWritable));
    const { writeMs } = this.parts.readiness;
    if (writeMs !== undefined) this.set('namewright_database_write_seconds', writeMs / 1_000);
  }

  private async ofLimitsStore(): Promise<void> {
    const { limitsStore } = this.parts;
    if (!limitsStore) return;
    const isUp = await withinMs(READY_WITHIN_MS, limitsStore.responds()).catch(() => false);
    this.set('namewright_limits_store_up', Number(isUp));
  }

  private async ofOperations(): Promise<void> {
    const open = await this.operations.get();
    if (!open) return;
    const now = this.parts.clock.now().getTime();
    const oldest = new Map<string, number>();
    for (const { kind, status, amount, oldest: createdAt, uncertainSince } of open) {
      this.set('namewright_operations', amount, { kind, state: status });
      const since = uncertainSince ?? createdAt;
      oldest.set(status, Math.min(oldest.get(status) ?? Infinity, since));
    }
    for (const [state, since] of oldest)
      this.set('namewright_operation_oldest_age_seconds', Math.max(0, now - since) / 1_000, { state });
  }

  private async ofDomains(): Promise<void> {
    const figures = await this.domains.get();
    if (!figures) return;
    for (const [status, amount] of figures.byStatus) this.set('namewright_domains', amount, { status });
    for (const days of EXPIRY_DAYS)
      for (const autoRenew of [true, false]) {
        const within = figures.expiring.filter((each) => each.days <= days && each.autoRenew === autoRenew);
        const amount = within.reduce((sum, each) => sum + each.amount, 0);
        const labels = { within_days: String(days), auto_renew: autoRenew ? 'on' : 'off' };
        this.set('namewright_domains_expiring', amount, labels);
      }
    this.set('namewright_domains_not_renewed', figures.notRenewed);
  }

  /** A registry without dead letters shows 0, but only if they could be read. */
  private async ofDeadLetters(): Promise<void> {
    const amounts = await this.deadLetters.get();
    if (!amounts) return;
    for (const { registry } of this.parts.registries()) this.set('namewright_dead_letters', 0, { registry });
    for (const [registry, { amount, newest }] of amounts) {
      this.set('namewright_dead_letters', amount, { registry });
      this.set('namewright_dead_letter_newest_timestamp_seconds', newest / 1_000, { registry });
    }
  }

  private async ofJobs(): Promise<void> {
    for (const [type, amount] of (await this.jobs.get()) ?? [])
      this.set('namewright_jobs_unfinished', amount, { type });
  }

  private async ofSigningSteps(): Promise<void> {
    const amount = await this.failingSteps.get();
    if (amount !== undefined) this.set('namewright_dnssec_steps_failing', amount);
  }

  private async ofDifferences(): Promise<void> {
    for (const [registry, amount] of (await this.differences.get()) ?? [])
      this.set('namewright_reconciliation_differences', amount, { registry });
  }

  /** From milliseconds. */
  private async ofNumber(name: keyof typeof GAUGES, figure: Cached<number | undefined>): Promise<void> {
    const milliseconds = await figure.get();
    if (milliseconds !== undefined) this.set(name, milliseconds / 1_000);
  }
}

/** Meaning and labels. */
const GAUGES = {
  namewright_background_work_failing: [
    'Background work of this process, and how much of it fails at present and is retried',
    ['work'],
  ],
  namewright_process_resident_memory_bytes: ['Memory of this process', []],
  namewright_process_start_time_seconds: ['Start of this process, in seconds since 1970', []],
  namewright_event_loop_lag_seconds: ['Longest blockage of the event loop in the last 15 to 30 seconds', []],
  namewright_database_connections: ['Connections to the database; of SQLite the one that writes', ['state']],
  namewright_database_waiting: ['Callers that wait for a connection to the database', []],
  namewright_database_up: ['Whether the database responds', []],
  namewright_database_writable: ['Whether the database accepts writes, however slowly', []],
  namewright_database_write_seconds: [
    'Time of the last write of a test row, or of the present one if it is longer',
    [],
  ],
  namewright_clock_offset_seconds: ['How far the clock of the database server is ahead', []],
  namewright_limits_store_up: ['Whether the shared store of rate limits responds', []],
  namewright_operations: ['Unfinished operations', ['kind', 'state']],
  namewright_operation_oldest_age_seconds: [
    'Age of the oldest unfinished operation; of uncertain ones since the first unknown outcome',
    ['state'],
  ],
  namewright_registry_calls_running: ['Calls at the registry at present', ['registry']],
  namewright_registry_calls_waiting: ['Calls that wait for their turn', ['registry']],
  namewright_registry_breaker_state: ['State of the circuit breaker: 1 for the present one', ['registry', 'state']],
  namewright_epp_sessions: ['Open EPP sessions', ['registry', 'state']],
  namewright_epp_certificate_expiry_timestamp_seconds: [
    'End of the certificates of EPP connections, in seconds since 1970',
    ['registry', 'certificate'],
  ],
  namewright_epp_password_expiry_timestamp_seconds: [
    'When the registry ends the EPP password, if it warned of that at the last login, in seconds since 1970',
    ['registry'],
  ],
  namewright_secondary_up: ['Whether the secondary answers this process', ['secondary']],
  namewright_secondary_pending_zones: ['Zones whose latest change the secondary does not serve yet', ['secondary']],
  namewright_secondary_lag_seconds: [
    'Age of the oldest change that the secondary does not serve, or how long it has not answered',
    ['secondary'],
  ],
  namewright_domains: ['Domains', ['status']],
  namewright_domains_expiring: [
    'Active domains that have expired or expire within this many days',
    ['within_days', 'auto_renew'],
  ],
  namewright_domains_not_renewed: ['Active domains that expire within 7 days although the service renews them', []],
  namewright_dead_letter_newest_timestamp_seconds: [
    'When the newest message that could not be processed was received, in seconds since 1970',
    ['registry'],
  ],
  namewright_dead_letters: ['Registry messages that could not be processed', ['registry']],
  namewright_dnssec_steps_failing: ['Zones whose DNSSEC step is in the state error', []],
  namewright_dnssec_signature_end_timestamp_seconds: [
    'Nearest end of the signatures of all zones, in seconds since 1970',
    [],
  ],
  namewright_reconciliation_differences: ['Differences that the last comparison with the registry found', ['registry']],
  namewright_jobs_unfinished: [
    'Unfinished imports, bulk jobs, transfers, deliveries to webhooks, and mails that wait',
    ['type'],
  ],
  namewright_backup_last_success_timestamp_seconds: ['Start of the last successful backup, in seconds since 1970', []],
} as const satisfies Record<string, readonly [help: string, labels: readonly string[]]>;
