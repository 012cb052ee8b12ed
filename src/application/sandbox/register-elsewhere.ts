import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertActionAllowed, assertNameAllowed } from '../../domain/access/key-permissions';
import { DomainName } from '../../domain/shared/domain-name';
import type { AuthCode } from '../ports/registry/registry-port';
import { RegistrySandbox } from '../ports/registry/registry-sandbox';

/** Registers a name at the sandbox's other registrar, from which it can be transferred to us. @throws ValidationError, LimitedKey, RegistryRejected */
@injectable()
export class RegisterElsewhere {
  constructor(@inject(RegistrySandbox) private readonly sandbox: RegistrySandbox) {}

  async execute({
    actor,
    name: text,
  }: Pick<Requester, 'actor'> & { name: string }): Promise<{ readonly name: DomainName; readonly authCode: AuthCode }> {
    assertActionAllowed(actor, 'transfer');
    const name = DomainName.parse(text);
    assertNameAllowed(actor, name.value);
    return { name, authCode: await this.sandbox.registerElsewhere(name) };
  }
}
