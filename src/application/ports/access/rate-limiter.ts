export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window starts anew. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Counts requests of a caller in a window of time. A store shared between processes may stand behind it. */
export interface RateLimiter {
  /** Counts one more for `key`. Undefined where limiting is off. */
  consume(key: string): Promise<RateLimitState | undefined>;
}
/** Per account, for requests with a valid key. */
export const AccountRateLimiter = Symbol('AccountRateLimiter');
/** Per client address, for failed authentications. */
export const FailedAuthLimiter = Symbol('FailedAuthLimiter');
/** Per client address, for attempts to sign in from browsers that may be anybody's. */
export const SignInAddressLimiter = Symbol('SignInAddressLimiter');
/** Per e-mail, for attempts to sign in from browsers that may be anybody's. */
export const SignInEmailLimiter = Symbol('SignInEmailLimiter');
/** Per e-mail, for attempts to sign in from browsers in which its owner has been in. */
export const SignInKnownLimiter = Symbol('SignInKnownLimiter');
