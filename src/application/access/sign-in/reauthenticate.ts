import { inject, injectable } from 'inversify';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Passwords } from '../../ports/access/passwords';
import { SignInEmailLimiter, type RateLimiter } from '../../ports/access/rate-limiter';
import { UserReader } from '../../ports/access/user-repository';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system/clock';
import { countAttempt } from './count-attempt';

export interface ReauthenticateCommand {
  readonly userId: string;
  readonly sessionDigest: string;
  readonly password: string;
}

/** Records that the user entered the password again in a session. @throws ValidationError naming `confirm_password`, RateLimitExceeded */
@injectable()
export class Reauthenticate {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(SignInEmailLimiter) private readonly attempts: RateLimiter,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ userId, sessionDigest, password }: ReauthenticateCommand): Promise<void> {
    await countAttempt(this.attempts, userId);
    const found = (await this.users.find(userId))?.toState();
    const known = await this.passwords.matches(password, found?.passwordHash ?? null);
    if (!found || !known) throw wrongPassword();
    await this.unitOfWork.run(async ({ accounts, users, sessions }) => {
      await accounts.lock(found.accountId);
      const user = await users.lock(userId);
      if (user?.toState().passwordHash !== found.passwordHash) throw wrongPassword();
      await sessions.authenticated(sessionDigest, this.clock.now());
    });
  }
}

function wrongPassword(): ValidationError {
  return ValidationError.of('confirm_password', 'is not right');
}
