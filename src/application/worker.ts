import { inject, injectable } from 'inversify';
import { LifecycleSync } from './lifecycle/lifecycle-sync';
import { OperationRunner } from './operations/operation-runner';
import { OperationSettings } from './operations/operation-settings';
import { Clock } from './ports/system/clock';
import { UnitOfWork } from './ports/storage/unit-of-work';
import { CleanUp } from './retention/clean-up';

/** All that happens on nobody's request: in the service's own process, or alone in one of its own. */
@injectable()
export class Worker {
  private readonly startedAt: Date;

  constructor(
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(LifecycleSync) private readonly lifecycle: LifecycleSync,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
    @inject(CleanUp) private readonly cleanUp: Pick<CleanUp, 'start' | 'stop'>,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {
    this.startedAt = clock.now();
  }

  async start(): Promise<void> {
    if (this.settings.alone) await this.takeOver();
    this.runner.start();
    this.lifecycle.start();
    this.cleanUp.start();
  }

  async stop(): Promise<void> {
    await this.cleanUp.stop();
    await this.lifecycle.stop();
    await this.runner.stop();
  }

  /** Frees what a killed process held: there is no other process that could hold anything, and what this one holds already is newer. */
  private async takeOver(): Promise<void> {
    const until = new Date(this.startedAt.getTime() + this.settings.leaseMs);
    await this.unitOfWork.run(async ({ idempotencyRecords, operations }) => {
      await operations.endLeases(until, this.clock.now());
      await idempotencyRecords.letGo(until);
    });
  }
}
