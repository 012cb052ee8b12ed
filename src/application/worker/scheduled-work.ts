import { inject, injectable } from '../ports/inject';
import type { DueWork } from '../lifecycle/due-work';
import { ExpiryNotices } from '../lifecycle/expiry-notices';
import { SigningRunner } from '../dnssec/steps/signing-runner';
import { TransferRunner } from '../transfers/transfer-runner';

/** Transfers, DNSSEC steps and notices of expiries. */
@injectable()
export class ScheduledWork implements DueWork {
  constructor(
    @inject(TransferRunner) private readonly transfers: Pick<TransferRunner, 'start' | 'stop' | 'runDue'>,
    @inject(SigningRunner) private readonly signing: Pick<SigningRunner, 'start' | 'stop' | 'runDue' | 'nextDueAt'>,
    @inject(ExpiryNotices) private readonly expiries: Pick<ExpiryNotices, 'start' | 'stop' | 'runDue'>,
  ) {}

  start(): void {
    this.transfers.start();
    this.signing.start();
    this.expiries.start();
  }

  async stop(): Promise<void> {
    await this.expiries.stop();
    await this.signing.stop();
    await this.transfers.stop();
  }

  async runDue(): Promise<number> {
    return (await this.transfers.runDue()) + (await this.signing.runDue()) + (await this.expiries.runDue());
  }

  /** Transfers and notices are not counted: their registry's messages make them due. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.signing.nextDueAt();
  }
}
