import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { UserNotFound } from '../../../domain/access/access-errors';
import { ValidationError } from '../../../domain/shared/validation-error';
import { keyChanged, userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import type { ApiKey } from '../../../domain/access/api-key';
import { assertOwnerRemains } from '../../../domain/access/people/user';
import { lockAsOwner } from './lock-as-owner';
import { revokeLinks } from './revoke-links';

/**
 * Takes a person out of the account: their sessions end at once, and the set-up links that they issued are revoked, as are,
 * with `revokeKeys`, the API keys that they created, also with keys of theirs. Returns the revoked keys. @throws UserNotFound; ValidationError for
 * oneself and for the last owner; RoleForbids for a person who is no longer an owner
 */
@injectable()
export class RemoveUser {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'apiKeys' | 'audit' | 'setupLinks' | 'users'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({
    accountId,
    actor,
    userId,
    revokeKeys,
  }: Requester & { userId: string; revokeKeys: boolean }): Promise<readonly ApiKey[]> {
    if (actor.kind === 'user' && actor.id === userId)
      throw ValidationError.of('user', 'must not be yourself: an account keeps an owner');
    return this.unitOfWork.run(async (stores) => {
      await lockAsOwner(stores, { accountId, actor });
      const { apiKeys, audit, users } = stores;
      const accountUsers = await users.lockAll(accountId);
      const user = accountUsers.find(({ id }) => id === userId);
      if (!user) throw new UserNotFound();
      assertOwnerRemains(accountUsers, user);
      const at = this.clock.now();
      await revokeLinks(stores, { user, actor, at });
      await users.remove(user);
      await audit.append(userChanged({ at, actor, action: 'user.removed', user: user.toState() }));
      const keys = revokeKeys ? await apiKeys.lockCreatedBy(accountId, { kind: 'user', id: userId }) : [];
      for (const key of keys) {
        key.revoke(at);
        await apiKeys.save(key);
        await audit.append(keyChanged({ at, actor, action: 'key.revoked', key: key.toState() }));
      }
      return keys;
    });
  }
}
