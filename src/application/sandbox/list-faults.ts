import { inject, injectable } from '../ports/inject';
import { RegistrySandbox, type RegistryFault } from '../ports/registry/registry-sandbox';

/** Lists the active faults, oldest first. */
@injectable()
export class ListFaults {
  constructor(@inject(RegistrySandbox) private readonly sandbox: RegistrySandbox) {}

  async execute(): Promise<readonly RegistryFault[]> {
    return this.sandbox.faults();
  }
}
