import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertActionAllowed, assertNameAllowed } from '../../domain/access/key-permissions';
import { DomainName } from '../../domain/shared/domain-name';
import { ValidationError } from '../../domain/shared/validation-error';
import { RegistrySandbox } from '../ports/registry/registry-sandbox';

const MAX_CODE_LENGTH = 128;

/**
 * Requests a transfer as the gaining registrar, which knows only a name and an auth code. The result is the same for names of
 * any account.
 * @throws ValidationError, LimitedKey, RegistryRejected
 */
@injectable()
export class TransferOut {
  constructor(@inject(RegistrySandbox) private readonly sandbox: RegistrySandbox) {}

  async execute({
    actor,
    name: text,
    authCode,
  }: Pick<Requester, 'actor'> & {
    name: string;
    authCode: string;
  }): Promise<{ readonly name: DomainName; readonly completesAt: Date }> {
    assertActionAllowed(actor, 'transfer');
    const name = DomainName.parse(text);
    assertNameAllowed(actor, name.value);
    if (authCode === '' || authCode.length > MAX_CODE_LENGTH)
      throw ValidationError.of('auth_code', `must have 1 to ${MAX_CODE_LENGTH} characters`);
    return { name, completesAt: await this.sandbox.transferOut(name, authCode) };
  }
}
