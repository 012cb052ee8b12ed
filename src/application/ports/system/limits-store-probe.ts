import { token } from '../inject';

/** The state of the store of shared limits. Bound only if LIMITS_STORE is set. */
export interface LimitsStoreProbe {
  /** Whether it accepts a write. Takes up to a second. */
  responds(): Promise<boolean>;
  /** Whether the last call failed. Known without a call. */
  readonly isAway: boolean;
}
export const LimitsStoreProbe = token<LimitsStoreProbe>('LimitsStoreProbe');
