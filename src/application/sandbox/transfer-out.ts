import { inject, injectable } from 'inversify';
import { DomainName } from '../../domain/registration/domain-name';
import { ValidationError } from '../../domain/shared/validation-error';
import { RegistrySandbox } from '../ports/registry/registry-sandbox';

const MAX_CODE_LENGTH = 128;

/**
 * The gaining registrar's side of a transfer. It knows a name and a code and nothing of accounts, so it learns what
 * any registrar would learn of the registry, whoever holds the name.
 * @throws ValidationError, RegistryRejected
 */
@injectable()
export class TransferOut {
  constructor(@inject(RegistrySandbox) private readonly sandbox: RegistrySandbox) {}

  async execute({
    name: text,
    authCode,
  }: {
    name: string;
    authCode: string;
  }): Promise<{ readonly name: DomainName; readonly completesAt: Date }> {
    const name = DomainName.parse(text);
    if (authCode === '' || authCode.length > MAX_CODE_LENGTH)
      throw ValidationError.of('auth_code', `must have 1 to ${MAX_CODE_LENGTH} characters`);
    return { name, completesAt: await this.sandbox.transferOut(name, authCode) };
  }
}
