import { inject, injectable, token } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { UserNotFound } from '../../../domain/access/access-errors';
import {
  hasSecondFactor,
  needsSecondFactor,
  type SecondFactorRule,
} from '../../../domain/access/factors/second-factor-rule';
import type { UserState } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import { userChanged } from '../../audit/access-audit';
import { Clock } from '../../ports/system';
import { IdentityProviders } from '../../ports/access/authentication';
import { UnitOfWork, type Stores } from '../../ports/storage/unit-of-work';
import { assertCanSignIn } from '../identities/assert-can-sign-in';
import { lockPersonOf } from '../users/lock-person-of';

/** Token of the service's `SecondFactorRule`. */
export const RequiredSecondFactor = token<SecondFactorRule>('RequiredSecondFactor');

/** Removes second factors. */
@injectable()
export class RemoveFactors {
  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'factors' | 'identities' | 'sessions' | 'users'>,
    @inject(RequiredSecondFactor) private readonly rule: SecondFactorRule,
    @inject(IdentityProviders) private readonly providers: Pick<IdentityProviders, 'all'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** The user's own authenticator app. @throws ValidationError if it is the last factor and a role of the person needs one */
  async removeTotp(userId: string): Promise<void> {
    await this.removeOne(userId, 'user.totp_removed', async ({ factors }, { personId }) => {
      if (!(await factors.ofUser(personId)).totp) return false;
      await factors.removeTotp(personId);
      return true;
    });
  }

  /** A passkey of the user. @throws ValidationError if the person could not sign in without it, or as for `totp` */
  async removePasskey(userId: string, id: string): Promise<void> {
    await this.removeOne(userId, 'user.passkey_removed', async (stores, user) => {
      if (!(await stores.factors.removePasskey(user.personId, id))) return false;
      await assertCanSignIn(stores, user, this.providers, 'factor');
      return true;
    });
  }

  /** With the last factor, the recovery codes are removed, too. */
  private async removeOne(
    userId: string,
    action: 'user.totp_removed' | 'user.passkey_removed',
    remove: (stores: Pick<Stores, 'factors' | 'identities'>, user: UserState) => Promise<boolean>,
  ): Promise<void> {
    await this.unitOfWork.run(async (stores) => {
      const { audit, factors, users } = stores;
      const user = await lockPersonOf(stores, userId);
      const { personId } = user.toState();
      if (!(await remove(stores, user.toState()))) return;
      if (!hasSecondFactor(await factors.ofUser(personId))) {
        const personUsers = [user, ...(await users.lockPerson(personId))];
        if (personUsers.some((each) => needsSecondFactor(this.rule, each.toState().role)))
          throw ValidationError.of('factor', 'is your last second factor, and your role needs one');
        await factors.removeAll(personId);
      }
      const at = this.clock.now();
      await audit.append(userChanged({ at, actor: { kind: 'user', id: userId }, action, user: user.toState() }));
    });
  }

  /** All factors of a person who lost them, whose sessions end. The password stays. For the operator. @throws UserNotFound */
  async removeAll({ accountId, actor, userId }: Requester & { readonly userId: string }): Promise<void> {
    await this.unitOfWork.run(async ({ accounts, audit, factors, sessions, users }) => {
      await accounts.lock(accountId);
      const user = await users.lock(userId);
      if (user?.toState().accountId !== accountId) throw new UserNotFound();
      await factors.removeAll(user.toState().personId);
      await sessions.endOthers(userId);
      const at = this.clock.now();
      await audit.append(userChanged({ at, actor, action: 'user.factors_reset', user: user.toState() }));
    });
  }
}
