import { inject, injectable } from '../ports/inject';
import { DomainName } from '../../domain/shared/domain-name';
import { AccountLane } from '../shared/account-lane';
import { levelOf } from '../shared/level-of';
import { Outage } from '../shared/outage';
import { Clock, Log } from '../ports/system';
import { OperationReader, type DueOperation } from '../ports/registration/operations-and-transfers';
import type { OwnedDomain } from '../ports/registration/domain-repository';
import { RegistryDirectory, type RegistryCapacity } from '../ports/registry/registries';
import { withinMs } from '../shared/within-ms';
import { OperationSettings } from '../shared/operation-settings';
import { OperationExecutor } from './operation-executor';

const SWEEP_EVERY_MS = 250;
const SWEEP_BATCH = 200;
const STOP_WITHIN_MS = 2_000;
/** Operations per connection of the registry: some are always reading or writing the database. */
const OPERATIONS_PER_CALL = 2;
/** For names that no registry serves: their operations are retried in case the operator configures the registry again. */
const NO_REGISTRY: RegistryCapacity = { registry: '', concurrency: 1 };

/** Schedules stored operations: sequentially per domain, in parallel up to a limit per registry, where accounts take turns. */
@injectable()
export class OperationRunner {
  private readonly lanes = new Map<string, AccountLane>();
  private timers: readonly NodeJS.Timeout[] = [];
  /** The last one of a full batch: the next sweep continues after it. */
  private sweptTo: DueOperation | undefined;
  private readonly storageOutage: Outage;

  constructor(
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
    @inject(OperationExecutor) private readonly executor: OperationExecutor,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {
    this.storageOutage = new Outage(log, 'reading due operations');
  }

  /** Runs stored operations until `stop`, including those of other processes. */
  start(): void {
    this.timers = [
      setInterval(() => void this.sweep(), SWEEP_EVERY_MS),
      setInterval(() => void this.executor.extendLeases(), this.settings.leaseMs / 3),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /** Starts no more operations, waits for running ones, and releases the leases of those that do not finish in time. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    const lanes = [...this.lanes.values()];
    for (const lane of lanes) lane.clear();
    await withinMs(STOP_WITHIN_MS, Promise.allSettled(lanes.flatMap(({ running }) => running))).catch(() => undefined);
    await this.executor.releaseLeases();
  }

  /** Runs the domain's operations as soon as the registry has capacity. Returns at once; does nothing before `start`. */
  wake(domain: OwnedDomain): void {
    if (this.timers.length > 0) this.laneOf(domain.name).add(domain);
  }

  private laneOf(name: string): AccountLane {
    const { registry, concurrency } = this.registries.registryFor(DomainName.fromState(name)) ?? NO_REGISTRY;
    const lane =
      this.lanes.get(registry) ?? new AccountLane(concurrency * OPERATIONS_PER_CALL, (id) => this.runNext(id));
    this.lanes.set(registry, lane);
    return lane;
  }

  /** Returns whether the domain has more to run. */
  private async runNext(domainId: string): Promise<boolean> {
    try {
      return (await this.executor.runNext(domainId)) && this.timers.length > 0;
    } catch (error) {
      this.log[levelOf(error)]({ err: error, domainId }, 'running the operations of a domain failed');
      return false;
    }
  }

  private async sweep(): Promise<void> {
    try {
      const due = await this.operations.domainsWithWork(this.clock.now(), SWEEP_BATCH, this.sweptTo);
      this.sweptTo = due.length < SWEEP_BATCH ? undefined : due.at(-1);
      for (const domain of due) if (!this.laneOf(domain.name).isRunning(domain.id)) this.wake(domain);
      this.storageOutage.recordSuccess();
    } catch (error) {
      this.storageOutage.recordFailure(error);
    }
  }
}
