import { token } from '../inject';

export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the next window starts. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export type Limit =
  | 'account'
  | 'failed-auth'
  | 'sign-in-address'
  | 'sign-in-email'
  | 'sign-in-known'
  | 'password'
  | 'second-factor'
  | 'set-up-mail';

/** Counts requests of a caller in a window of time. A store shared between processes may stand behind it. */
export interface RateLimiter<L extends Limit = Limit> {
  /**
   * Counts `cost` units for `key`, one by default; nothing if they exceed the limit. Undefined if limiting is off.
   * @param spent what the request has cost already: all of it together costs at most the whole limit
   */
  consume(key: string, cost?: number, spent?: number): Promise<RateLimitState | undefined>;
  /** No limiter has it: it tells the compiler which limit a parameter takes. */
  readonly limits?: L;
}

const OCTETS_PER_UNIT = 65_536;

/** What a long body costs besides its request: 4 KB of gzip can hold 8 MB, of which each line takes its time. */
export function costOfOctets(octets: number): number {
  return Math.floor(octets / OCTETS_PER_UNIT);
}
/** Per account, for requests with a valid key. */
export const AccountRateLimiter = token<RateLimiter<'account'>>('AccountRateLimiter');
/** Per client address (IPv6: per /64), for failed authentications. */
export const FailedAuthLimiter = token<RateLimiter<'failed-auth'>>('FailedAuthLimiter');
/** Per client address (IPv6: per /64), for sign-in attempts from unknown devices. */
export const SignInAddressLimiter = token<RateLimiter<'sign-in-address'>>('SignInAddressLimiter');
/** Per e-mail, for sign-in attempts from unknown devices. */
export const SignInEmailLimiter = token<RateLimiter<'sign-in-email'>>('SignInEmailLimiter');
/** Per person, for sign-in attempts from browsers in which the person has signed in. */
export const SignInKnownLimiter = token<RateLimiter<'sign-in-known'>>('SignInKnownLimiter');
/** Per person, for passwords that a signed-in person enters again. Apart from sign-in, whose texts strangers choose. */
export const PasswordLimiter = token<RateLimiter<'password'>>('PasswordLimiter');
/** Per e-mail, for mails with a link that sets a password. */
export const SetUpMailLimiter = token<RateLimiter<'set-up-mail'>>('SetUpMailLimiter');
/** Per person, for codes of a second factor and recovery codes. */
export const SecondFactorLimiter = token<RateLimiter<'second-factor'>>('SecondFactorLimiter');

/** The state of the store of shared limits. Bound only if LIMITS_STORE is set. */
export interface LimitsStoreProbe {
  /** Whether it accepts a write. Takes up to a second. */
  responds(): Promise<boolean>;
  /** Whether the last call failed. Known without a call. */
  readonly isAway: boolean;
}
export const LimitsStoreProbe = token<LimitsStoreProbe>('LimitsStoreProbe');

/** What accounts have a daily quota for: bytes of zone history, and of responses kept for an Idempotency-Key. */
export type UsageKind = 'zone history' | 'stored responses';

export interface UsageEntry {
  readonly accountId: string;
  readonly kind: UsageKind;
  readonly bytes: number;
}

/** How many bytes accounts have used on each day, counted over all processes. @throws StorageUnavailable */
export interface DailyUsage {
  /** `day` is its first instant in UTC. */
  total(day: Date, accountId: string, kind: UsageKind): Promise<number>;
  /** All or none. */
  add(day: Date, entries: readonly UsageEntry[]): Promise<void>;
}
export const DailyUsage = token<DailyUsage>('DailyUsage');
