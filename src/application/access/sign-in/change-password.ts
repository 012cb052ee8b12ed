import { inject, injectable } from '../../ports/inject';
import { UserNotFound } from '../../../domain/access/access-errors';
import { assertPassword } from '../../../domain/access/people/password';
import { personalWords, pickSharedSalt, type User } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system';
import { Passwords } from '../../ports/access/authentication';
import { PasswordLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { UserReader } from '../../ports/access/users';
import { countAttempt } from './count-attempt';
import { revokeLinks } from '../users/revoke-links';

interface ChangePasswordCommand {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Digest of the session that stays. */
  readonly keepSession: string;
}

/** Changes the person's own password, in all of their accounts, ends all other sessions and revokes the set-up links for and by the person. @throws ValidationError naming `current_password` or `new_password`, RateLimitExceeded */
@injectable()
export class ChangePassword {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'sessions' | 'setupLinks' | 'users'>,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(PasswordLimiter) private readonly attempts: RateLimiter<'password'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ userId, currentPassword, newPassword, keepSession }: ChangePasswordCommand): Promise<User> {
    const found = (await this.users.find(userId))?.toState();
    await countAttempt(this.attempts, found?.personId ?? userId);
    const known = await this.passwords.matches(currentPassword, found?.passwordHash ?? null);
    if (!found || !known) throw wrongPassword();
    assertPassword(newPassword, (text) => this.passwords.isWeak(text, personalWords(found)), 'new_password');
    const hashes = await this.unitOfWork.run(({ users }) => users.hashesOf(found.email));
    const hash = await this.passwords.hash(newPassword, pickSharedSalt(hashes, found));
    const accountIds = (await this.users.ofPerson(found.personId)).map((each) => each.toState().accountId);
    return this.unitOfWork.run(async (stores) => {
      for (const id of [...new Set([found.accountId, ...accountIds])].toSorted()) await stores.accounts.lock(id);
      const { audit, users, sessions } = stores;
      const user = await users.lock(userId);
      if (!user) throw new UserNotFound();
      // If the password was changed since it was verified, perhaps because it was stolen, the old one is no longer valid.
      if (user.toState().passwordHash !== found.passwordHash) throw wrongPassword();
      const others = (await users.lockPerson(found.personId)).filter(({ id }) => id !== userId);
      const now = this.clock.now();
      await sessions.endOthers(userId, keepSession);
      for (const each of [user, ...others]) {
        const actor = { kind: 'user', id: each.id } as const;
        each.setPasswordHash(hash, now);
        await users.save(each);
        await audit.append(userChanged({ at: now, actor, action: 'user.password_set', user: each.toState() }));
        await revokeLinks(stores, { user: each, actor, at: now });
      }
      return user;
    });
  }
}

function wrongPassword(): ValidationError {
  return ValidationError.of('current_password', 'is not right');
}
