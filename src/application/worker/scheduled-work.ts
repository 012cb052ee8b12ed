import { inject, injectable } from '../ports/inject';
import type { DueWork } from '../lifecycle/due-work';
import { SigningRunner } from '../dnssec/steps/signing-runner';
import { TransferRunner } from '../transfers/transfer-runner';

/** Transfers and DNSSEC steps. */
@injectable()
export class ScheduledWork implements DueWork {
  constructor(
    @inject(TransferRunner) private readonly transfers: Pick<TransferRunner, 'start' | 'stop' | 'runDue'>,
    @inject(SigningRunner) private readonly signing: Pick<SigningRunner, 'start' | 'stop' | 'runDue' | 'nextDueAt'>,
  ) {}

  start(): void {
    this.transfers.start();
    this.signing.start();
  }

  async stop(): Promise<void> {
    await this.signing.stop();
    await this.transfers.stop();
  }

  async runDue(): Promise<number> {
    return (await this.transfers.runDue()) + (await this.signing.runDue());
  }

  /** Transfers are not counted: their registry's messages make them due. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.signing.nextDueAt();
  }
}
