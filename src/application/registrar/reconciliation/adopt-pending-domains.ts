import { inject, injectable } from '../../ports/inject';
import { DomainName } from '../../../domain/shared/domain-name';
import { DomainReader } from '../../ports/registration/domain-repository';
import { RegistryRejected, RegistryUnavailable } from '../../ports/registry/registry-errors';
import { RegistryPort, type RegistryDomain } from '../../ports/registry/registry-port';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { LifecycleClock } from '../../ports/system';
import { retryQuery } from './retry-query';

const BATCH_SIZE = 200;

/**
 * Gives the registrations that are unfinished in a restored database the nameservers and the transfer lock that they have at the
 * registry. They may have been changed since the backup, and a registration that is found there would set those that were
 * ordered again. Changes nothing at a registry; skips names whose registry does not respond.
 */
@injectable()
export class AdoptPendingDomains {
  private isAnyAway = false;

  constructor(
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'livePage'>,
    @inject(RegistryPort) private readonly registry: Pick<RegistryPort, 'info'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'domains'>,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(): Promise<void> {
    let after: string | undefined;
    do {
      const page = await this.domains.livePage(BATCH_SIZE, after);
      for (const { id, name, status } of page)
        if (status === 'pending') await this.adopt(id, await this.find(DomainName.fromState(name)));
      after = page.length < BATCH_SIZE ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
  }

  /** Waits for a registry once, so that one that is away does not hold up the restore for each of its names. */
  private async find(name: DomainName): Promise<RegistryDomain | undefined> {
    try {
      const query = () => this.registry.info(name);
      return await (this.isAnyAway ? query() : retryQuery(query));
    } catch (error) {
      if (!(error instanceof RegistryUnavailable || error instanceof RegistryRejected)) throw error;
      this.isAnyAway ||= error instanceof RegistryUnavailable;
      return undefined;
    }
  }

  private async adopt(id: string, held: RegistryDomain | undefined): Promise<void> {
    if (!held?.sponsoredByUs || held.phase !== 'registered') return;
    await this.unitOfWork.run(async ({ domains }) => {
      const domain = await domains.lockAny(id);
      if (!domain) return;
      const now = this.lifecycleClock.now();
      if (held.nameservers.length > 0) domain.delegateTo(held.nameservers, now);
      domain.setTransferLock(held.transferLocked, now);
      await domains.save(domain);
    });
  }
}
