import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { requireDomain } from '../access/require-domain';
import { UnitOfWork, type HookStore, type TransactionHook } from '../ports/storage/unit-of-work';
import { LifecycleClock } from '../ports/system';
import type { SignedDomain } from './change-signing';
import { SigningRunner } from './steps/signing-runner';

/** Starts a key rollover of an active zone. @throws LimitedKey, DomainNotFound, DomainStatusConflict */
@injectable()
export class RollKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'domains' | 'zoneSignings' | HookStore>,
    @inject(SigningRunner) private readonly runner: Pick<SigningRunner, 'wake'>,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(
    { accountId, actor, domainId }: Requester & { readonly domainId: string },
    hook?: TransactionHook<SignedDomain>,
  ): Promise<SignedDomain> {
    const rolling = await this.unitOfWork.run(async (stores) => {
      const domain = requireDomain(await stores.domains.lock(accountId, domainId), { actor }, 'settings');
      domain.assertAllows('change nameservers');
      const signing = await stores.zoneSignings.lock(domainId);
      if (!signing?.rollOver(this.lifecycleClock.now()))
        throw new DomainStatusConflict(
          signing?.isRollingOver
            ? 'A key rollover is already in progress'
            : 'The key can be replaced when DNSSEC is active',
        );
      await stores.zoneSignings.save(signing);
      await hook?.(stores, { domain, signing });
      return { domain, signing };
    }, accountId);
    this.runner.wake(domainId);
    return rolling;
  }
}
