import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { assertMayLetGo } from '../../domain/access/key-permissions';
import { TldPolicies } from '../../domain/registration/tld-policy';
import { ValidationError } from '../../domain/shared/validation-error';
import { LeavingWarnings } from '../dns/dnssec/leaving-warnings';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { RegistryRejected } from '../ports/registry/registry-errors';

/** An EPP client id has 3 to 16 characters (RFC 5730, clIDType), a tag of Nominet also two. */
const REGISTRAR_TAG = /^[A-Za-z0-9][A-Za-z0-9_-]{1,15}$/;

/**
 * Moves a domain to another registrar at registries where the losing registrar does that.
 * @throws ValidationError, RoleForbids, DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class ReleaseDomain {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(LeavingWarnings) private readonly leaving: Pick<LeavingWarnings, 'ofTransfer'>,
  ) {}

  async execute({
    registrarTag,
    ...command
  }: Requester & { readonly domainId: string; readonly registrarTag: string }): Promise<OperationOutcome> {
    assertMayLetGo(command.actor);
    if (!REGISTRAR_TAG.test(registrarTag))
      throw ValidationError.of('registrar_tag', 'must be 2 to 16 letters, digits, hyphens and underscores');
    const outcome = await this.operations.execute({
      ...command,
      action: 'release to another registrar',
      request: ({ name }) => {
        if (!this.policies.forName(name)?.releases)
          throw new RegistryRejected(
            'unsupported',
            `The registry for .${name.parent} does not release names to another registrar. Transfer the domain with an auth code`,
          );
        return { kind: 'release', registrarTag };
      },
    });
    const warnings = await this.leaving.ofTransfer(command.domainId);
    return {
      ...outcome,
      warnings: outcome.domain.status === 'transferred_out' ? warnings : [...PENDING, ...warnings],
    };
  }
}

const PENDING = [
  'The registry accepted the release. The domain stays in this account until the other registrar accepts it',
];
