import type { Actor } from '../../../domain/access/actor';
import { isOpen } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { userChanged } from '../../audit/access-audit';
import type { Stores } from '../../ports/storage/unit-of-work';

/** Revokes the set-up links for `user` and those that `user` issued. The account must be locked. */
export async function revokeLinks(
  { audit, setupLinks, users }: Pick<Stores, 'audit' | 'setupLinks' | 'users'>,
  { user, actor, at }: { user: User; actor: Actor; at: Date },
): Promise<void> {
  for (const link of await setupLinks.takeAllOf(user)) {
    const invited = await users.lock(link.userId);
    if (invited && isOpen(link, at))
      await audit.append(userChanged({ at, actor, action: 'user.link_revoked', user: invited.toState() }));
  }
}
