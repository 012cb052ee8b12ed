import { inject, injectable } from 'inversify';
import { SetupLinkInvalid } from '../../../domain/access/errors';
import { assertPassword } from '../../../domain/access/people/password';
import { isOpen, tokenDigest, type SetupLink } from '../../../domain/access/people/setup-link';
import { personalWords, pickSharedSalt, type User } from '../../../domain/access/people/user';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system/clock';
import { Passwords } from '../../ports/access/passwords';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { revokeLinks } from './revoke-links';

/**
 * Sets a password by a set-up link, which is used up by it; all sessions of the person end, and the links that the person issued are revoked. Without a
 * link nothing is judged or hashed, which takes time. @throws ValidationError, SetupLinkInvalid
 */
@injectable()
export class SetPassword {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws SetupLinkInvalid if the link was used, revoked or has expired */
  async assertOpen(token: string): Promise<void> {
    assertOpens(await this.unitOfWork.run(({ setupLinks }) => setupLinks.find(tokenDigest(token))), this.clock.now());
  }

  async execute({ token, password }: { token: string; password: string }): Promise<User> {
    const digest = tokenDigest(token);
    const now = this.clock.now();
    const { accountId, email, saltLike } = await this.unitOfWork.run(async ({ setupLinks, users }) => {
      const invited = await users.lock(assertOpens(await setupLinks.find(digest), now).userId);
      if (!invited) throw new SetupLinkInvalid();
      return { ...invited.toState(), saltLike: pickSharedSalt(await users.hashesOf(invited.email), invited.toState()) };
    });
    assertPassword(password, (text) => this.passwords.isWeak(text, personalWords({ email })));
    const hash = await this.passwords.hash(password, saltLike);
    return this.unitOfWork.run(async (stores) => {
      await stores.accounts.lock(accountId);
      const { audit, setupLinks, users, sessions } = stores;
      const { userId } = assertOpens(await setupLinks.take(digest), now);
      const user = await users.lock(userId);
      if (!user) throw new SetupLinkInvalid();
      user.setPasswordHash(hash, now);
      await users.save(user);
      await sessions.endOthers(user.id);
      const change = { at: now, actor: { kind: 'user', id: user.id }, user: user.toState() } as const;
      await audit.append(
        userChanged({ ...change, action: 'user.link_used' }),
        userChanged({ ...change, action: 'user.password_set' }),
      );
      await revokeLinks(stores, { user, actor: change.actor, at: now });
      return user;
    });
  }
}

/** @throws SetupLinkInvalid */
function assertOpens(link: SetupLink | undefined, now: Date): SetupLink {
  if (!link || !isOpen(link, now)) throw new SetupLinkInvalid();
  return link;
}
