import { inject, injectable } from 'inversify';
import { SigningRunner } from '../dns/dnssec/steps/signing-runner';
import { TransferRunner } from '../transfers/transfer-runner';

/** Work besides the checks of domains that is due at a time of the lifecycle clock. */
@injectable()
export class DueWork {
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

  /** Runs everything that is due, waits for it and returns how much it was. Work that fails is retried later. */
  async runDue(): Promise<number> {
    return (await this.transfers.runDue()) + (await this.signing.runDue());
  }

  /** Transfers are not counted: their registry's messages make them due. */
  async nextDueAt(): Promise<Date | undefined> {
    return this.signing.nextDueAt();
  }
}
