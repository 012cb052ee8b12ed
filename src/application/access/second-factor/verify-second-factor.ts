import { inject, injectable } from '../../ports/inject';
import { recoveryCodeDigest } from '../../../domain/access/factors/recovery-code';
import type { User } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { Clock, SecretBox } from '../../ports/system';
import { type Factors, OneTimePasswords } from '../../ports/access/authentication';
import { SecondFactorLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { UserReader } from '../../ports/access/users';
import { UnitOfWork, type Stores } from '../../ports/storage/unit-of-work';
import { countAttempt } from '../sign-in/count-attempt';
import { totpPurpose } from './totp-enrollment';

interface VerifySecondFactorCommand {
  readonly userId: string;
  /** Of an authenticator app, or a recovery code. */
  readonly code: string;
  /** The form field, for messages. */
  readonly field?: string;
}

/** Verifies a code of a user's authenticator app or a recovery code, each of which works once. */
@injectable()
export class VerifySecondFactor {
  constructor(
    @inject(UserReader) private readonly users: UserReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'factors' | 'users'>,
    @inject(OneTimePasswords) private readonly passwords: OneTimePasswords,
    @inject(SecondFactorLimiter) private readonly attempts: RateLimiter<'second-factor'>,
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws ValidationError naming `field`, RateLimitExceeded */
  async execute({ userId, code: text, field = 'code' }: VerifySecondFactorCommand): Promise<void> {
    const personId = (await this.users.find(userId))?.toState().personId ?? userId;
    await countAttempt(this.attempts, personId);
    const code = text.replace(/\s/g, '');
    const isRight = await this.unitOfWork.run(async (stores) => {
      const user = await stores.users.lock(userId);
      if (!user) return false;
      await stores.users.lockPerson(user.toState().personId);
      const known = await stores.factors.ofUser(user.toState().personId);
      return /^\d{6}$/.test(code) ? this.useTotp(stores, known, code) : this.useRecoveryCode(stores, user, code);
    });
    if (!isRight) throw ValidationError.of(field, 'is not right or was used already');
  }

  private async useTotp({ factors }: Pick<Stores, 'factors'>, { totp }: Factors, code: string): Promise<boolean> {
    if (!totp) return false;
    const secret = this.box.open(totp.sealedSecret, totpPurpose(totp.userId));
    const step = this.passwords.findStep(secret, code, this.clock.now(), totp.lastStep);
    if (step === undefined) return false;
    await factors.saveTotp({ ...totp, lastStep: step });
    return true;
  }

  private async useRecoveryCode(
    { audit, factors }: Pick<Stores, 'audit' | 'factors'>,
    user: User,
    code: string,
  ): Promise<boolean> {
    const { personId } = user.toState();
    if (!(await factors.takeRecoveryCode(personId, recoveryCodeDigest(personId, code)))) return false;
    await audit.append(
      userChanged({
        at: this.clock.now(),
        actor: { kind: 'user', id: user.id },
        action: 'user.recovery_code_used',
        user: user.toState(),
      }),
    );
    return true;
  }
}
