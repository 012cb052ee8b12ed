import { inject, injectable } from 'inversify';
import { UserNotFound } from '../../../domain/access/errors';
import { assertPassword } from '../../../domain/access/people/password';
import { personalWords, pickSharedSalt, type User } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system/clock';
import { Passwords } from '../../ports/access/passwords';
import { SignInEmailLimiter, type RateLimiter } from '../../ports/access/rate-limiter';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { UserReader } from '../../ports/access/user-repository';
import { countAttempt } from './count-attempt';
import { revokeLinks } from '../users/revoke-links';

export interface ChangePasswordCommand {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Digest of the session that stays. */
  readonly keepSession: string;
}

/** Changes the user's own password, ends all other sessions and revokes the set-up links for and by the user. @throws ValidationError naming `current_password` or `new_password`, RateLimitExceeded */
@injectable()
export class ChangePassword {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(SignInEmailLimiter) private readonly attempts: RateLimiter,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ userId, currentPassword, newPassword, keepSession }: ChangePasswordCommand): Promise<User> {
    await countAttempt(this.attempts, userId);
    const found = (await this.users.find(userId))?.toState();
    const known = await this.passwords.matches(currentPassword, found?.passwordHash ?? null);
    if (!found || !known) throw wrongPassword();
    assertPassword(newPassword, (text) => this.passwords.isWeak(text, personalWords(found)), 'new_password');
    const hashes = await this.unitOfWork.run(({ users }) => users.hashesOf(found.email));
    const hash = await this.passwords.hash(newPassword, pickSharedSalt(hashes, found));
    return this.unitOfWork.run(async (stores) => {
      await stores.accounts.lock(found.accountId);
      const { audit, users, sessions } = stores;
      const user = await users.lock(userId);
      if (!user) throw new UserNotFound();
      // If the password was changed since it was verified, perhaps because it was stolen, the old one is no longer valid.
      if (user.toState().passwordHash !== found.passwordHash) throw wrongPassword();
      const now = this.clock.now();
      user.setPasswordHash(hash, now);
      await users.save(user);
      await sessions.endOthers(userId, keepSession);
      await audit.append(
        userChanged({
          at: now,
          actor: { kind: 'user', id: userId },
          action: 'user.password_set',
          user: user.toState(),
        }),
      );
      await revokeLinks(stores, { user, actor: { kind: 'user', id: userId }, at: now });
      return user;
    });
  }
}

function wrongPassword(): ValidationError {
  return ValidationError.of('current_password', 'is not right');
}
