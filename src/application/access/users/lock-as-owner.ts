import type { Account } from '../../../domain/access/account';
import type { Requester } from '../../../domain/access/actor';
import { RoleForbids } from '../../../domain/access/access-errors';
import type { Stores } from '../../ports/storage/unit-of-work';

/**
 * Locks the account for a change to its people, links or keys. Undefined: no such account.
 * @throws RoleForbids if the requester is a person who is no longer an owner of the account
 */
export async function lockAsOwner(
  { accounts, users }: Pick<Stores, 'accounts' | 'users'>,
  { accountId, actor }: Requester,
): Promise<Account | undefined> {
  const account = await accounts.lock(accountId);
  if (!account || actor.kind !== 'user') return account;
  const user = await users.lock(actor.id);
  if (user?.toState().accountId !== accountId || !user.isOwner) throw new RoleForbids();
  return account;
}
