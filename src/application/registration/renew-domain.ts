import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound } from '../../domain/registration/errors';
import { DEFAULT_YEARS, RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies } from '../../domain/registration/tld-policy';
import { sameDay } from '../../domain/shared/calendar';
import { times, type Money } from '../../domain/shared/money';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { LifecycleClock, type Clock } from '../ports/system/clock';
import { DomainReader } from '../ports/registration/domain-repository';
import { RegistryRejected } from '../ports/registry/registry-errors';
import { RegistryPort } from '../ports/registry/registry-port';
import { assertAgreed } from './assert-agreed';

export interface RenewDomainCommand extends Requester {
  readonly domainId: string;
  readonly years?: number | undefined;
  /** What the account was told: the price of the whole term, and the expiry that it extends; absent: whatever they are. */
  readonly agreed?: { readonly price: Money; readonly expiresAt: Date } | undefined;
}

/** A renewal as it was judged. */
export interface RenewalOrder {
  readonly domain: Domain;
  readonly years: number;
  /** For the whole term. */
  readonly price: Money;
  /** Afterwards. */
  readonly expiresAt: Date;
}

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

  /** What `execute` would charge, and until when: for people to look at before it is done. @throws as that does, and stores nothing */
  async review(command: Pick<RenewDomainCommand, 'accountId' | 'domainId' | 'years'>): Promise<RenewalOrder> {
    const { domain, term, price } = await this.judge(command);
    return { domain, years: term.years, price, expiresAt: term.extend(domain.expiresAt, this.clock.now()) };
  }

  async execute({ domainId, years, agreed, ...requester }: RenewDomainCommand): Promise<OperationOutcome> {
    const { term, price } = await this.judge({ accountId: requester.accountId, domainId, years });
    assertAgreed(agreed?.price, price);
    return this.operations.carryOut({
      ...requester,
      domainId,
      action: 'renew',
      request: (current) => {
        if (agreed && !sameDay(agreed.expiresAt, current.expiresAt)) throw new RegistryRejected('expiry_differs', 'The expiry has changed since it was shown: it was renewed already');
        term.extend(current.expiresAt, this.clock.now());
        return { kind: 'renew', years: term.years, price };
      },
    });
  }

  private async judge({ accountId, domainId, years = DEFAULT_YEARS }: Pick<RenewDomainCommand, 'accountId' | 'domainId' | 'years'>) {
    const domain = await this.domains.find(accountId, domainId);
    if (!domain) throw new DomainNotFound();
    const term = RegistrationTerm.ofYears(years);
    domain.assertAllows('renew');
    const { name } = domain;
    const policy = this.policies.forName(name);
    if (policy) term.within(policy);
    term.extend(domain.expiresAt, this.clock.now());
    return { domain, term, price: times((await this.registry.price(name)).renewal, term.years) };
  }
}
