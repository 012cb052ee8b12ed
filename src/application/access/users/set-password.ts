import { inject, injectable } from '../../ports/inject';
import { SetupLinkInvalid } from '../../../domain/access/access-errors';
import { assertPassword } from '../../../domain/access/people/password';
import { isOwnReset, tokenDigest } from '../../../domain/access/people/setup-link';
import { personalWords, pickSharedSalt, type User } from '../../../domain/access/people/user';
import { userChanged } from '../../audit/access-audit';
import { Clock, IdGenerator } from '../../ports/system';
import { Passwords } from '../../ports/access/authentication';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { VerifySecondFactor } from '../second-factor/verify-second-factor';
import { assertOpens, OpenSetupLink } from './open-setup-link';
import { revokeLinks } from './revoke-links';

interface SetPasswordCommand {
  readonly token: string;
  readonly password: string;
  /** A code of the person's second factor; needed if the person has a second factor and users in other accounts. */
  readonly code?: string;
}

/**
 * Sets a password by a set-up link, which is used up by it; all sessions of the user end, their sign-in providers are unlinked, and the links that the user issued are revoked. A user who
 * shared the password with users in other accounts becomes a separate person, because the person with the link may be someone else; after a
 * forgotten password, it is set in all accounts in which the person has the address. Without a link nothing is judged or hashed, which takes time. @throws ValidationError, SetupLinkInvalid, RateLimitExceeded
 */
@injectable()
export class SetPassword {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'identities' | 'sessions' | 'setupLinks' | 'users'>,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(VerifySecondFactor) private readonly secondFactor: Pick<VerifySecondFactor, 'execute'>,
    @inject(OpenSetupLink) private readonly openSetupLink: Pick<OpenSetupLink, 'execute'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ token, password, code = '' }: SetPasswordCommand): Promise<User> {
    const digest = tokenDigest(token);
    const now = this.clock.now();
    const { user: invited, ...link } = await this.openSetupLink.execute(token);
    const hashes = await this.unitOfWork.run(({ users }) => users.hashesOf(invited.email));
    const { personId } = invited.toState();
    assertPassword(password, (text) => this.passwords.isWeak(text, personalWords(invited)));
    // The user becomes a person without a second factor, so the second factor of the shared person is required.
    if (link.isShared && link.hasSecondFactor) await this.secondFactor.execute({ userId: invited.id, code });
    const hash = await this.passwords.hash(password, pickSharedSalt(hashes, invited.toState()));
    return this.unitOfWork.run(async (stores) => {
      for (const id of [...new Set(link.accountIds)].toSorted()) await stores.accounts.lock(id);
      const { audit, setupLinks, users, sessions } = stores;
      const taken = assertOpens(await setupLinks.take(digest), now);
      const user = await users.lock(taken.userId);
      const others = (await users.lockPerson(personId)).filter(({ id }) => id !== taken.userId);
      const isOwn = user !== undefined && isOwnReset(taken, user, others);
      const isShared = others.length > 0 && !isOwn;
      // If the user has joined another person since, that person's second factor is required.
      if (user?.toState().personId !== personId || isShared !== link.isShared) throw new SetupLinkInvalid();
      if (isShared) user.separate(this.ids.next('per'), now);
      else await stores.identities.removeAll(personId);
      const used = { at: now, actor: { kind: 'user', id: user.id }, user: user.toState() } as const;
      await audit.append(userChanged({ ...used, action: 'user.link_used' }));
      for (const each of isOwn ? [user, ...others] : [user]) {
        await sessions.endAt(each.id);
        each.setPasswordHash(hash, now);
        await users.save(each);
        const change = { at: now, actor: { kind: 'user', id: each.id }, user: each.toState() } as const;
        await audit.append(userChanged({ ...change, action: 'user.password_set' }));
        await revokeLinks(stores, { user: each, actor: change.actor, at: now });
      }
      return user;
    });
  }
}
