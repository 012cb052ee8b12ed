import { inject, injectable } from '../ports/inject';
import { Log } from '../ports/system';
import { RegistrySandbox } from '../ports/registry/registry-sandbox';

/** Removes all injected faults of the sandbox registry. */
@injectable()
export class ClearFaults {
  constructor(
    @inject(RegistrySandbox) private readonly sandbox: RegistrySandbox,
    @inject(Log) private readonly log: Log,
  ) {}

  async execute(): Promise<void> {
    await this.sandbox.clearFaults();
    this.log.info({}, 'sandbox faults cleared');
  }
}
