import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { addedYears, hasAddedYear } from '../../domain/registration/added-year';
import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound } from '../../domain/registration/errors';
import { DEFAULT_YEARS, RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies, type YearRange } from '../../domain/registration/tld-policy';
import { sameDay } from '../../domain/shared/calendar';
import type { Money } from '../../domain/shared/money';
import { ValidationError } from '../../domain/shared/validation-error';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { renewalPrice } from '../operations/renewal-price';
import { LifecycleClock, type Clock } from '../ports/system/clock';
import { DomainReader } from '../ports/registration/domain-repository';
import { RegistryRejected } from '../ports/registry/registry-errors';
import { AccountRegistries } from '../ports/registry/account-registries';
import { assertAgreed } from './assert-agreed';

export interface RenewDomainCommand extends Requester {
  readonly domainId: string;
  readonly years?: number | undefined;
  /** What the account was told: the price of the whole term, and the expiry that it extends; absent: whatever they are. */
  readonly agreed?: { readonly price: Money; readonly expiresAt: Date } | undefined;
}

/** A term for which a domain can be renewed now. */
export interface RenewalChoice {
  readonly years: number;
  /** For the whole term. */
  readonly price: Money;
  /** Afterwards. */
  readonly expiresAt: Date;
}

/** A renewal as it was judged. */
export interface RenewalOrder extends RenewalChoice {
  readonly domain: Domain;
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
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(LifecycleClock) private readonly clock: Clock,
  ) {}

  /** What `execute` would charge, and until when: for people to look at before it is done. @throws as that does, and stores nothing */
  async review(command: Pick<RenewDomainCommand, 'accountId' | 'domainId' | 'years'>): Promise<RenewalOrder> {
    const { domain, term, price } = await this.judge(command);
    return { domain, years: term.years, price, expiresAt: term.extend(domain.expiresAt, this.clock.now()) };
  }

  /** Every term for which the domain can be renewed now, the shortest first, with its price. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
  async choices({
    accountId,
    domainId,
  }: Pick<RenewDomainCommand, 'accountId' | 'domainId'>): Promise<readonly RenewalChoice[]> {
    const domain = await this.find(accountId, domainId);
    const { years } = this.soldFor(domain);
    const added = await this.addedTo(domain);
    const possible = RegistrationTerm.all(years).filter(
      (term) => isOrderable(term, years, added) && term.isPossible(domain.expiresAt, this.clock.now()),
    );
    return Promise.all(
      possible.map(async (term) => ({
        years: term.years,
        price: await this.priceOf(domain, term, added),
        expiresAt: term.extend(domain.expiresAt, this.clock.now()),
      })),
    );
  }

  async execute({ domainId, years, agreed, ...requester }: RenewDomainCommand): Promise<OperationOutcome> {
    const { term, price } = await this.judge({ accountId: requester.accountId, domainId, years });
    assertAgreed(agreed?.price, price);
    return this.operations.carryOut({
      ...requester,
      domainId,
      action: 'renew',
      request: (current) => {
        if (agreed && !sameDay(agreed.expiresAt, current.expiresAt))
          throw new RegistryRejected(
            'expiry_differs',
            'The expiry has changed since it was shown: it was renewed already',
          );
        term.extend(current.expiresAt, this.clock.now());
        return { kind: 'renew', years: term.years, price };
      },
    });
  }

  private async judge({
    accountId,
    domainId,
    years = DEFAULT_YEARS,
  }: Pick<RenewDomainCommand, 'accountId' | 'domainId' | 'years'>) {
    const domain = await this.find(accountId, domainId);
    const { suffix, years: sold } = this.soldFor(domain);
    const term = RegistrationTerm.ofYears(years).within(sold, suffix);
    term.extend(domain.expiresAt, this.clock.now());
    const added = await this.addedTo(domain);
    if (!isOrderable(term, sold, added))
      throw ValidationError.of(
        'years',
        `must be ${termsOnTop(sold, added)} for .${suffix}: the registry has added ${added?.years} already and sells no other terms on top of them`,
      );
    return { domain, term, price: await this.priceOf(domain, term, added) };
  }

  /** @throws DomainNotFound, DomainStatusConflict */
  private async find(accountId: string, domainId: string): Promise<Domain> {
    const domain = await this.domains.find(accountId, domainId);
    if (!domain) throw new DomainNotFound();
    domain.assertAllows('renew');
    return domain;
  }

  private soldFor({ name }: Domain): { readonly suffix: string; readonly years: YearRange } {
    const policy = this.policies.forName(name);
    return { suffix: name.parent, years: policy?.renewalYears ?? { min: 1, max: 10 } };
  }

  /** The term that the registry has added by itself since the domain expired: the first part of the renewal. */
  private async addedTo(domain: Domain): Promise<RegistrationTerm | undefined> {
    const { accountId, name, expiresAt } = { ...domain.toState(), name: domain.name };
    const now = this.clock.now();
    const held = expiresAt <= now ? await this.registry.forAccount(accountId).info(name) : undefined;
    return held && hasAddedYear(held, expiresAt, now) ? RegistrationTerm.ofYears(addedYears(held)) : undefined;
  }

  private async priceOf(domain: Domain, term: RegistrationTerm, added: RegistrationTerm | undefined): Promise<Money> {
    return renewalPrice(this.registry.forAccount(domain.toState().accountId), domain.name, {
      term,
      parts: added && { added, rest: term.without(added) },
    });
  }
}

/** Whether it can be ordered: what the registry has added already cannot be, only what comes on top of it. */
function isOrderable(term: RegistrationTerm, sold: YearRange, added: RegistrationTerm | undefined): boolean {
  const rest = added ? term.without(added) : term;
  return rest === undefined || rest.isWithin(sold);
}

function termsOnTop(sold: YearRange, added: RegistrationTerm | undefined): string {
  return RegistrationTerm.all(sold)
    .filter((term) => isOrderable(term, sold, added))
    .map(({ years }) => years)
    .join(', ');
}
