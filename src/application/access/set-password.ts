import { inject, injectable } from 'inversify';
import { SetupLinkInvalid } from '../../domain/access/errors';
import { assertPassword } from '../../domain/access/password';
import { tokenDigest } from '../../domain/access/setup-link';
import type { User } from '../../domain/access/user';
import { userChanged } from '../audit/access-audit';
import { Clock } from '../ports/system/clock';
import { Passwords } from '../ports/access/passwords';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/** Sets a password by a set-up link, which is used up by it; all sessions of the person end. @throws ValidationError, SetupLinkInvalid */
@injectable()
export class SetPassword {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ token, password }: { token: string; password: string }): Promise<User> {
    assertPassword(password, (text) => this.passwords.isCommon(text));
    const hash = await this.passwords.hash(password);
    const now = this.clock.now();
    return this.unitOfWork.run(async ({ audit, setupLinks, users, sessions }) => {
      const link = await setupLinks.take(tokenDigest(token));
      const user = link && link.expiresAt > now ? await users.lock(link.userId) : undefined;
      if (!user) throw new SetupLinkInvalid();
      user.setPasswordHash(hash, now);
      await users.save(user);
      await sessions.endOthers(user.id);
      await audit.append(userChanged({ at: now, actor: { kind: 'user', id: user.id }, action: 'user.password_set', user: user.toState() }));
      return user;
    });
  }
}
