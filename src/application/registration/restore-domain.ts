import { inject, injectable } from '../ports/inject';
import type { Reader, Requester } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { OperationInProgress } from '../../domain/registration/registration-errors';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { plus, type Money } from '../../domain/shared/money';
import { requireDomain } from '../access/require-domain';
import { SyncAfterBackup } from '../lifecycle/sync-after-backup';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { LifecycleClock } from '../ports/system';
import { DomainReader } from '../ports/registration/domain-repository';
import { RegistryInconclusive } from '../ports/registry/registry-errors';
import { AccountRegistries } from '../ports/registry/registries';
import { BindingQuotes, type PriceLimit } from '../operations/binding-quotes';
import { assertSupported } from '../operations/assert-supported';

interface RestoreDomainCommand extends Requester {
  readonly domainId: string;
  readonly limit?: PriceLimit | undefined;
}

/** Restores a domain from redemption (RFC 3915). @throws DomainNotFound, DomainStatusConflict, OperationInProgress, RegistryRejected, RegistryUnavailable */
@injectable()
export class RestoreDomain {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(OperationQueue) private readonly operations: OperationQueue,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
    @inject(SyncAfterBackup) private readonly afterBackup: SyncAfterBackup,
    @inject(BindingQuotes) private readonly quotes: BindingQuotes,
  ) {}

  /** Prices a restore, plus a renewal for the shortest term if the domain has expired. Stores nothing. @throws the errors of `execute` */
  async review({ accountId, actor, domainId }: Reader & { domainId: string }): Promise<{
    readonly domain: Domain;
    readonly price: Money;
  }> {
    const known = requireDomain(await this.domains.find(accountId, domainId), { actor }, 'renew');
    const domain = await this.afterBackup.refresh(known);
    domain.assertAllows('restore');
    assertSupported(this.policies, domain.name, 'restore');
    const { name } = domain;
    const registry = this.registry.forAccount(accountId);
    const [quote, held] = await Promise.all([registry.price(name), registry.info(name)]);
    const { restore, renewal } = quote;
    if (!restore) throw new RegistryInconclusive(`The registry reports no price for a restore of ${name.value}`);
    const isOver = (held?.expiresAt ?? domain.expiresAt) <= this.clock.now();
    return { domain, price: isOver ? plus(restore, renewal) : restore };
  }

  async execute({ limit = {}, ...command }: RestoreDomainCommand): Promise<OperationOutcome> {
    const { domain, price } = await this.review(command);
    const order = { kind: 'restore', name: domain.name.value, price } as const;
    return this.operations.execute({
      ...command,
      quote: this.quotes.accept(command.accountId, limit, order),
      action: 'restore',
      request: (_domain, unfinished) => {
        const restore = unfinished.find(({ kind }) => kind === 'restore');
        // A second one would find the domain restored, and succeed without a charge.
        if (restore)
          throw new OperationInProgress(
            `A restore of the domain, ${restore.id}, is not finished. Follow it at /api/operations/${restore.id}`,
          );
        return { kind: 'restore', price };
      },
    });
  }
}
