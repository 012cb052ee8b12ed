import { inject, injectable } from '../../ports/inject';
import { IdentityUnknown, NoRoleByGroups, SetupLinkInvalid, UserNotFound } from '../../../domain/access/access-errors';
import { SERVICE } from '../../../domain/access/actor';
import { identityId, rightsOfGroups } from '../../../domain/access/people/identity';
import type { UserRights } from '../../../domain/access/people/role';
import { tokenDigest } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import type { Assertion } from '../../ports/access/authentication';
import { IdentityReader, UserReader } from '../../ports/access/users';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { ChangeRole } from '../users/change-role';
import { RemoveUser } from '../users/remove-user';
import { assertOpens, OpenSetupLink } from '../users/open-setup-link';

export interface SignedIn {
  readonly user: User;
  /** The role that the provider's groups gave in this sign-in, if it or its tags changed. */
  readonly changedRole?: UserRights;
  /** Set if the groups ask for a role that would leave the account without an owner: the role stays. */
  readonly keptAsLastOwner?: true;
}

/** Sign-in by what a provider said. Issuer and subject decide who it is; an e-mail address never does. */
@injectable()
export class SignInWithIdentity {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<
      'accounts' | 'audit' | 'factors' | 'identities' | 'sessions' | 'setupLinks' | 'users'
    >,
    @inject(IdentityReader) private readonly identities: IdentityReader,
    @inject(UserReader) private readonly users: UserReader,
    @inject(OpenSetupLink) private readonly openSetupLink: Pick<OpenSetupLink, 'execute'>,
    @inject(ChangeRole) private readonly changeRole: Pick<ChangeRole, 'execute'>,
    @inject(RemoveUser) private readonly removeUser: Pick<RemoveUser, 'execute'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * The oldest user of the person, with the role of the provider's groups. A person without such a group is removed from the
   * account that the groups decide about. @throws IdentityUnknown, NoRoleByGroups
   */
  async execute(assertion: Assertion): Promise<SignedIn> {
    const id = identityId(assertion);
    const identity = await this.identities.find(id);
    const personUsers = identity ? await this.users.ofPerson(identity.personId) : [];
    const [user] = personUsers;
    if (!user) throw new IdentityUnknown(assertion.provider.name);
    const change = await this.applyGroups(personUsers, assertion).catch(async (error: unknown) => {
      if (error instanceof NoRoleByGroups && assertion.groups) await this.takeRole(personUsers, assertion);
      throw error;
    });
    await this.unitOfWork.run(({ identities }) => identities.recordUse(id, this.clock.now()));
    return { user: (await this.users.find(user.id)) ?? user, ...change };
  }

  /**
   * Accepts an invitation by the identity instead of a password. Only for a user who has no way to sign in yet.
   * The link stays valid if the groups of the provider give no role.
   * @throws SetupLinkInvalid, NoRoleByGroups; ValidationError naming `identity` if another person has it, or if the link is not a first invitation
   */
  async acceptInvitation(token: string, assertion: Assertion): Promise<SignedIn> {
    const at = this.clock.now();
    const { issuer, subject, name } = assertion;
    const { user: invited } = await this.openSetupLink.execute(token);
    rightsByGroups([invited], assertion);
    const user = await this.unitOfWork.run(async (stores) => {
      await stores.accounts.lock(invited.toState().accountId);
      assertOpens(await stores.setupLinks.take(tokenDigest(token)), at);
      const found = await stores.users.lock(invited.id);
      if (!found) throw new SetupLinkInvalid();
      const { personId, passwordHash, linked } = found.toState();
      const { passkeys } = await stores.factors.ofUser(personId);
      const known = (await stores.identities.ofPerson(personId)).length + passkeys.length > 0;
      if (passwordHash !== null || linked || known)
        throw ValidationError.of(
          'identity',
          'can be used for first invitations only. Open the link and set a password',
        );
      if (!(await stores.identities.add({ issuer, subject, name, personId, createdAt: at, lastUsedAt: at })))
        throw ValidationError.of('identity', 'belongs to a user already. Sign in, then open the invitation again');
      const change = { at, actor: { kind: 'user', id: found.id }, user: found.toState() } as const;
      await stores.audit.append(
        userChanged({ ...change, action: 'user.link_used' }),
        userChanged({ ...change, action: 'user.identity_linked' }),
      );
      return found;
    });
    return { user, ...(await this.applyGroups([user], assertion)) };
  }

  /** In the one account that the operator named. @throws NoRoleByGroups */
  private async applyGroups(
    personUsers: readonly User[],
    assertion: Assertion,
  ): Promise<Pick<SignedIn, 'changedRole' | 'keptAsLastOwner'>> {
    const rights = rightsByGroups(personUsers, assertion);
    const user = userByGroups(personUsers, assertion);
    if (!user || !rights) return {};
    const { role, tags } = rights;
    const before = user.toState();
    if (role === before.role && tags?.join() === before.tags?.join()) return {};
    const change = { accountId: before.accountId, actor: SERVICE, userId: user.id, role, tags: tags ?? [] };
    try {
      await this.changeRole.execute(change);
    } catch (error) {
      if (error instanceof ValidationError) return { keptAsLastOwner: true };
      throw error;
    }
    return { changedRole: rights };
  }

  /** With sessions, API keys and all other ways in. The last owner of the account stays, without a session. */
  private async takeRole(personUsers: readonly User[], assertion: Assertion): Promise<void> {
    const user = userByGroups(personUsers, assertion);
    if (!user) return;
    const removal = { accountId: user.toState().accountId, actor: SERVICE, userId: user.id, revokeKeys: true };
    try {
      await this.removeUser.execute(removal);
    } catch (error) {
      if (error instanceof ValidationError) await this.unitOfWork.run(({ sessions }) => sessions.endAt(user.id));
      else if (!(error instanceof UserNotFound)) throw error;
    }
  }
}

/** The user of the account that the groups of the provider decide about. */
function userByGroups(personUsers: readonly User[], { provider }: Pick<Assertion, 'provider'>): User | undefined {
  return provider.groups && personUsers.find((each) => each.toState().accountId === provider.groups?.account);
}

/** Undefined if the groups decide nothing about the person. @throws NoRoleByGroups */
function rightsByGroups(personUsers: readonly User[], assertion: Assertion): UserRights | undefined {
  const { provider, groups = [] } = assertion;
  if (!provider.groups || !userByGroups(personUsers, assertion)) return undefined;
  const rights = rightsOfGroups(provider.groups.roles, groups);
  if (!rights) throw new NoRoleByGroups(provider.name);
  return rights;
}
