import type { Invitation, InviteUser } from '../../application/access/users/invite-user';
import type { IssueSetupLink } from '../../application/access/users/issue-setup-link';
import type { ReadTeam, Team } from '../../application/access/users/read-team';
import type { ChangeRole } from '../../application/access/users/change-role';
import type { RevokeSetupLink } from '../../application/access/users/revoke-setup-link';
import type { RemoveFactors } from '../../application/access/second-factor/remove-factors';
import type { RemoveUser } from '../../application/access/users/remove-user';
import { describeUnused, type CountGrantedDomains } from '../../application/portfolio/count-granted-domains';
import type { AccountReader } from '../../application/ports/access/accounts-and-api-keys';
import type { UserReader } from '../../application/ports/access/users';
import { OPERATOR } from '../../domain/access/actor';
import { isRole, ROLES, type Role } from '../../domain/access/people/role';
import type { User } from '../../domain/access/people/user';
import { ValidationError } from '../../domain/shared/validation-error';
import { table, type CommandOutput, type CommandSpec } from '../command-spec';
import { UsageError } from '../usage-error';

export const USER_USAGE = `  user create --account ID --email E --role ROLE [--tag T...]
                                        invites a user to the dashboard and prints the link to set a password;
                                        it can be used once, within three days;
                                        ROLE: owner, manager, dns-editor, billing, viewer;
                                        --tag: only for domains with one of these tags; may be repeated
  user link --account ID --email E      prints a new set-up link for a user who lost the link or the password
  user revoke-link --account ID --email E
                                        revokes a user's open set-up link
  user list --account ID                lists role, state, creation date and e-mail of the account's users
  user role --account ID --email E --role ROLE [--tag T... | --all-domains]
                                        changes a user's role; an account keeps at least one owner;
                                        without --tag and --all-domains, its tags stay
  user reset-factors --account ID --email E
                                        removes the second factors of a user who lost them, and ends their sessions
  user remove --account ID --email E [--revoke-keys]
                                        removes a user and ends their sessions; --revoke-keys: also revokes the API
                                        keys that they created, also with keys of theirs; an account keeps at least one owner`;

/** The services that user commands use. */
export interface UserServices {
  readonly accounts: Pick<AccountReader, 'find'>;
  readonly users: Pick<UserReader, 'ofEmail'>;
  readonly readTeam: Pick<ReadTeam, 'execute'>;
  readonly inviteUser: Pick<InviteUser, 'execute'>;
  readonly issueSetupLink: Pick<IssueSetupLink, 'execute'>;
  readonly revokeSetupLink: Pick<RevokeSetupLink, 'execute'>;
  readonly changeRole: Pick<ChangeRole, 'execute'>;
  readonly removeFactors: Pick<RemoveFactors, 'removeAll'>;
  readonly removeUser: Pick<RemoveUser, 'execute'>;
  readonly countGrantedDomains: Pick<CountGrantedDomains, 'execute'>;
  /** Prints to stderr, so that programs read the result alone. */
  readonly showWarning: (line: string) => void;
  /** URL of the dashboard, without trailing slash. */
  readonly dashboardUrl: string;
}

const USER_OPTIONS = { required: ['account', 'email'], optional: [] } as const;

export const USER_COMMANDS: Readonly<Record<string, CommandSpec<UserServices>>> = {
  'user create': {
    required: ['account', 'email', 'role'],
    optional: ['tag'],
    prepare: ({ account: accountId = '', email = '', role: roleText = '', tag: tags = [] }) => {
      const role = parseRole(roleText);
      return async ({ inviteUser, dashboardUrl, ...warnings }) => {
        const invitation = await inviteUser.execute({ accountId, actor: OPERATOR, email, role, tags });
        await warnOfUnusedTags(warnings, invitation.user);
        return presentInvitation(invitation, dashboardUrl);
      };
    },
  },
  'user link': {
    ...USER_OPTIONS,
    prepare:
      ({ account: accountId = '', email = '' }) =>
      async ({ accounts, users, issueSetupLink, dashboardUrl }) => {
        const { id: userId } = await findUser({ accounts, users }, accountId, email);
        return presentInvitation(await issueSetupLink.execute({ accountId, actor: OPERATOR, userId }), dashboardUrl);
      },
  },
  'user revoke-link': {
    ...USER_OPTIONS,
    prepare:
      ({ account: accountId = '', email = '' }) =>
      async ({ accounts, users, revokeSetupLink }) => {
        const user = await findUser({ accounts, users }, accountId, email);
        await revokeSetupLink.execute({ accountId, actor: OPERATOR, userId: user.id });
        return {
          json: { id: user.id, email: user.email, link_revoked: true },
          text: `The set-up link for ${user.email} was revoked`,
        };
      },
  },
  'user role': {
    required: ['account', 'email', 'role'],
    optional: ['tag', 'all-domains'],
    prepare: ({ account: accountId = '', email = '', role: roleText = '', tag, 'all-domains': allDomains = false }) => {
      const role = parseRole(roleText);
      if (tag && allDomains) throw new UsageError('--tag and --all-domains exclude each other');
      return async ({ accounts, users, readTeam, changeRole, ...warnings }) => {
        const user = await changeRole.execute({
          accountId,
          actor: OPERATOR,
          userId: (await findUser({ accounts, users }, accountId, email)).id,
          role,
          tags: allDomains ? [] : tag,
        });
        await warnOfUnusedTags(warnings, user);
        return {
          json: presentUser(user, await readTeam.execute(accountId)),
          text: `${user.email} is now ${describeRole(user)}`,
        };
      };
    },
  },
  'user list': {
    required: ['account'],
    optional: [],
    prepare:
      ({ account = '' }) =>
      async ({ accounts, readTeam }) => {
        if (!(await accounts.find(account))) throw ValidationError.of('account', 'is not known');
        const team = await readTeam.execute(account);
        const rowOf = (user: User) => {
          const { state, created_at, email } = presentUser(user, team);
          return [describeRole(user), state, created_at, email];
        };
        return { json: team.users.map((user) => presentUser(user, team)), text: table(team.users.map(rowOf)) };
      },
  },
  'user reset-factors': {
    ...USER_OPTIONS,
    prepare:
      ({ account: accountId = '', email = '' }) =>
      async ({ accounts, users, removeFactors }) => {
        const user = await findUser({ accounts, users }, accountId, email);
        await removeFactors.removeAll({ accountId, actor: OPERATOR, userId: user.id });
        return {
          json: { id: user.id, email: user.email, factors_removed: true },
          text: `The second factors of ${user.email} were removed`,
        };
      },
  },
  'user remove': {
    ...USER_OPTIONS,
    optional: ['revoke-keys'],
    prepare:
      ({ account: accountId = '', email = '', 'revoke-keys': revokeKeys = false }) =>
      async ({ accounts, users, removeUser }) => {
        const user = await findUser({ accounts, users }, accountId, email);
        const keys = await removeUser.execute({ accountId, actor: OPERATOR, userId: user.id, revokeKeys });
        const keyIds = keys.map((key) => key.toState().keyId);
        const text = [`${user.email} was removed`, ...keyIds.map((keyId) => `${keyId} was revoked`)].join('\n');
        return { json: { id: user.id, email: user.email, removed: true, revoked_keys: keyIds }, text };
      },
  },
};

/** @throws ValidationError for an unknown account, or an e-mail that is not one of its users' */
async function findUser(
  { accounts, users }: Pick<UserServices, 'accounts' | 'users'>,
  accountId: string,
  email: string,
): Promise<User> {
  if (!(await accounts.find(accountId))) throw ValidationError.of('account', 'is not known');
  const user = (await users.ofEmail(email.trim().toLowerCase())).find((each) => each.toState().accountId === accountId);
  if (!user) throw ValidationError.of('email', 'is not the address of a user of the account');
  return user;
}

/** `member` was the name of the role manager. */
function parseRole(text: string): Role {
  if (text === 'member') return 'manager';
  if (!isRole(text)) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  return text;
}

/** Warns if no domain has one of the tags that the user's role is for. */
async function warnOfUnusedTags(
  { countGrantedDomains, showWarning }: Pick<UserServices, 'countGrantedDomains' | 'showWarning'>,
  user: User,
): Promise<void> {
  const { accountId, tags } = user.toState();
  const warning = tags && describeUnused(await countGrantedDomains.execute(accountId, tags));
  if (warning) showWarning(warning);
}

function presentInvitation({ user, token, link }: Invitation, dashboardUrl: string): CommandOutput {
  const { id, accountId, email, role, tags } = user.toState();
  const url = `${dashboardUrl}/set-up?token=${token}`;
  return {
    json: { id, account_id: accountId, email, role, tags, setup_url: url, expires_at: link.expiresAt.toISOString() },
    text: url,
  };
}

/** `dns-editor`, or `dns-editor(blog,shop)` for domains with these tags. */
function describeRole(user: User): string {
  const { role, tags } = user.toState();
  return tags ? `${role}(${tags.join(',')})` : role;
}

function presentUser(user: User, { active }: Pick<Team, 'active'>) {
  const { id, accountId, email, role, tags, createdAt } = user.toState();
  return {
    id,
    account_id: accountId,
    email,
    role,
    tags,
    state: active.has(id) ? 'active' : 'invited',
    created_at: createdAt.toISOString(),
  };
}
