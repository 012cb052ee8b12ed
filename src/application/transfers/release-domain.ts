import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertMayLetGo } from '../../domain/access/key-permissions';
import type { DomainState } from '../../domain/registration/domain';
import { DomainName } from '../../domain/shared/domain-name';
import { assertAllowed, isHosted } from '../../domain/registration/domain-status';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { ValidationError } from '../../domain/shared/validation-error';
import { LeavingWarnings } from '../ports/dns/hosted-names';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { RegistryRejected } from '../ports/registry/registry-errors';

/** An EPP client id has 3 to 16 characters (RFC 5730, clIDType), a tag of Nominet also two. */
const REGISTRAR_TAG = /^[A-Za-z0-9][A-Za-z0-9_-]{1,15}$/;

/** Sentences without a period, in the order in which to act. */
export interface ReleaseWarnings {
  readonly dnssec: readonly string[];
  readonly nameservers: readonly string[];
}

const ACTION = 'release to another registrar';

/**
 * Moves a domain to another registrar at registries where the losing registrar does that.
 * @throws ValidationError, RoleForbids, DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class ReleaseDomain {
  constructor(
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(LeavingWarnings) private readonly leaving: Pick<LeavingWarnings, 'ofTransfer' | 'ofNameserversLeft'>,
  ) {}

  async execute({
    registrarTag,
    ...command
  }: Requester & {
    readonly domainId: string;
    readonly registrarTag: string;
    readonly keepZone?: boolean | undefined;
  }): Promise<OperationOutcome> {
    assertMayLetGo(command.actor);
    if (!REGISTRAR_TAG.test(registrarTag))
      throw ValidationError.of('registrar_tag', 'must be 2 to 16 letters, digits, hyphens and underscores');
    const outcome = await this.operations.execute({
      ...command,
      action: ACTION,
      request: ({ name }) => {
        this.assertReleases(name);
        return { kind: 'release', registrarTag };
      },
    });
    const { dnssec, nameservers } = await this.warningsOf(outcome.domain.toState());
    const warnings = [...dnssec, ...nameservers];
    return {
      ...outcome,
      warnings: outcome.domain.hasLeft ? warnings : [...PENDING, ...warnings],
    };
  }

  /** The warnings before a release. @throws DomainStatusConflict, RegistryRejected if it is not possible */
  async review(domain: DomainState): Promise<ReleaseWarnings> {
    assertAllowed(domain.status, ACTION);
    this.assertReleases(DomainName.fromState(domain.name));
    return this.warningsOf(domain);
  }

  /** A zone that stays is served and signed as before. */
  private async warningsOf({ id, status, nameservers, keptZone }: DomainState): Promise<ReleaseWarnings> {
    if (keptZone || isHosted(status)) return { dnssec: [], nameservers: [] };
    return { dnssec: await this.leaving.ofTransfer(id), nameservers: this.leaving.ofNameserversLeft(nameservers) };
  }

  /** @throws RegistryRejected */
  private assertReleases(name: DomainName): void {
    if (this.policies.forName(name)?.releases) return;
    throw new RegistryRejected(
      'unsupported',
      `The registry for .${name.parent} does not release names to another registrar. Transfer the domain with an auth code`,
    );
  }
}

const PENDING = [
  'The registry accepted the release. The domain stays in this account until the other registrar accepts it',
];
