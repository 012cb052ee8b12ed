import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { DomainName } from '../../domain/registration/domain-name';
import { DomainNotFound } from '../../domain/registration/errors';
import { DEFAULT_YEARS, RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies } from '../../domain/registration/tld-policy';
import { times } from '../../domain/shared/money';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { LifecycleClock, type Clock } from '../ports/clock';
import { DomainReader } from '../ports/domain-repository';
import { RegistryPort } from '../ports/registry-port';

/**
 * Extends a domain from its current expiry. The renewal quotes that expiry, so that repeating it cannot charge twice.
 * @throws ValidationError, DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class RenewDomain {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistryPort) private readonly registry: RegistryPort,
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(LifecycleClock) private readonly clock: Clock,
  ) {}

  async execute({ domainId, years = DEFAULT_YEARS, ...requester }: Requester & { domainId: string; years?: number | undefined }): Promise<OperationOutcome> {
    const found = await this.domains.find(requester.accountId, domainId);
    if (!found) throw new DomainNotFound();
    const term = RegistrationTerm.ofYears(years);
    found.assertAllows('renew');
    const name = DomainName.restore(found.toState().name);
    const policy = this.policies.forName(name);
    if (policy) term.within(policy);
    term.extend(found.expiresAt, this.clock.now());
    const price = times((await this.registry.price(name)).renewal, years);

    return this.operations.carryOut({
      ...requester,
      domainId,
      action: 'renew',
      request: (current) => {
        term.extend(current.expiresAt, this.clock.now());
        return { kind: 'renew', years, price };
      },
    });
  }
}
