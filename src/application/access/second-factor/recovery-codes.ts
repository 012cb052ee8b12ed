import { inject, injectable } from '../../ports/inject';
import { RECOVERY_CODES, recoveryCodeDigest } from '../../../domain/access/factors/recovery-code';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system';
import { TokenGenerator } from '../../ports/access/users';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { lockPersonOf } from '../users/lock-person-of';

/** Codes that replace a lost second factor, each once. */
@injectable()
export class RecoveryCodes {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'factors' | 'users'>,
    @inject(TokenGenerator) private readonly tokens: TokenGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** New codes and their digests, not stored. */
  create(personId: string): { readonly codes: readonly string[]; readonly digests: readonly string[] } {
    const codes = Array.from({ length: RECOVERY_CODES }, () => this.tokens.password());
    return { codes, digests: codes.map((code) => recoveryCodeDigest(personId, code)) };
  }

  /** Stores new codes in the place of the earlier ones and returns them, which happens only here. @throws UserNotFound */
  async renew(userId: string): Promise<readonly string[]> {
    return this.unitOfWork.run(async ({ audit, factors, users }) => {
      const user = await lockPersonOf({ users }, userId);
      const { personId } = user.toState();
      const { codes, digests } = this.create(personId);
      await factors.replaceRecoveryCodes(personId, digests);
      await audit.append(
        userChanged({
          at: this.clock.now(),
          actor: { kind: 'user', id: userId },
          action: 'user.recovery_codes_created',
          user: user.toState(),
        }),
      );
      return codes;
    });
  }
}
