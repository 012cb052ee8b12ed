import { inject, injectable } from '../ports/inject';
import { DomainName } from '../../domain/shared/domain-name';
import { ValidationError } from '../../domain/shared/validation-error';
import { RegistrySandbox, TRANSFER_DECISIONS, type TransferDecision } from '../ports/registry/registry-sandbox';

/** Decides a pending transfer as the sandbox's other registrar. @throws ValidationError, RegistryRejected */
@injectable()
export class DecideElsewhere {
  constructor(@inject(RegistrySandbox) private readonly sandbox: RegistrySandbox) {}

  async execute({
    name: text,
    decision: wanted,
  }: {
    name: string;
    decision: string;
  }): Promise<{ readonly name: DomainName; readonly decision: TransferDecision }> {
    const name = DomainName.parse(text);
    const decision = TRANSFER_DECISIONS.find((known) => known === wanted);
    if (!decision) throw ValidationError.of('decision', `must be one of ${TRANSFER_DECISIONS.join(', ')}`);
    await this.sandbox.decideElsewhere(name, decision);
    return { name, decision };
  }
}
