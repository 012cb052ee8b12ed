import { inject, injectable } from 'inversify';
import { SetupLinkInvalid } from '../../domain/access/errors';
import { assertPassword } from '../../domain/access/password';
import { tokenDigest, type SetupLink } from '../../domain/access/setup-link';
import type { User } from '../../domain/access/user';
import { userChanged } from '../audit/access-audit';
import { Clock } from '../ports/system/clock';
import { Passwords } from '../ports/access/passwords';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/**
 * Sets a password by a set-up link, which is used up by it; all sessions of the person end. Nothing is hashed, which is
 * dear, for somebody who has no link. @throws ValidationError, SetupLinkInvalid
 */
@injectable()
export class SetPassword {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ token, password }: { token: string; password: string }): Promise<User> {
    assertPassword(password, (text) => this.passwords.isCommon(text));
    const digest = tokenDigest(token);
    const now = this.clock.now();
    assertOpens(await this.unitOfWork.run(({ setupLinks }) => setupLinks.find(digest)), now);
    const hash = await this.passwords.hash(password);
    return this.unitOfWork.run(async ({ audit, setupLinks, users, sessions }) => {
      const { userId } = assertOpens(await setupLinks.take(digest), now);
      const user = await users.lock(userId);
      if (!user) throw new SetupLinkInvalid();
      user.setPasswordHash(hash, now);
      await users.save(user);
      await sessions.endOthers(user.id);
      await audit.append(userChanged({ at: now, actor: { kind: 'user', id: user.id }, action: 'user.password_set', user: user.toState() }));
      return user;
    });
  }
}

/** @throws SetupLinkInvalid */
function assertOpens(link: SetupLink | undefined, now: Date): SetupLink {
  if (!link || link.expiresAt <= now) throw new SetupLinkInvalid();
  return link;
}
