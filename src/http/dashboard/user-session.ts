import type { Account } from '../../domain/access/account';
import type { KeyAction } from '../../domain/access/key-limits';
import { assertMayLetGo, mayDo } from '../../domain/access/key-permissions';
import { mayReleaseDomains } from '../../domain/access/people/role';
import { actorOfUser, type UserState } from '../../domain/access/people/user';

/** The signed-in user of a request, with account and session. */
export interface UserSession {
  readonly user: UserState;
  readonly account: Account;
  readonly accountId: string;
  /** The person's other accounts. */
  readonly otherAccounts: readonly Account[];
  /** In which pages show times; UTC unless the person chose another. */
  readonly timeZone: string;
  readonly sessionDigest: string;
  /** When the user last proved who they are in this session: by password, passkey or provider. */
  readonly authenticatedAt: Date | null;
  /** Whether the user has used a second factor in this session. */
  readonly hasUsedSecondFactor: boolean;
}

/** Whether the role of the user allows the action. */
export function allows({ user, account }: UserSession, action: KeyAction): boolean {
  return mayDo(actorOfUser(user, account), action);
}

/** Whether the role of the user is for all domains of the account, not only for those with some tags. */
export function hasEveryDomain({ user }: UserSession): boolean {
  return user.tags === null;
}

/** Whether the user may unlock domains, get their auth codes and delete them. */
export function mayTransfer({ user, account }: UserSession): boolean {
  return mayReleaseDomains(user, account);
}

/** @throws RoleForbids unless `mayTransfer` */
export function assertMayTransfer({ user, account }: UserSession): void {
  assertMayLetGo(actorOfUser(user, account));
}
