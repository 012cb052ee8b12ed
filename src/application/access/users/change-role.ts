import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import { UserNotFound } from '../../../domain/access/errors';
import type { Role } from '../../../domain/access/people/role';
import { assertOwnerRemains, type User } from '../../../domain/access/people/user';
import { roleChanged } from '../../audit/access-audit';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system/clock';
import { lockAsOwner } from './lock-as-owner';
import { revokeLinks } from './revoke-links';

/**
 * Changes the role of a person of the account, from their next request on, and revokes the set-up links for them and by
 * them. The same role changes nothing. @throws UserNotFound, RoleForbids; ValidationError for the last owner
 */
@injectable()
export class ChangeRole {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, actor, userId, role }: Requester & { userId: string; role: Role }): Promise<User> {
    return this.unitOfWork.run(async (stores) => {
      await lockAsOwner(stores, { accountId, actor });
      const people = await stores.users.lockAll(accountId);
      const user = people.find(({ id }) => id === userId);
      if (!user) throw new UserNotFound();
      const before = user.toState().role;
      if (before === role) return user;
      assertOwnerRemains(people, user);
      const at = this.clock.now();
      user.changeRole(role, at);
      await stores.users.save(user);
      await stores.audit.append(roleChanged({ at, actor, user: user.toState(), before }));
      await revokeLinks(stores, { user, actor, at });
      return user;
    });
  }
}
