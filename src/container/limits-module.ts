import { ContainerModule, type ServiceIdentifier } from 'inversify';
import {
  AccountRateLimiter,
  FailedAuthLimiter,
  PasswordLimiter,
  SecondFactorLimiter,
  SetUpMailLimiter,
  SignInAddressLimiter,
  SignInEmailLimiter,
  SignInKnownLimiter,
  type Limit,
  type RateLimiter,
  LimitsStoreProbe,
} from '../application/ports/access/rate-limits-and-usage';
import type { Config } from '../config';
import type { LimitsStore } from '../infrastructure/limits/limits-store';
import { MemoryRateLimiter, type RateLimiterSettings } from '../infrastructure/limits/memory-rate-limiter';
import { SharedRateLimiter } from '../infrastructure/limits/shared-rate-limiter';
import { networkOf } from '../infrastructure/system/network-of';

const MINUTE_SECONDS = 60;
const SIGN_IN_WINDOW_SECONDS = 15 * MINUTE_SECONDS;
/** Invitations and new links together; forgotten passwords apart. */
const SET_UP_MAILS_PER_HOUR = 5;
const PEOPLE_BEHIND_ONE_ADDRESS = 5;

/** The limits on requests and attempts: over all replicas with a store, else of this process. */
export function limitsModule(
  { rateLimitPerMinute, failedAuthPerMinute, signInAttempts }: Config,
  store?: LimitsStore,
): ContainerModule {
  const minute = { windowSeconds: MINUTE_SECONDS };
  const signIn = { limit: signInAttempts, windowSeconds: SIGN_IN_WINDOW_SECONDS };
  return new ContainerModule(({ bind }) => {
    const limit = <L extends Limit>(
      limiter: ServiceIdentifier<RateLimiter<L>>,
      kind: NoInfer<L>,
      settings: RateLimiterSettings,
    ) =>
      bind(limiter).toConstantValue(
        store ? new SharedRateLimiter(kind, settings, store) : new MemoryRateLimiter(settings),
      );
    limit(AccountRateLimiter, 'account', { ...minute, limit: rateLimitPerMinute });
    limit(FailedAuthLimiter, 'failed-auth', { ...minute, limit: failedAuthPerMinute, groupOf: networkOf });
    limit(SignInEmailLimiter, 'sign-in-email', signIn);
    limit(SignInKnownLimiter, 'sign-in-known', signIn);
    limit(PasswordLimiter, 'password', signIn);
    limit(SecondFactorLimiter, 'second-factor', signIn);
    limit(SetUpMailLimiter, 'set-up-mail', {
      limit: signInAttempts === 0 ? 0 : SET_UP_MAILS_PER_HOUR,
      windowSeconds: 60 * MINUTE_SECONDS,
    });
    limit(SignInAddressLimiter, 'sign-in-address', {
      ...signIn,
      limit: signInAttempts * PEOPLE_BEHIND_ONE_ADDRESS,
      groupOf: networkOf,
    });
    if (store) bind(LimitsStoreProbe).toConstantValue(store);
  });
}
