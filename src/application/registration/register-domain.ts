import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { Domain } from '../../domain/registration/domain';
import { Operation } from '../../domain/registration/operation';
import type { Money } from '../../domain/shared/money';
import { reserveSpend } from '../access/api-keys/reserve-spend';
import { domainChanged } from '../audit/domain-audit';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationRunner } from '../operations/operation-runner';
import { Clock, LifecycleClock, IdGenerator } from '../ports/system';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { assertAgreedPrice } from './assert-agreed';
import { RegistrationOrders, type RequestedRegistration } from './registration-orders';

export interface RegisterDomainCommand extends Requester, RequestedRegistration {
  /** The price of the whole term that the user agreed to; absent: any price. */
  readonly agreedPrice?: Money | undefined;
}

/**
 * Stores a pending domain, its zone and the operation in one transaction, then starts the operation.
 * @throws LimitedKey, ValidationError, InvalidNameservers, DomainUnavailable, RegistryRejected if the price differs from the agreed one,
 *   RegistryUnavailable; then nothing is stored
 */
@injectable()
export class RegisterDomain {
  constructor(
    @inject(RegistrationOrders) private readonly orders: RegistrationOrders,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'apiKeys' | 'audit' | 'domains' | 'keySpending' | 'operations' | 'zones'>,
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(command: RegisterDomainCommand): Promise<OperationOutcome> {
    const { accountId, actor, agreedPrice } = command;
    const { price, idnLanguage, ...order } = await this.orders.review(command, command);
    assertAgreedPrice(agreedPrice, price);
    const domain = Domain.request({ id: this.ids.next('dom'), accountId, ...order }, this.lifecycleClock.now());
    const language = idnLanguage === undefined ? {} : { idnLanguage };
    const request = { kind: 'register', years: order.term.years, price, ...language } as const;
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
    await this.unitOfWork.run(async (stores) => {
      const { audit, domains, zones, operations } = stores;
      await reserveSpend(stores, { id: operation.id, actor, price }, this.clock.now());
      await domains.add(domain);
      await zones.create(domain.id, { actor, at: this.clock.now() });
      await operations.add(operation);
      await audit.append(requested);
    }, accountId);
    this.runner.wake(domain.toState());
    return { domain, operation };
  }
}
