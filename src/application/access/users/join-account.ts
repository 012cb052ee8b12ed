import { inject, injectable } from '../../ports/inject';
import { SetupLinkInvalid, UserNotFound } from '../../../domain/access/access-errors';
import { tokenDigest } from '../../../domain/access/people/setup-link';
import type { User } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { UserReader } from '../../ports/access/users';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { VerifySecondFactor } from '../second-factor/verify-second-factor';
import { assertOpens, OpenSetupLink } from './open-setup-link';
import { revokeLinks } from './revoke-links';

interface JoinAccountCommand {
  /** Of the set-up link. */
  readonly token: string;
  /** The signed-in user who accepts it. */
  readonly userId: string;
  readonly sessionDigest: string;
  /** A code of the second factor with which another person has signed in as the link's user until now. */
  readonly code?: string;
}

/**
 * Accepts an invitation as the signed-in person, who then has one more user, with the same e-mail and password, and continues the
 * session as that user. The link's user leaves the person who had it. Equal e-mails alone join nothing.
 * @throws SetupLinkInvalid, ValidationError naming `code` or `email`, RateLimitExceeded
 */
@injectable()
export class JoinAccount {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<
      'accounts' | 'audit' | 'factors' | 'identities' | 'sessions' | 'setupLinks' | 'users'
    >,
    @inject(UserReader) private readonly users: UserReader,
    @inject(OpenSetupLink) private readonly openSetupLink: Pick<OpenSetupLink, 'execute'>,
    @inject(VerifySecondFactor) private readonly secondFactor: Pick<VerifySecondFactor, 'execute'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ token, userId, sessionDigest, code = '' }: JoinAccountCommand): Promise<User> {
    const at = this.clock.now();
    const self = await this.users.find(userId);
    if (!self) throw new UserNotFound();
    const { accountId, personId } = self.toState();
    const { user: invited, hasSecondFactor } = await this.openSetupLink.execute(token);
    const before = invited.toState();
    const belongs = before.personId === personId;
    if (!belongs && hasSecondFactor) await this.secondFactor.execute({ userId: invited.id, code });
    return this.unitOfWork.run(async (stores) => {
      for (const id of [accountId, before.accountId].toSorted()) await stores.accounts.lock(id);
      const { audit, factors, sessions, setupLinks, users } = stores;
      assertOpens(await setupLinks.take(tokenDigest(token)), at);
      const [person, user] = [await users.lock(userId), await users.lock(invited.id)];
      if (person?.toState().personId !== personId || user?.toState().personId !== before.personId)
        throw new SetupLinkInvalid();
      if (!belongs) {
        const accountUsers = await users.lockAll(before.accountId);
        if (accountUsers.some((each) => each.id !== user.id && isSame(each, person)))
          throw ValidationError.of('email', `${person.email} belongs to a user of the account already`);
        await sessions.endAt(user.id);
        if ((await users.lockPerson(before.personId)).every(({ id }) => id === user.id)) {
          await factors.removeAll(before.personId);
          await stores.identities.removeAll(before.personId);
        }
        person.link(at);
        user.joinPerson(person.toState(), at);
        await users.save(person);
        await users.save(user);
      }
      const change = { at, actor: { kind: 'user', id: user.id }, user: user.toState() } as const;
      await audit.append(userChanged({ ...change, action: belongs ? 'user.link_used' : 'user.joined' }));
      await revokeLinks(stores, { user, actor: change.actor, at });
      await sessions.moveTo(sessionDigest, user.id, at);
      return user;
    });
  }
}

function isSame(one: User, other: User): boolean {
  return one.email === other.email || one.toState().personId === other.toState().personId;
}
