import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { Domain } from '../../domain/registration/domain';
import { DomainName } from '../../domain/registration/domain-name';
import { DomainUnavailable } from '../../domain/registration/errors';
import { Nameservers } from '../../domain/registration/nameservers';
import { Operation } from '../../domain/registration/operation';
import { assertRegistrant, type Registrant } from '../../domain/registration/registrant';
import { DEFAULT_YEARS, RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies } from '../../domain/registration/tld-policy';
import type { Money } from '../../domain/shared/money';
import { validateAll } from '../../domain/shared/validation-error';
import { domainChanged } from '../audit/domain-audit';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationRunner } from '../operations/operation-runner';
import { Clock, LifecycleClock } from '../ports/system/clock';
import { IdGenerator } from '../ports/system/id-generator';
import { AccountRegistries } from '../ports/registry/account-registries';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { assertAgreedPrice } from './assert-agreed';
import { RegistrationSettings } from './registration-settings';

export interface RegisterDomainCommand extends Requester {
  readonly name: string;
  readonly years?: number | undefined;
  readonly registrant: Registrant;
  readonly nameservers?: readonly string[] | undefined;
  readonly autoRenew?: boolean | undefined;
  /** The price of the whole term that the user agreed to; absent: any price. */
  readonly agreedPrice?: Money | undefined;
}

/** A validated registration with its price. */
export interface RegistrationOrder {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  readonly registrant: Registrant;
  readonly nameservers: Nameservers;
  readonly autoRenew: boolean;
  /** For the whole term. */
  readonly price: Money;
}

/**
 * Stores a pending domain, its zone and the operation in one transaction, then starts the operation.
 * @throws ValidationError, InvalidNameservers, DomainUnavailable, RegistryRejected if the price differs from the agreed one,
 *   RegistryUnavailable; then nothing is stored
 */
@injectable()
export class RegisterDomain {
  constructor(
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /** Validates and prices a registration without storing anything. @throws the errors of `execute` */
  async review(
    command: Omit<RegisterDomainCommand, Exclude<keyof Requester, 'accountId'>>,
  ): Promise<RegistrationOrder> {
    const { registrant, autoRenew = true } = command;
    const [name, term] = validateAll(
      () => DomainName.parse(command.name),
      () => RegistrationTerm.ofYears(command.years ?? DEFAULT_YEARS),
      () => assertRegistrant(registrant, 'contacts.registrant'),
    );
    const policy = this.policies.forName(name);
    if (!policy) throw new DomainUnavailable();
    term.within(policy.years, policy.suffix);
    const nameservers = Nameservers.of(command.nameservers ?? this.settings.defaultNameservers, policy);
    const price = await this.priceOf(command.accountId, name, term);
    return { name, term, registrant, nameservers, autoRenew, price };
  }

  async execute(command: RegisterDomainCommand): Promise<OperationOutcome> {
    const { accountId, actor, agreedPrice } = command;
    const { price, ...order } = await this.review(command);
    assertAgreedPrice(agreedPrice, price);
    const domain = Domain.request({ id: this.ids.next('dom'), accountId, ...order }, this.lifecycleClock.now());
    const request = { kind: 'register', years: order.term.years, price } as const;
    const operation = Operation.queue(
      { id: command.operationId ?? this.ids.next('op'), accountId, actor, domainId: domain.id, request },
      this.clock.now(),
    );
    const requested = domainChanged({
      at: this.clock.now(),
      actor,
      action: 'domain.requested',
      after: domain.toState(),
    });
    await this.unitOfWork.run(async ({ audit, domains, zones, operations }) => {
      await domains.add(domain);
      await zones.create(domain.id, { actor, at: this.clock.now() });
      await operations.add(operation);
      await audit.append(requested);
    }, accountId);
    this.runner.wake(domain.toState());
    return { domain, operation };
  }

  private async priceOf(accountId: string, name: DomainName, term: RegistrationTerm): Promise<Money> {
    const [offer] = await this.registry.forAccount(accountId).check([name], term);
    if (!offer?.available || !offer.price) throw new DomainUnavailable();
    return offer.price.registration;
  }
}
