import { inject, injectable } from '../../ports/inject';
import { addDays } from '../../../domain/shared/time/calendar';
import { LeasedLoop } from '../../shared/leases/leased-loop';
import { Outage } from '../../shared/outage';
import { ReconciliationReader } from '../../ports/registration/imports-and-reconciliation';
import { NameListings, type RegistryNameListing } from '../../ports/registry/registries';
import { Leases } from '../../ports/storage/replicas';
import { Clock, Log } from '../../ports/system';
import { ReconcileRegistry } from './reconcile-registry';

const CHECK_EVERY_MS = 10 * 60_000;
/** UTC. */
const HOUR_OF_DAY = 2;

/** Compares every registry with the service once a night, in one process at a time, and only reports. */
@injectable()
export class NightlyReconciliation extends LeasedLoop {
  private readonly startedAt: Date;
  private readonly outages = new Map<string, Outage>();

  constructor(
    @inject(NameListings) private readonly registries: NameListings,
    @inject(ReconciliationReader) private readonly reconciliations: ReconciliationReader,
    @inject(ReconcileRegistry) private readonly reconcile: ReconcileRegistry,
    @inject(Leases) leases: Leases,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {
    super(leases, 'reconciliation', CHECK_EVERY_MS, new Outage(log, 'reading reconciliations'));
    this.startedAt = clock.now();
  }

  protected async hasDue(): Promise<boolean> {
    return (await this.due()).length > 0;
  }

  /** An interrupted comparison stores nothing, and is repeated after the next start. */
  protected async runDue(stopping: AbortSignal): Promise<void> {
    for (const listing of await this.due()) await this.compare(listing, stopping);
  }

  /** The registries that were not compared since the hour of the day. */
  private async due(): Promise<readonly RegistryNameListing[]> {
    const latest = new Map(
      (await this.reconciliations.latest()).map(({ registry, finishedAt }) => [registry, finishedAt]),
    );
    const hour = latestHour(this.clock.now());
    return this.registries.listings().filter(({ registry }) => (latest.get(registry) ?? this.startedAt) < hour);
  }

  private async compare(listing: RegistryNameListing, stopping: AbortSignal): Promise<void> {
    const { registry } = listing;
    const outage =
      this.outages.get(registry) ?? new Outage(this.log, 'comparing a registry with the service', { registry });
    this.outages.set(registry, outage);
    try {
      await this.reconcile.execute(listing, { fix: false, signal: stopping });
      outage.recordSuccess();
    } catch (error) {
      if (!stopping.aborted) outage.recordFailure(error);
    }
  }
}

/** When it was `HOUR_OF_DAY` last. */
function latestHour(now: Date): Date {
  const today = new Date(now);
  today.setUTCHours(HOUR_OF_DAY, 0, 0, 0);
  return today <= now ? today : addDays(today, -1);
}
