import type { Account } from '../../domain/access/account';
import { RoleForbids } from '../../domain/access/errors';
import type { UserState } from '../../domain/access/user';

/** The signed-in user of a request, with account and session. */
export interface UserSession {
  readonly user: UserState;
  readonly account: Account;
  readonly accountId: string;
  readonly sessionDigest: string;
  /** When the user last entered the password in this session. */
  readonly authenticatedAt: Date | null;
}

/** Whether the user may unlock domains, get their auth codes and delete them. */
export function mayTransfer({ user, account }: UserSession): boolean {
  return user.role === 'owner' || account.membersMayTransfer;
}

/** @throws RoleForbids unless `mayTransfer` */
export function assertMayTransfer(userSession: UserSession): void {
  if (!mayTransfer(userSession)) throw new RoleForbids('An owner can allow it on the team page');
}
