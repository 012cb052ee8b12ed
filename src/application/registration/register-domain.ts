import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { Domain } from '../../domain/registration/domain';
import { DomainUnavailable } from '../../domain/registration/registration-errors';
import { Operation } from '../../domain/registration/operations/operation';
import { knownTotal, type Money } from '../../domain/shared/money';
import { assertNoApprovalNeeded } from '../access/approvals/approval-needed';
import { reserveSpend } from '../access/api-keys/reserve-spend';
import { domainChanged } from '../audit/domain-audit';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationRunner } from '../operations/operation-runner';
import { Clock, LifecycleClock, IdGenerator } from '../ports/system';
import { UnitOfWork, type Stores } from '../ports/storage/unit-of-work';
import { addRegistration } from '../publishing/add-registration';
import { BindingQuotes, useQuote, type PriceLimit, type QuoteInUse } from '../operations/binding-quotes';
import { RegistrationOrders, type RegistrationOrder, type RequestedRegistration } from './registration-orders';

export interface RegisterDomainCommand extends Requester, RequestedRegistration {
  readonly limit?: PriceLimit | undefined;
  /** Of all that the same request orders, this name included: approval rules judge their total. Default: the price of the name. */
  readonly prices?: readonly Money[] | undefined;
}

type RegistrationStores = Pick<
  Stores,
  'apiKeys' | 'audit' | 'domains' | 'keySpending' | 'operations' | 'trustRules' | 'usedTokens' | 'zones'
>;

/** The ids of the domain, if the account does not host its zone, and of the operation. */
interface NewIds {
  readonly domainId: string;
  readonly operationId: string;
}

/**
 * Stores a pending domain, its zone and the operation in one transaction, then starts the operation. A zone that the account hosts
 * under the name becomes the domain's.
 * @throws LimitedKey, ValidationError, InvalidNameservers, DomainUnavailable, RegistryRejected if it costs more than the limit,
 *   RegistryUnavailable; then nothing is stored
 */
@injectable()
export class RegisterDomain {
  constructor(
    @inject(RegistrationOrders) private readonly orders: RegistrationOrders,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<keyof RegistrationStores>,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(BindingQuotes) private readonly quotes: BindingQuotes,
  ) {}

  async execute(command: RegisterDomainCommand): Promise<OperationOutcome> {
    const { accountId, limit = {} } = command;
    const years = command.years ?? this.quotes.termOf(accountId, 'register', limit);
    const order = await this.orders.review(command, { ...command, years });
    const { nameservers, registrant, autoRenew, idnLanguage } = command;
    const total = knownTotal(command.prices ?? [order.price]);
    assertNoApprovalNeeded(command.actor, { kind: 'purchases', tags: [], total }, () => ({
      kind: 'registration',
      name: order.name.value,
      years: order.term.years,
      price: order.price,
      registrant,
      autoRenew,
      nameservers,
      idnLanguage,
    }));
    const wanted = { kind: 'register', name: order.name.value, years: order.term.years, price: order.price } as const;
    const quote = this.quotes.accept(accountId, limit, wanted);
    const ids = { domainId: this.ids.next('dom'), operationId: command.operationId ?? this.ids.next('op') };
    const outcome = await this.unitOfWork.run(
      (stores) => this.within(stores, command, order, { ...ids, quote }),
      accountId,
    );
    this.wake(outcome.domain);
    return outcome;
  }

  wake(domain: Domain): void {
    this.runner.wake(domain.toState());
  }

  /** In a unit of work of the caller, who calls `wake` after the commit. @throws DomainUnavailable, LimitedKey */
  async within(
    stores: RegistrationStores,
    { accountId, actor }: Requester,
    { price, idnLanguage, ...order }: RegistrationOrder,
    { domainId: newId, operationId, quote }: NewIds & { readonly quote?: QuoteInUse | undefined },
  ): Promise<OperationOutcome> {
    const { audit, domains, operations } = stores;
    const language = idnLanguage === undefined ? {} : { idnLanguage };
    const request = { kind: 'register', years: order.term.years, price, ...language } as const;
    const by = { actor, at: this.clock.now() };
    const present = await domains.lockByName(order.name);
    if (present && !present.isHosted) throw new DomainUnavailable();
    const hosted = await domains.lockHosted(order.name, accountId);
    const id = hosted?.id ?? newId;
    const domain = Domain.request({ id, accountId, ...order }, this.lifecycleClock.now(), hosted);
    const operation = Operation.queue({ id: operationId, accountId, actor, domainId: id, request }, by.at);
    await useQuote(stores, quote);
    await reserveSpend(stores, { id: operationId, actor, price }, by.at);
    await addRegistration(stores, domain, { hosted, ...by, newId: () => this.ids.next('rec') });
    await operations.add(operation);
    await audit.append(
      domainChanged({ ...by, action: 'domain.requested', before: hosted?.toState(), after: domain.toState() }),
    );
    return { domain, operation };
  }
}
