import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { SetupLinkNotFound, UserNotFound } from '../../../domain/access/access-errors';
import { userChanged } from '../../audit/access-audit';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { lockAsOwner } from './lock-as-owner';

/** Revokes the open set-up link for a person of the account. @throws UserNotFound, SetupLinkNotFound, RoleForbids */
@injectable()
export class RevokeSetupLink {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'setupLinks' | 'users'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, actor, userId }: Requester & { userId: string }): Promise<void> {
    await this.unitOfWork.run(async (stores) => {
      await lockAsOwner(stores, { accountId, actor });
      const user = await stores.users.lock(userId);
      if (user?.toState().accountId !== accountId) throw new UserNotFound();
      if (!(await stores.setupLinks.takeFor(userId))) throw new SetupLinkNotFound();
      await stores.audit.append(
        userChanged({ at: this.clock.now(), actor, action: 'user.link_revoked', user: user.toState() }),
      );
    });
  }
}
