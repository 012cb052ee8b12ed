import { inject, injectable } from '../ports/inject';
import type { Domain } from '../../domain/registration/domain';
import { formatDay } from '../../domain/shared/time/calendar';
import { DomainReader } from '../ports/registration/domain-repository';
import { RegistryRejected } from '../ports/registry/registry-errors';
import { Clock } from '../ports/system';
import { DomainSync } from './domain-sync';

/**
 * After a restored backup, an order may repeat one that the backup lacks together with its Idempotency-Key. Until such keys are
 * over, the registry is asked for a domain before an order for it is accepted.
 */
@injectable()
export class SyncAfterBackup {
  constructor(
    @inject(DomainSync) private readonly domainSync: Pick<DomainSync, 'syncNow'>,
    @inject(DomainReader) private readonly domains: Pick<DomainReader, 'find'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Returns the domain with the registry's data. @throws RegistryRejected, RegistryUnavailable */
  async refresh(domain: Domain): Promise<Domain> {
    if (!domain.mayRepeatOrder(this.clock.now())) return domain;
    await this.domainSync.syncNow(domain.toState());
    return (await this.domains.find(domain.accountId, domain.id)) ?? domain;
  }

  /** For a renewal that names no expiry to renew from. @throws RegistryRejected */
  assertNotRenewedSince(domain: Domain): void {
    if (!domain.wasExtendedSinceBackup(this.clock.now())) return;
    throw new RegistryRejected(
      'expiry_differs',
      `The domain was renewed after the backup that the database was restored from. To renew it again, send its current_expiry, ${formatDay(domain.expiresAt)}`,
    );
  }
}
