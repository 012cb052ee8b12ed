import type { Invitation, InviteUser } from '../application/access/invite-user';
import type { IssueSetupLink } from '../application/access/issue-setup-link';
import type { RemoveUser } from '../application/access/remove-user';
import type { AccountReader } from '../application/ports/access/access-repositories';
import type { UserReader } from '../application/ports/access/user-repository';
import { OPERATOR } from '../domain/access/actor';
import { isRole, ROLES, type Role } from '../domain/access/role';
import type { User } from '../domain/access/user';
import { ValidationError } from '../domain/shared/validation-error';
import { table, type Answer, type CommandSpec } from './command-spec';
import { UsageError } from './usage-error';

export const USER_USAGE = `  user create --account ID --email E [--role owner|member]
                                        invites a person to the dashboard (an owner by default) and prints
                                        the link by which they set their password: it works once, for three days
  user link --account ID --email E      prints a new set-up link for somebody who lost theirs, or the password
  user list --account ID                role, state, creation and e-mail of each person of the account
  user remove --account ID --email E    removes a person, who is signed out at once; the last owner stays`;

/** What the commands about people ask for. */
export interface UserServices {
  readonly accounts: Pick<AccountReader, 'find'>;
  readonly users: Pick<UserReader, 'findByEmail' | 'ofAccount'>;
  readonly inviteUser: Pick<InviteUser, 'execute'>;
  readonly issueSetupLink: Pick<IssueSetupLink, 'execute'>;
  readonly removeUser: Pick<RemoveUser, 'execute'>;
  /** Where the dashboard is, without a slash at the end. */
  readonly dashboardUrl: string;
}

const SOMEBODY = { required: ['account', 'email'], optional: [] } as const;

export const USER_COMMANDS: Readonly<Record<string, CommandSpec<UserServices>>> = {
  'user create': {
    required: ['account', 'email'],
    optional: ['role'],
    prepare: ({ account: accountId = '', email = '', role: roleText = 'owner' }) => {
      const role = parseRole(roleText);
      return async ({ inviteUser, dashboardUrl }) => presentInvitation(await inviteUser.execute({ accountId, actor: OPERATOR, email, role }), dashboardUrl);
    },
  },
  'user link': {
    ...SOMEBODY,
    prepare: ({ account: accountId = '', email = '' }) => async ({ users, issueSetupLink, dashboardUrl }) => {
      const { id: userId } = await somebody(users, accountId, email);
      return presentInvitation(await issueSetupLink.execute({ accountId, actor: OPERATOR, userId }), dashboardUrl);
    },
  },
  'user list': {
    required: ['account'],
    optional: [],
    prepare: ({ account = '' }) => async ({ accounts, users }) => {
      if (!(await accounts.find(account))) throw ValidationError.of('account', 'is not known');
      const people = (await users.ofAccount(account)).map(presentUser);
      return { json: people, text: table(people.map(({ role, state, created_at, email }) => [role, state, created_at, email])) };
    },
  },
  'user remove': {
    ...SOMEBODY,
    prepare: ({ account: accountId = '', email = '' }) => async ({ users, removeUser }) => {
      const user = await somebody(users, accountId, email);
      await removeUser.execute({ accountId, actor: OPERATOR, userId: user.id });
      return { json: { id: user.id, email: user.email, removed: true }, text: `${user.email} is removed` };
    },
  },
};

/** @throws ValidationError where nobody in the account has that e-mail */
async function somebody(users: UserServices['users'], accountId: string, email: string): Promise<User> {
  const user = await users.findByEmail(email.trim().toLowerCase());
  if (user?.toState().accountId !== accountId) throw ValidationError.of('email', 'belongs to nobody in the account');
  return user;
}

function parseRole(text: string): Role {
  if (!isRole(text)) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  return text;
}

function presentInvitation({ user, token, link }: Invitation, dashboardUrl: string): Answer {
  const { id, accountId, email, role } = user.toState();
  const url = `${dashboardUrl}/set-up?token=${token}`;
  return { json: { id, account_id: accountId, email, role, setup_url: url, expires_at: link.expiresAt.toISOString() }, text: url };
}

/** Somebody who was invited has no password yet. */
function presentUser(user: User) {
  const { id, accountId, email, role, passwordHash, createdAt } = user.toState();
  return { id, account_id: accountId, email, role, state: passwordHash === null ? 'invited' : 'active', created_at: createdAt.toISOString() };
}
