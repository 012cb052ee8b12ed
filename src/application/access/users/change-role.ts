import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { UserNotFound } from '../../../domain/access/access-errors';
import { parseUserRights, type Role } from '../../../domain/access/people/role';
import { assertOwnerRemains, type User } from '../../../domain/access/people/user';
import { roleChanged } from '../../audit/access-audit';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { lockAsOwner } from './lock-as-owner';
import { revokeLinks } from './revoke-links';

/**
 * Changes the role of a person of the account, and the tags that it is for, from their next request on, and revokes the set-up links for them and by
 * them. The same changes nothing. @throws UserNotFound, RoleForbids; ValidationError for the last owner and for invalid tags
 */
@injectable()
export class ChangeRole {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'setupLinks' | 'users'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param tags those of the domains that the role is for, none for all domains; undefined: unchanged, except that an owner has all */
  async execute({
    accountId,
    actor,
    userId,
    role,
    tags,
  }: Requester & { userId: string; role: Role; tags?: readonly string[] | undefined }): Promise<User> {
    return this.unitOfWork.run(async (stores) => {
      await lockAsOwner(stores, { accountId, actor });
      const accountUsers = await stores.users.lockAll(accountId);
      const user = accountUsers.find(({ id }) => id === userId);
      if (!user) throw new UserNotFound();
      const before = user.toState();
      const rights = parseUserRights(role, tags ?? (role === 'owner' ? null : before.tags));
      if (role === before.role && rights.tags?.join() === before.tags?.join()) return user;
      assertOwnerRemains(accountUsers, user);
      const at = this.clock.now();
      user.changeRights(rights, at);
      await stores.users.save(user);
      await stores.audit.append(roleChanged({ at, actor, user: user.toState(), before }));
      await revokeLinks(stores, { user, actor, at });
      return user;
    });
  }
}
