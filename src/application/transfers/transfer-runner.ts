import { randomUUID } from 'node:crypto';
import { inject, injectable } from 'inversify';
import { DomainName } from '../../domain/registration/domain-name';
import type { Transfer } from '../../domain/registration/transfer';
import { isWithin } from '../../domain/shared/money';
import { transferEnded } from '../audit/transfer-audit';
import { levelOf } from '../level-of';
import { OperationRunner } from '../operations/operation-runner';
import { OperationSettings } from '../operations/operation-settings';
import { Outage } from '../outage';
import { TransferReader, type NamedTransfer } from '../ports/registration/transfer-repository';
import { RegistryDirectory } from '../ports/registry/registry-directory';
import { RegistryNotContacted } from '../ports/registry/registry-errors';
import { UnitOfWork, type Stores } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system/clock';
import { Log } from '../ports/system/log';
import { withinMs } from '../within-ms';
import { TransferCompletion } from './transfer-completion';
import { TransferProgress, type Progress } from './transfer-progress';

const SWEEP_EVERY_MS = 1_000;
const SWEEP_BATCH = 200;
const STOP_WITHIN_MS = 2_000;
/** How often a pending transfer is read, in case the registry's message does not arrive. */
const POLL_MS = 60 * 60_000;
/** The registry says that it is complete: the name is ours any moment. */
const APPROVED_POLL_MS = 60_000;
const DEFAULT_CONCURRENCY = 1;

/** Follows stored transfers until they end. Registry calls are outside transactions; the lease holder commits what they tell. */
@injectable()
export class TransferRunner {
  private readonly owner = randomUUID();
  /** Attempts in progress and their registry, by the id of the transfer. */
  private readonly active = new Map<string, { readonly registry: string; readonly attempt: Promise<void> }>();
  private readonly running = new Set<Transfer>();
  private timers: readonly NodeJS.Timeout[] = [];
  private readonly storageOutage: Outage;

  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(TransferReader) private readonly transfers: TransferReader,
    @inject(TransferProgress) private readonly progress: TransferProgress,
    @inject(TransferCompletion) private readonly completion: TransferCompletion,
    @inject(RegistryDirectory) private readonly registries: RegistryDirectory,
    @inject(OperationRunner) private readonly operations: OperationRunner,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(Log) private readonly log: Log,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {
    this.storageOutage = new Outage(log, 'reading due transfers');
  }

  /** Runs stored transfers until `stop`, including those of other processes. */
  start(): void {
    this.timers = [
      setInterval(() => void this.sweep(), SWEEP_EVERY_MS),
      setInterval(() => void this.extendLeases(), this.settings.leaseMs / 3),
    ];
    for (const timer of this.timers) timer.unref();
  }

  /** Starts no more attempts and waits for running ones. Leases of those that do not finish in time run out. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    const attempts = [...this.active.values()].map(({ attempt }) => attempt);
    await withinMs(STOP_WITHIN_MS, Promise.allSettled(attempts)).catch(() => undefined);
  }

  /** Ends the leases of a killed process. Only this process uses the database. */
  async endFormerLeases(): Promise<void> {
    const now = this.lifecycleClock.now();
    await this.unitOfWork.run(({ transfers }) => transfers.endLeases(this.leaseEnd(now), now));
  }

  /** Runs everything that is due, waits for it and returns how many transfers were due. Work that fails is retried later. */
  async runDue(): Promise<number> {
    if (this.timers.length === 0) return 0;
    const due = await this.sweep();
    await Promise.all([...this.active.values()].map(({ attempt }) => attempt));
    return due;
  }

  /** Starts the next attempt if the registry has capacity. Returns at once; does nothing before `start`. */
  wake({ id, name }: NamedTransfer): void {
    if (this.timers.length === 0 || this.active.has(id)) return;
    const { registry, concurrency } = this.registries.registryFor(DomainName.fromState(name)) ?? {
      registry: '',
      concurrency: DEFAULT_CONCURRENCY,
    };
    if ([...this.active.values()].filter((each) => each.registry === registry).length >= concurrency) return;
    const attempt = this.attempt(id)
      .catch((error: unknown) =>
        this.log[levelOf(error)]({ err: error, transferId: id }, 'the attempt of a transfer failed and is retried'),
      )
      .finally(() => this.active.delete(id));
    this.active.set(id, { registry, attempt });
  }

  private async sweep(): Promise<number> {
    try {
      const due = await this.transfers.due(this.lifecycleClock.now(), SWEEP_BATCH);
      for (const transfer of due) this.wake(transfer);
      this.storageOutage.succeeded();
      return due.length;
    } catch (error) {
      this.storageOutage.failed(error);
      return 0;
    }
  }

  private async extendLeases(): Promise<void> {
    if (this.running.size === 0) return;
    try {
      const ids = [...this.running].map(({ id }) => id);
      const until = this.leaseEnd(this.lifecycleClock.now());
      await this.unitOfWork.run(({ transfers }) => transfers.extendLeases(ids, this.owner, until));
    } catch (error) {
      this.log[levelOf(error)]({ err: error }, 'transfer leases could not be renewed');
    }
  }

  private async attempt(id: string): Promise<void> {
    const claimed = await this.claim(id);
    if (!claimed) return;
    this.running.add(claimed);
    try {
      const progress = await this.progress.advance(claimed);
      await this.commit(claimed, (stores, transfer) => this.apply(stores, transfer, progress));
    } catch (error) {
      await this.commit(claimed, async (_stores, transfer) => this.delay(transfer, error));
      if (!(error instanceof RegistryNotContacted))
        this.log[levelOf(error)](
          { err: error, transferId: id },
          'the state of a transfer is unknown and is read again',
        );
    } finally {
      this.running.delete(claimed);
    }
  }

  private async claim(id: string): Promise<Transfer | undefined> {
    return this.unitOfWork.run(async ({ transfers }) => {
      const now = this.lifecycleClock.now();
      const transfer = await transfers.lockIfFree(id);
      if (!transfer?.isDue(now)) return undefined;
      transfer.begin(this.owner, this.leaseEnd(now), now);
      await transfers.save(transfer);
      return transfer;
    });
  }

  /** Does nothing if the lease was lost. */
  private async commit(
    claimed: Transfer,
    change: (stores: Stores, transfer: Transfer) => Promise<void>,
  ): Promise<void> {
    const committed = await this.unitOfWork.run(async (stores) => {
      const transfer = await stores.transfers.lockAny(claimed.id);
      if (!transfer?.isLeasedBy(this.owner, claimed.transactionId)) return undefined;
      await change(stores, transfer);
      await stores.transfers.save(transfer);
      if (transfer.finished && transfer.status !== 'completed') {
        await stores.keySpending.release(transfer.id);
        await stores.audit.append(transferEnded(transfer.toState(), this.clock.now()));
      }
      return transfer.toState();
    }, claimed.toState().accountId);
    if (!committed) return;
    if (committed.charged && !isWithin(committed.charged, committed.price))
      this.log.error(
        { transferId: committed.id, agreed: committed.price, charged: committed.charged },
        'the registry charged more than the agreed price: claim the difference back',
      );
    if (committed.domainId) this.operations.wake({ id: committed.domainId, name: committed.name });
  }

  private async apply(stores: Stores, transfer: Transfer, progress: Progress): Promise<void> {
    const now = this.lifecycleClock.now();
    if (progress.kind === 'completed') await this.completion.apply(stores, transfer, progress);
    else if (progress.kind === 'ended') transfer.end(progress.status, progress.error, now);
    else if (progress.kind === 'approved') transfer.approve(progress, later(now, APPROVED_POLL_MS), now);
    else {
      transfer.accept(progress.facts, this.nextCheck(transfer, progress, now), now);
      if (progress.cancelError) transfer.refuseCancellation(progress.cancelError, later(now, POLL_MS), now);
    }
  }

  /** At the end of the transfer period, and hourly before; sooner if it is to be cancelled. */
  private nextCheck(
    transfer: Transfer,
    { facts, cancelError }: Extract<Progress, { kind: 'pending' }>,
    now: Date,
  ): Date {
    const { cancelRequestedAt, status, endsAt: known } = transfer.toState();
    if (cancelRequestedAt && !cancelError) return status === 'queued' ? now : later(now, APPROVED_POLL_MS);
    const endsAt = facts.endsAt ?? known;
    const regular = later(now, POLL_MS);
    return endsAt && endsAt > now && endsAt < regular ? endsAt : regular;
  }

  /** Nothing was sent, or only the state was read: retried later. Otherwise the request may have taken effect. */
  private delay(transfer: Transfer, error: unknown): void {
    const now = this.lifecycleClock.now();
    const jitter = Math.random();
    const isKnown =
      transfer.status !== 'queued' || (error instanceof RegistryNotContacted && !transfer.mayHaveTakenEffect);
    if (isKnown) {
      const seconds = error instanceof RegistryNotContacted ? error.retryAfterSeconds : 60;
      const message = transfer.status === 'queued' ? 'The request was not sent yet' : 'The registry could not be asked';
      transfer.postpone({ code: 'REGISTRY_UNAVAILABLE', message }, later(now, (seconds + jitter) * 1_000), now);
    } else
      transfer.markOutcomeUnknown(
        { code: 'REGISTRY_UNAVAILABLE', message: 'The outcome at the registry is not known yet' },
        jitter,
        now,
      );
  }

  private leaseEnd(now: Date): Date {
    return later(now, this.settings.leaseMs);
  }
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
