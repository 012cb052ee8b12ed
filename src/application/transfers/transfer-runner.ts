import { inject, injectable } from '../ports/inject';
import { DomainName } from '../../domain/shared/domain-name';
import type { Transfer } from '../../domain/registration/transfers/transfer';
import { isWithin } from '../../domain/shared/money';
import { AccountLane } from '../shared/account-lane';
import { levelOf } from '../shared/level-of';
import { OperationRunner } from '../operations/operation-runner';
import { Outage } from '../shared/outage';
import type { NamedTransfer } from '../ports/registration/operations-and-transfers';
import { RegistryDirectory, type RegistryCapacity } from '../ports/registry/registries';
import { RegistryNotContacted } from '../ports/registry/registry-errors';
import type { Stores } from '../ports/storage/unit-of-work';
import { Log } from '../ports/system';
import { withinMs } from '../shared/within-ms';
import { TransferLeases } from './transfer-leases';
import { TransferOutcome } from './transfer-outcome';
import { TransferProgress } from './transfer-progress';
import type { CompletionStores } from './transfer-completion';

const SWEEP_EVERY_MS = 1_000;
const SWEEP_BATCH = 200;
const STOP_WITHIN_MS = 2_000;
/** For names that no registry serves. */
const NO_REGISTRY: RegistryCapacity = { registry: '', concurrency: 1 };

/** Follows stored transfers until they end; at each registry, accounts take turns. Registry calls are outside transactions; the lease holder commits their results. */
@injectable()
export class TransferRunner {
  /** By registry. */
  private readonly lanes = new Map<string, AccountLane>();
  private readonly running = new Set<Transfer>();
  private timers: readonly NodeJS.Timeout[] = [];
  private readonly storageOutage: Outage;

  constructor(
    @inject(TransferLeases) private readonly leases: TransferLeases,
    @inject(TransferProgress) private readonly progress: TransferProgress,
    @inject(TransferOutcome) private readonly outcome: TransferOutcome,
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
    @inject(OperationRunner) private readonly operations: OperationRunner,
    @inject(Log) private readonly log: Log,
  ) {
    this.storageOutage = new Outage(log, 'reading due transfers');
  }

  /** Runs stored transfers until `stop`, including those of other processes. */
  start(): void {
    this.timers = [
      setInterval(() => void this.sweep(), SWEEP_EVERY_MS),
      setInterval(() => void this.extendLeases(), this.leases.extendEveryMs),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /** Starts no more attempts and waits for running ones. Leases of those that do not finish in time run out. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    for (const lane of this.lanes.values()) lane.clear();
    await withinMs(STOP_WITHIN_MS, Promise.allSettled(this.attempts())).catch(() => undefined);
  }

  /** Ends the leases of a killed process. Only this process uses the database. */
  async endFormerLeases(): Promise<void> {
    await this.leases.endFormer();
  }

  /** Runs everything that is due, waits for it and returns how many transfers were due. Work that fails is retried later. */
  async runDue(): Promise<number> {
    if (this.timers.length === 0) return 0;
    const due = await this.sweep();
    while (this.attempts().length > 0) await Promise.all(this.attempts());
    return due;
  }

  /** Starts the next attempt as soon as the registry has capacity. Returns at once; does nothing before `start`. */
  wake(transfer: NamedTransfer): void {
    if (this.timers.length === 0) return;
    const lane = this.laneOf(transfer.name);
    if (!lane.isRunning(transfer.id)) lane.add(transfer);
  }

  private laneOf(name: string): AccountLane {
    const { registry, concurrency } = this.registries.registryFor(DomainName.fromState(name)) ?? NO_REGISTRY;
    const lane = this.lanes.get(registry) ?? new AccountLane(concurrency, (id) => this.runNext(id));
    this.lanes.set(registry, lane);
    return lane;
  }

  private attempts(): readonly Promise<void>[] {
    return [...this.lanes.values()].flatMap(({ running }) => running);
  }

  private async runNext(id: string): Promise<false> {
    try {
      await this.attempt(id);
    } catch (error) {
      this.log[levelOf(error)]({ err: error, transferId: id }, 'the attempt of a transfer failed and is retried');
    }
    return false;
  }

  private async sweep(): Promise<number> {
    try {
      const due = await this.leases.due(SWEEP_BATCH);
      for (const transfer of due) this.wake(transfer);
      this.storageOutage.recordSuccess();
      return due.length;
    } catch (error) {
      this.storageOutage.recordFailure(error);
      return 0;
    }
  }

  private async extendLeases(): Promise<void> {
    if (this.running.size === 0) return;
    try {
      await this.leases.extend([...this.running].map(({ id }) => id));
    } catch (error) {
      this.log[levelOf(error)]({ err: error }, 'transfer leases could not be renewed');
    }
  }

  private async attempt(id: string): Promise<void> {
    const claimed = await this.leases.claim(id);
    if (!claimed) return;
    this.running.add(claimed);
    try {
      const progress = await this.progress.advance(claimed);
      await this.commit(claimed, (stores, transfer) => this.outcome.apply(stores, transfer, progress));
    } catch (error) {
      await this.commit(claimed, async (_stores, transfer) => this.outcome.delay(transfer, error, claimed.readLagMs));
      if (!(error instanceof RegistryNotContacted))
        this.log[levelOf(error)](
          { err: error, transferId: id },
          'the state of a transfer is unknown and is read again',
        );
    } finally {
      this.running.delete(claimed);
    }
  }

  private async commit(
    claimed: Transfer,
    change: (stores: CompletionStores & Pick<Stores, 'keySpending'>, transfer: Transfer) => Promise<void>,
  ): Promise<void> {
    const committed = await this.leases.commit(claimed, async (stores, transfer) => {
      const before = transfer.toState();
      await change(stores, transfer);
      await this.outcome.record(stores, before, transfer);
    });
    if (!committed) return;
    if (committed.charged && !isWithin(committed.charged, committed.price))
      this.log.error(
        { transferId: committed.id, agreed: committed.price, charged: committed.charged },
        'the registry charged more than the agreed price: claim the difference back',
      );
    const { domainId, name, accountId } = committed;
    if (domainId) this.operations.wake({ id: domainId, name, accountId });
  }
}
