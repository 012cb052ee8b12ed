import { inject, injectable } from '../../ports/inject';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { Clock, SealBroken, SecretBox } from '../../ports/system';
import { OneTimePasswords } from '../../ports/access/authentication';
import { SecondFactorLimiter, type RateLimiter } from '../../ports/access/rate-limits-and-usage';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { countAttempt } from '../sign-in/count-attempt';
import { lockPersonOf } from '../users/lock-person-of';
import { RecoveryCodes } from './recovery-codes';

/** A secret that the user is shown and has not confirmed with a code. It is not stored. */
export interface TotpOffer {
  readonly secret: string;
  /** What an authenticator app reads from a QR code. */
  readonly uri: string;
  /** The secret for the form, sealed for the user. */
  readonly sealed: string;
}

interface ConfirmTotpCommand {
  readonly userId: string;
  /** The user's: attempts are counted together with those in other accounts. */
  readonly personId: string;
  readonly sealed: string;
  readonly code: string;
  /** Digest of the session that stays. */
  readonly keepSession: string;
}

export function totpPurpose(personId: string): string {
  return `totp:${personId}`;
}

function offerPurpose(userId: string): string {
  return `totp offer:${userId}`;
}

/** Adds an authenticator app to a user's sign-in. */
@injectable()
export class TotpEnrollment {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'factors' | 'sessions' | 'users'>,
    @inject(OneTimePasswords) private readonly passwords: OneTimePasswords,
    @inject(RecoveryCodes) private readonly recoveryCodes: RecoveryCodes,
    @inject(SecondFactorLimiter) private readonly attempts: RateLimiter<'second-factor'>,
    @inject(SecretBox) private readonly box: SecretBox,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  offer(user: { readonly id: string; readonly email: string }): TotpOffer {
    return this.offerOf(user, this.passwords.createSecret());
  }

  /** The offer of a form that was sent. Undefined if it was not made for the user. */
  reopen(user: { readonly id: string; readonly email: string }, sealed: string): TotpOffer | undefined {
    const secret = this.open(user.id, sealed);
    return secret === undefined ? undefined : this.offerOf(user, secret);
  }

  /**
   * Stores the secret in the place of an earlier one, and ends the user's other sessions. Returns new recovery codes, unless
   * the user has some. @throws ValidationError naming `code`, RateLimitExceeded
   */
  async confirm({
    userId,
    personId: person,
    sealed,
    code,
    keepSession,
  }: ConfirmTotpCommand): Promise<readonly string[]> {
    await countAttempt(this.attempts, person);
    const now = this.clock.now();
    const secret = this.open(userId, sealed);
    if (secret === undefined)
      throw ValidationError.of('code', 'belongs to a form that is no longer valid: start again');
    const step = this.passwords.findStep(secret, code.replace(/\s/g, ''), now, 0);
    if (step === undefined)
      throw ValidationError.of('code', 'is not right. Check that the clocks of the server and of the app are right');
    return this.unitOfWork.run(async ({ audit, factors, sessions, users }) => {
      const user = await lockPersonOf({ users }, userId);
      const { personId } = user.toState();
      const before = await factors.ofUser(personId);
      const sealedSecret = this.box.seal(secret, totpPurpose(personId));
      await factors.saveTotp({ userId: personId, sealedSecret, lastStep: step, createdAt: now });
      const { codes, digests } = this.recoveryCodes.create(personId);
      if (before.recoveryCodes === 0) await factors.replaceRecoveryCodes(personId, digests);
      await sessions.endOthers(userId, keepSession);
      await sessions.recordSecondFactor(keepSession, now);
      const change = { at: now, actor: { kind: 'user', id: userId }, user: user.toState() } as const;
      await audit.append(userChanged({ ...change, action: 'user.totp_added' }));
      if (before.recoveryCodes > 0) return [];
      await audit.append(userChanged({ ...change, action: 'user.recovery_codes_created' }));
      return codes;
    });
  }

  private offerOf({ id, email }: { readonly id: string; readonly email: string }, secret: string): TotpOffer {
    return { secret, uri: this.passwords.uriOf(secret, email), sealed: this.box.seal(secret, offerPurpose(id)) };
  }

  private open(userId: string, sealed: string): string | undefined {
    try {
      return this.box.open(sealed, offerPurpose(userId));
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}
