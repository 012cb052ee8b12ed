import { inject, injectable } from '../../ports/inject';
import { hasSecondFactor } from '../../../domain/access/factors/second-factor-rule';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Passwords, FactorReader } from '../../ports/access/authentication';
import { PasswordLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { UserReader } from '../../ports/access/users';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { VerifySecondFactor } from '../second-factor/verify-second-factor';
import { countAttempt } from './count-attempt';

interface ReauthenticateCommand {
  readonly userId: string;
  readonly sessionDigest: string;
  readonly password: string;
  /** Of the authenticator app, or a recovery code; needed if the user has a second factor. */
  readonly code?: string;
}

interface ProviderConfirmation {
  readonly sessionDigest: string;
  readonly personId: string;
  /** Whether the provider counts as a second factor. */
  readonly secondFactor: boolean;
  /** Whether the user entered a code of the second factor before. */
  readonly hasEnteredCode: boolean;
}

/**
 * Records that the user proved again who they are: by the password and, if they have a second factor, by a code.
 * @throws ValidationError naming `confirm_password` or `confirm_code`, RateLimitExceeded
 */
@injectable()
export class Reauthenticate {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'sessions' | 'users'>,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(PasswordLimiter) private readonly attempts: RateLimiter<'password'>,
    @inject(FactorReader) private readonly factors: FactorReader,
    @inject(VerifySecondFactor) private readonly secondFactor: Pick<VerifySecondFactor, 'execute'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Records that the user used a passkey in a session, which was verified. */
  async recordPasskey(sessionDigest: string): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.run(async ({ sessions }) => {
      await sessions.recordAuthentication(sessionDigest, now);
      await sessions.recordSecondFactor(sessionDigest, now);
    });
  }

  /** Before the user goes to a provider. Whether they entered a code. @throws ValidationError naming `confirm_code`, RateLimitExceeded */
  async verifyCode(userId: string, code: string): Promise<boolean> {
    if (code === '') return false;
    await this.secondFactor.execute({ userId, code, field: 'confirm_code' });
    return true;
  }

  /** Records that the user authenticated at a linked provider, which was verified. False, and nothing is recorded, if a second factor is missing. */
  async recordProvider({
    sessionDigest,
    personId,
    secondFactor,
    hasEnteredCode,
  }: ProviderConfirmation): Promise<boolean> {
    const isComplete = secondFactor || hasEnteredCode || !hasSecondFactor(await this.factors.ofUser(personId));
    if (!isComplete) return false;
    const now = this.clock.now();
    await this.unitOfWork.run(async ({ sessions }) => {
      await sessions.recordAuthentication(sessionDigest, now);
      if (secondFactor) await sessions.recordSecondFactor(sessionDigest, now);
    });
    return true;
  }

  async execute({ userId, sessionDigest, password, code = '' }: ReauthenticateCommand): Promise<void> {
    const found = (await this.users.find(userId))?.toState();
    await countAttempt(this.attempts, found?.personId ?? userId);
    const known = await this.passwords.matches(password, found?.passwordHash ?? null);
    if (!found || !known) throw wrongPassword();
    if (hasSecondFactor(await this.factors.ofUser(found.personId)))
      await this.secondFactor.execute({ userId, code, field: 'confirm_code' });
    await this.unitOfWork.run(async ({ accounts, users, sessions }) => {
      await accounts.lock(found.accountId);
      const user = await users.lock(userId);
      if (user?.toState().passwordHash !== found.passwordHash) throw wrongPassword();
      await sessions.recordAuthentication(sessionDigest, this.clock.now());
    });
  }
}

function wrongPassword(): ValidationError {
  return ValidationError.of('confirm_password', 'is not right');
}
