import { inject, injectable } from 'inversify';
import type { Requester } from '../../../domain/access/actor';
import { UserNotFound } from '../../../domain/access/errors';
import { needsSecondFactor, type SecondFactorRule } from '../../../domain/access/factors/second-factor-rule';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system/clock';
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

  /** The user's own authenticator app, with the recovery codes. @throws ValidationError if the user's role needs a second factor */
  async totp(userId: string): Promise<void> {
    await this.unitOfWork.run(async ({ audit, factors, users }) => {
      const user = await users.lock(userId);
      if (!user) throw new UserNotFound();
      if (!(await factors.ofUser(userId)).totp) return;
      if (needsSecondFactor(this.rule, user.toState().role))
        throw ValidationError.of('totp', 'is your last second factor, and your role needs one');
      await factors.removeAll(userId);
      const at = this.clock.now();
      await audit.append(
        userChanged({ at, actor: { kind: 'user', id: userId }, action: 'user.totp_removed', user: user.toState() }),
      );
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
