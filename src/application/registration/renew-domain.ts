import { inject, injectable } from '../ports/inject';
import type { Reader, Requester } from '../../domain/access/actor';
import { addedYears, hasAddedYear } from '../../domain/registration/added-year';
import type { Domain } from '../../domain/registration/domain';
import { OperationInProgress } from '../../domain/registration/registration-errors';
import { DEFAULT_YEARS, RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies, type YearRange } from '../../domain/registration/names/tld-policy';
import { formatDay, sameDay } from '../../domain/shared/time/calendar';
import type { Money } from '../../domain/shared/money';
import { ValidationError } from '../../domain/shared/validation-error';
import { requireDomain } from '../access/require-domain';
import { SyncAfterBackup } from '../lifecycle/sync-after-backup';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { renewalPrice } from '../operations/commands/renewal-price';
import { LifecycleClock } from '../ports/system';
import { DomainReader } from '../ports/registration/domain-repository';
import { RegistryRejected } from '../ports/registry/registry-errors';
import { AccountRegistries } from '../ports/registry/registries';
import { BindingQuotes, type PriceLimit } from '../operations/binding-quotes';
import { assertSupported } from '../operations/assert-supported';

interface RenewalRequest extends Reader {
  readonly domainId: string;
  readonly years?: number | undefined;
}

interface RenewDomainCommand extends Requester, RenewalRequest {
  readonly limit?: PriceLimit | undefined;
  /** The expiry that the user renews from, by its day in UTC; absent: any. */
  readonly currentExpiry?: Date | undefined;
}

/** An available renewal term. */
export interface RenewalChoice {
  readonly years: number;
  /** For the whole term. */
  readonly price: Money;
  /** After the renewal. */
  readonly expiresAt: Date;
}

/** A validated renewal with its price. */
interface RenewalOrder extends RenewalChoice {
  readonly domain: Domain;
}

/**
 * Renews a domain from its current expiry. The command contains that expiry, so that a repetition is not charged twice.
 * @throws ValidationError, DomainNotFound, DomainStatusConflict, OperationInProgress, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class RenewDomain {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
    @inject(SyncAfterBackup) private readonly afterBackup: SyncAfterBackup,
    @inject(BindingQuotes) private readonly quotes: BindingQuotes,
  ) {}

  /** Validates and prices a renewal without storing anything. @throws the errors of `execute` */
  async review(command: RenewalRequest): Promise<RenewalOrder> {
    const { domain, term, price } = await this.validate(command);
    return { domain, years: term.years, price, expiresAt: term.extend(domain.expiresAt, this.clock.now()) };
  }

  /** All available renewal terms with prices, shortest first. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
  async choices(command: Reader & { domainId: string }): Promise<readonly RenewalChoice[]> {
    const domain = await this.find(command);
    const { years } = this.soldFor(domain);
    const added = await this.addedTo(domain);
    const possible = RegistrationTerm.all(years).filter(
      (term) => isOrderable(term, years, added) && term.isPossible(domain.expiresAt, this.clock.now()),
    );
    return Promise.all(
      possible.map(async (term) => ({
        years: term.years,
        price: await this.quotePrice(domain, term, added),
        expiresAt: term.extend(domain.expiresAt, this.clock.now()),
      })),
    );
  }

  async execute({
    domainId,
    years,
    limit = {},
    currentExpiry,
    ...requester
  }: RenewDomainCommand): Promise<OperationOutcome> {
    const { accountId } = requester;
    const wanted = years ?? this.quotes.termOf(accountId, 'renew', limit);
    const { domain, term, price } = await this.validate({ ...requester, domainId, years: wanted });
    this.assertCurrent(domain, currentExpiry);
    const order = { kind: 'renew', name: domain.name.value, years: term.years, price } as const;
    return this.operations.execute({
      ...requester,
      domainId,
      action: 'renew',
      quote: this.quotes.accept(accountId, limit, order),
      request: (current, unfinished) => {
        const renewal = currentExpiry && unfinished.find(({ kind }) => kind === 'renew');
        if (renewal)
          throw new OperationInProgress(
            `A renewal of the domain, ${renewal.id}, is not finished. Follow it at /api/operations/${renewal.id}`,
          );
        this.assertCurrent(current, currentExpiry);
        term.extend(current.expiresAt, this.clock.now());
        return { kind: 'renew', years: term.years, price };
      },
    });
  }

  /** @throws RegistryRejected for another expiry than the user knows */
  private assertCurrent(domain: Domain, currentExpiry: Date | undefined): void {
    if (!currentExpiry) this.afterBackup.assertNotRenewedSince(domain);
    else if (!sameDay(currentExpiry, domain.expiresAt))
      throw new RegistryRejected(
        'expiry_differs',
        `The current expiry is ${formatDay(domain.expiresAt)}, not ${formatDay(currentExpiry)}: the domain may already be renewed`,
      );
  }

  private async validate({ years = DEFAULT_YEARS, ...command }: RenewalRequest) {
    const domain = await this.find(command);
    const { suffix, years: sold } = this.soldFor(domain);
    const term = RegistrationTerm.ofYears(years).assertWithin(sold, suffix);
    term.extend(domain.expiresAt, this.clock.now());
    const added = await this.addedTo(domain);
    if (!isOrderable(term, sold, added))
      throw ValidationError.of(
        'years',
        `must be ${orderableTerms(sold, added)} for .${suffix}: the registry has already added ${added?.years} and offers no other terms in addition`,
      );
    return { domain, term, price: await this.quotePrice(domain, term, added) };
  }

  /** @throws LimitedKey, DomainNotFound, DomainStatusConflict */
  private async find({ accountId, actor, domainId }: RenewalRequest): Promise<Domain> {
    const known = requireDomain(await this.domains.find(accountId, domainId), { actor }, 'renew');
    const domain = await this.afterBackup.refresh(known);
    domain.assertAllows('renew');
    assertSupported(this.policies, domain.name, 'renewal');
    return domain;
  }

  private soldFor({ name }: Domain): { readonly suffix: string; readonly years: YearRange } {
    const policy = this.policies.forName(name);
    return { suffix: name.parent, years: policy?.renewalYears ?? { min: 1, max: 10 } };
  }

  /** The term that the registry added automatically at expiry: the first part of the renewal. */
  private async addedTo(domain: Domain): Promise<RegistrationTerm | undefined> {
    const { accountId, name, expiresAt } = { ...domain.toState(), name: domain.name };
    const now = this.clock.now();
    const held = expiresAt <= now ? await this.registry.forAccount(accountId).info(name) : undefined;
    return held && hasAddedYear(held, expiresAt, now) ? RegistrationTerm.ofYears(addedYears(held)) : undefined;
  }

  private async quotePrice(
    domain: Domain,
    term: RegistrationTerm,
    added: RegistrationTerm | undefined,
  ): Promise<Money> {
    return renewalPrice(this.registry.forAccount(domain.toState().accountId), domain.name, {
      term,
      parts: added && { added, rest: term.without(added) },
    });
  }
}

/** Whether the part of `term` that the registry has not added yet can be ordered. */
function isOrderable(term: RegistrationTerm, sold: YearRange, added: RegistrationTerm | undefined): boolean {
  const rest = added ? term.without(added) : term;
  return rest === undefined || rest.isWithin(sold);
}

function orderableTerms(sold: YearRange, added: RegistrationTerm | undefined): string {
  return RegistrationTerm.all(sold)
    .filter((term) => isOrderable(term, sold, added))
    .map(({ years }) => years)
    .join(', ');
}
