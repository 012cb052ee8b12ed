import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { assertNoApprovalNeeded } from '../access/approvals/approval-needed';
import { requireOwned } from '../access/require-domain';
import { rolloverStarted } from '../audit/signing-audit';
import { UnitOfWork, type HookStore, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system';
import { assertSigningAllowed } from './assert-signing-allowed';
import type { SignedDomain } from './change-signing';
import { SigningRunner } from './steps/signing-runner';

/** Starts a key rollover of an active zone. @throws LimitedKey, DomainNotFound, DomainStatusConflict */
@injectable()
export class RollKey {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'zoneSignings' | HookStore>,
    @inject(SigningRunner) private readonly runner: Pick<SigningRunner, 'wake'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(
    { accountId, actor, domainId }: Requester & { readonly domainId: string },
    hook?: TransactionHook<SignedDomain>,
  ): Promise<SignedDomain> {
    const rolling = await this.unitOfWork.run(async (stores) => {
      const domain = requireOwned(await stores.domains.lock(accountId, domainId), { actor }, 'settings');
      assertSigningAllowed(domain);
      const { tags } = domain.toState();
      assertNoApprovalNeeded(actor, { kind: 'dnssec', tags }, () => ({ kind: 'key_rollover', domainId }));
      const signing = await stores.zoneSignings.lock(domainId);
      if (!signing?.rollOver(this.lifecycleClock.now()))
        throw new DomainStatusConflict(
          signing?.isRollingOver
            ? 'A key rollover is already in progress'
            : 'The key can be replaced when DNSSEC is active',
        );
      await stores.zoneSignings.save(signing);
      await stores.audit.append(rolloverStarted(domain, actor, this.clock.now()));
      await hook?.(stores, { domain, signing });
      return { domain, signing };
    }, accountId);
    this.runner.wake(domainId);
    return rolling;
  }
}
