import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import { UserNotFound } from '../../../domain/access/errors';
import {
  hasSecondFactor,
  needsSecondFactor,
  type SecondFactorRule,
} from '../../../domain/access/factors/second-factor-rule';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system/clock';
import type { FactorRepository } from '../../ports/access/factor-repository';
import { UnitOfWork } from '../../ports/storage/unit-of-work';

/** Token of the service's `SecondFactorRule`. */
export const RequiredSecondFactor = Symbol('RequiredSecondFactor');

/** Removes second factors. */
@injectable()
export class RemoveFactors {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(RequiredSecondFactor) private readonly rule: SecondFactorRule,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** The user's own authenticator app. @throws ValidationError if it is the last factor and the user's role needs one */
  async totp(userId: string): Promise<void> {
    await this.one(userId, 'user.totp_removed', async (factors) => {
      if (!(await factors.ofUser(userId)).totp) return false;
      await factors.removeTotp(userId);
      return true;
    });
  }

  /** A passkey of the user. @throws ValidationError if it is the last factor and the user's role needs one */
  async passkey(userId: string, id: string): Promise<void> {
    await this.one(userId, 'user.passkey_removed', (factors) => factors.removePasskey(userId, id));
  }

  /** With the last factor, the recovery codes are removed, too. */
  private async one(
    userId: string,
    action: 'user.totp_removed' | 'user.passkey_removed',
    remove: (factors: FactorRepository) => Promise<boolean>,
  ): Promise<void> {
    await this.unitOfWork.run(async ({ audit, factors, users }) => {
      const user = await users.lock(userId);
      if (!user) throw new UserNotFound();
      if (!(await remove(factors))) return;
      if (!hasSecondFactor(await factors.ofUser(userId))) {
        if (needsSecondFactor(this.rule, user.toState().role))
          throw ValidationError.of('factor', 'is your last second factor, and your role needs one');
        await factors.removeAll(userId);
      }
      const at = this.clock.now();
      await audit.append(userChanged({ at, actor: { kind: 'user', id: userId }, action, user: user.toState() }));
    });
  }

  /** All factors of a user who lost them, whose sessions end. The password stays. For the operator. @throws UserNotFound */
  async all({ accountId, actor, userId }: Requester & { readonly userId: string }): Promise<void> {
    await this.unitOfWork.run(async ({ accounts, audit, factors, sessions, users }) => {
      await accounts.lock(accountId);
      const user = await users.lock(userId);
      if (user?.toState().accountId !== accountId) throw new UserNotFound();
      await factors.removeAll(userId);
      await sessions.endOthers(userId);
      const at = this.clock.now();
      await audit.append(userChanged({ at, actor, action: 'user.factors_reset', user: user.toState() }));
    });
  }
}
