import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { DomainNotFound } from '../../domain/registration/errors';
import { plus, type Money } from '../../domain/shared/money';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { LifecycleClock, type Clock } from '../ports/system/clock';
import { DomainReader } from '../ports/registration/domain-repository';
import { AccountRegistries } from '../ports/registry/account-registries';
import { assertAgreed } from './assert-agreed';

export interface RestoreDomainCommand extends Requester {
  readonly domainId: string;
  /** What the account was told that it costs; absent: whatever it does. */
  readonly agreed?: Money | undefined;
}

/** Brings a domain back from redemption. @throws DomainNotFound, DomainStatusConflict, RegistryRejected, RegistryUnavailable */
@injectable()
export class RestoreDomain {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(LifecycleClock) private readonly clock: Clock,
  ) {}

  /** What `execute` would charge: the restore, and a renewal for the shortest term where the term has ended. @throws as that does, and stores nothing */
  async review({ accountId, domainId }: Pick<RestoreDomainCommand, 'accountId' | 'domainId'>): Promise<{
    readonly domain: Domain;
    readonly price: Money;
  }> {
    const domain = await this.domains.find(accountId, domainId);
    if (!domain) throw new DomainNotFound();
    domain.assertAllows('restore');
    const { name } = domain;
    const registry = this.registry.forAccount(accountId);
    const [quote, held] = await Promise.all([registry.price(name), registry.info(name)]);
    const isOver = (held?.expiresAt ?? domain.expiresAt) <= this.clock.now();
    return { domain, price: isOver ? plus(quote.restore, quote.renewal) : quote.restore };
  }

  async execute({ agreed, ...command }: RestoreDomainCommand): Promise<OperationOutcome> {
    const { price } = await this.review(command);
    assertAgreed(agreed, price);
    return this.operations.carryOut({ ...command, action: 'restore', request: () => ({ kind: 'restore', price }) });
  }
}
