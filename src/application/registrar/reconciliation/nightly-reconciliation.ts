import { inject, injectable } from 'inversify';
import { addDays } from '../../../domain/shared/calendar';
import { ExclusiveLease } from '../../exclusive-lease';
import { Outage } from '../../outage';
import { ReconciliationReader } from '../../ports/registration/reconciliation-repository';
import { NameListings, type RegistryNameListing } from '../../ports/registry/name-listings';
import { Leases } from '../../ports/storage/leases';
import { Clock } from '../../ports/system/clock';
import { Log } from '../../ports/system/log';
import { ReconcileRegistry } from './reconcile-registry';

const CHECK_EVERY_MS = 10 * 60_000;
const CONFIRM_EVERY_MS = 5_000;
/** UTC. */
const HOUR_OF_DAY = 2;

/** Compares every registry with the service once a night, in one process at a time, and only reports. */
@injectable()
export class NightlyReconciliation {
  private readonly lease: ExclusiveLease;
  private readonly startedAt: Date;
  private readonly storageOutage: Outage;
  private readonly outages = new Map<string, Outage>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    @inject(NameListings) private readonly registries: NameListings,
    @inject(ReconciliationReader) private readonly reconciliations: ReconciliationReader,
    @inject(ReconcileRegistry) private readonly reconcile: ReconcileRegistry,
    @inject(Leases) leases: Leases,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {
    this.lease = new ExclusiveLease(leases, 'reconciliation');
    this.startedAt = clock.now();
    this.storageOutage = new Outage(log, 'reading reconciliations');
  }

  start(): void {
    this.timer = setInterval(() => void this.run(), CHECK_EVERY_MS).unref();
  }

  /** Interrupts a comparison. It stores nothing then, and is repeated after the next start. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Compares the registries that are due. Returns the running call, if any; throws nothing. */
  run(): Promise<void> {
    return (this.running ??= this.runDue().finally(() => (this.running = undefined)));
  }

  private async runDue(): Promise<void> {
    try {
      const due = await this.due();
      if (due.length === 0 || !(await this.lease.hold())) return;
      const confirming = setInterval(() => void this.lease.hold().catch(() => undefined), CONFIRM_EVERY_MS);
      try {
        for (const listing of due) await this.compare(listing);
      } finally {
        clearInterval(confirming);
        await this.lease.release();
      }
      this.storageOutage.succeeded();
    } catch (error) {
      this.storageOutage.failed(error);
    }
  }

  /** The registries that were not compared since the hour of the day. */
  private async due(): Promise<readonly RegistryNameListing[]> {
    const latest = new Map(
      (await this.reconciliations.latest()).map(({ registry, finishedAt }) => [registry, finishedAt]),
    );
    const hour = latestHour(this.clock.now());
    return this.registries.listings().filter(({ registry }) => (latest.get(registry) ?? this.startedAt) < hour);
  }

  private async compare(listing: RegistryNameListing): Promise<void> {
    const { registry } = listing;
    const outage =
      this.outages.get(registry) ?? new Outage(this.log, 'comparing a registry with the service', { registry });
    this.outages.set(registry, outage);
    try {
      await this.reconcile.execute(listing, { fix: false, signal: this.stopping.signal });
      outage.succeeded();
    } catch (error) {
      if (!this.stopping.signal.aborted) outage.failed(error);
    }
  }
}

/** When it was `HOUR_OF_DAY` last. */
function latestHour(now: Date): Date {
  const today = new Date(now);
  today.setUTCHours(HOUR_OF_DAY, 0, 0, 0);
  return today <= now ? today : addDays(today, -1);
}
