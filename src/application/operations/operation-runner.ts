import { inject, injectable } from 'inversify';
import { DomainName } from '../../domain/registration/domain-name';
import { levelOf } from '../level-of';
import { Outage } from '../outage';
import { Clock } from '../ports/system/clock';
import { Log } from '../ports/system/log';
import { OperationReader } from '../ports/registration/operation-repository';
import type { NamedDomain } from '../ports/registration/domain-repository';
import { RegistryDirectory, type RegistryCapacity } from '../ports/registry/registry-directory';
import { withinMs } from '../within-ms';
import { OperationSettings } from './operation-settings';
import { OperationExecutor } from './operation-executor';

const SWEEP_EVERY_MS = 250;
const SWEEP_BATCH = 200;
const STOP_WITHIN_MS = 2_000;
/** Operations per connection of the registry: some are always reading or writing the database. */
const OPERATIONS_PER_CALL = 2;
/** For names that no registry serves: their operations are retried in case the operator configures the registry again. */
const NO_REGISTRY: RegistryCapacity = { registry: '', concurrency: 1 };

/** The running and waiting work of one registry. */
interface Lane {
  readonly width: number;
  /** Ids of domains with due operations, in order of arrival. */
  readonly ready: Set<string>;
  /** Work in progress, by domain id. */
  readonly active: Map<string, Promise<void>>;
}

/** Schedules stored operations: sequentially per domain, in parallel up to a limit per registry. */
@injectable()
export class OperationRunner {
  private readonly lanes = new Map<string, Lane>();
  private timers: readonly NodeJS.Timeout[] = [];
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
    for (const { ready } of lanes) ready.clear();
    await withinMs(STOP_WITHIN_MS, Promise.allSettled(lanes.flatMap(({ active }) => [...active.values()]))).catch(
      () => undefined,
    );
    await this.executor.releaseLeases();
  }

  /** Runs the domain's operations as soon as the registry has capacity. Returns at once; does nothing before `start`. */
  wake({ id, name }: NamedDomain): void {
    if (this.timers.length === 0) return;
    const lane = this.capacityOf(name);
    lane.ready.add(id);
    this.fill(lane);
  }

  private capacityOf(name: string): Lane {
    const { registry, concurrency } = this.registries.registryFor(DomainName.fromState(name)) ?? NO_REGISTRY;
    const lane = this.lanes.get(registry) ?? {
      width: concurrency * OPERATIONS_PER_CALL,
      ready: new Set(),
      active: new Map(),
    };
    this.lanes.set(registry, lane);
    return lane;
  }

  private fill(lane: Lane): void {
    if (this.timers.length === 0) return;
    for (const domainId of lane.ready) {
      if (lane.active.size >= lane.width) return;
      if (lane.active.has(domainId)) continue;
      lane.ready.delete(domainId);
      const turn = this.runNext(domainId, lane)
        .catch((error: unknown) =>
          this.log[levelOf(error)]({ err: error, domainId }, 'running the operations of a domain failed'),
        )
        .finally(() => {
          lane.active.delete(domainId);
          this.fill(lane);
        });
      lane.active.set(domainId, turn);
    }
  }

  private async sweep(): Promise<void> {
    try {
      for (const domain of await this.operations.domainsWithWork(this.clock.now(), SWEEP_BATCH)) {
        if (!this.capacityOf(domain.name).active.has(domain.id)) this.wake(domain);
      }
      this.storageOutage.succeeded();
    } catch (error) {
      this.storageOutage.failed(error);
    }
  }

  private async runNext(domainId: string, { ready }: Lane): Promise<void> {
    if (await this.executor.runNext(domainId)) ready.add(domainId);
  }
}
