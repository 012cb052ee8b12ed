import { UserNotFound } from '../../../domain/access/access-errors';
import type { User } from '../../../domain/access/people/user';
import type { Stores } from '../../ports/storage/unit-of-work';

/** Locks the user and the other users of the person, who has their factors and identities in common. @throws UserNotFound */
export async function lockPersonOf({ users }: Pick<Stores, 'users'>, userId: string): Promise<User> {
  const user = await users.lock(userId);
  if (!user) throw new UserNotFound();
  await users.lockPerson(user.toState().personId);
  return user;
}
