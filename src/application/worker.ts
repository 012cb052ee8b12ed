import { inject, injectable } from 'inversify';
import { LifecycleSync } from './lifecycle/lifecycle-sync';
import { OperationRunner } from './operations/operation-runner';
import { OperationSettings } from './operations/operation-settings';
import { Clock } from './ports/system/clock';
import { UnitOfWork } from './ports/storage/unit-of-work';
import { TransferRunner } from './transfers/transfer-runner';
import { NightlyReconciliation } from './registrar/nightly-reconciliation';
import { ImportRunner } from './registrar/import-runner';
import { CleanUp } from './retention/clean-up';

/** Runs the background work, in the service's process or in a separate worker process. */
@injectable()
export class Worker {
  private readonly startedAt: Date;

  constructor(
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(LifecycleSync) private readonly lifecycle: LifecycleSync,
    @inject(TransferRunner) private readonly transfers: TransferRunner,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
    @inject(CleanUp) private readonly cleanUp: Pick<CleanUp, 'start' | 'stop'>,
    @inject(ImportRunner) private readonly imports: Pick<ImportRunner, 'start' | 'stop'>,
    @inject(NightlyReconciliation) private readonly reconciliation: Pick<NightlyReconciliation, 'start' | 'stop'>,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {
    this.startedAt = clock.now();
  }

  async start(): Promise<void> {
    if (this.settings.alone) await this.endFormerLeases();
    this.runner.start();
    this.transfers.start();
    this.lifecycle.start();
    this.cleanUp.start();
    this.imports.start();
    this.reconciliation.start();
  }

  async stop(): Promise<void> {
    await this.cleanUp.stop();
    await this.imports.stop();
    await this.reconciliation.stop();
    await this.lifecycle.stop();
    await this.transfers.stop();
    await this.runner.stop();
  }

  /** Ends the leases of a killed process. Only this process uses the database, and its own leases are newer. */
  private async endFormerLeases(): Promise<void> {
    const until = new Date(this.startedAt.getTime() + this.settings.leaseMs);
    await this.unitOfWork.run(async ({ idempotencyRecords, operations }) => {
      await operations.endLeases(until, this.clock.now());
      await idempotencyRecords.letGo(until);
    });
    await this.transfers.endFormerLeases();
  }
}
