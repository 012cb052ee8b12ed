import { inject, injectable } from 'inversify';
import { DomainName } from '../../domain/registration/domain-name';
import type { AuthCode } from '../ports/registry/registry-port';
import { RegistrySandbox } from '../ports/registry/registry-sandbox';

/** Registers a name at the sandbox's other registrar, from which it can be transferred to us. @throws ValidationError, RegistryRejected */
@injectable()
export class RegisterElsewhere {
  constructor(@inject(RegistrySandbox) private readonly sandbox: RegistrySandbox) {}

  async execute({ name: text }: { name: string }): Promise<{ readonly name: DomainName; readonly authCode: AuthCode }> {
    const name = DomainName.parse(text);
    return { name, authCode: await this.sandbox.registerElsewhere(name) };
  }
}
