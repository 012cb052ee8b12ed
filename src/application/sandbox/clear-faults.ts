import { inject, injectable } from 'inversify';
import { RegistrySandbox } from '../ports/registry-sandbox';

/** From now on the registry does what it should. */
@injectable()
export class ClearFaults {
  constructor(@inject(RegistrySandbox) private readonly sandbox: RegistrySandbox) {}

  async execute(): Promise<void> {
    await this.sandbox.clearFaults();
  }
}
