import type { DomainName } from './domain-name';

/** What a registry asks of every name under one of its suffixes. */
export interface TldPolicy {
  /** Lower-case A-labels without a leading dot: `com`, `co.uk`. */
  readonly suffix: string;
  /** For how many years a name can be registered. */
  readonly years: YearRange;
  /** For how many years it can be renewed. */
  readonly renewalYears: YearRange;
  readonly nameservers: { readonly min: number; readonly max: number };
  readonly periods: LifecyclePeriods;
}

/** Every whole number of years from `min` to `max` is sold. */
export interface YearRange {
  readonly min: number;
  readonly max: number;
}

/** Length of each period of a domain's life, in days. */
export interface LifecyclePeriods {
  /** After creation: deletion takes effect at once and is refunded (RFC 3915 addPeriod). */
  readonly addGrace: number;
  /** After expiry: the registry has added a year by itself and takes it back on deletion (autoRenewPeriod). */
  readonly autoRenewGrace: number;
  /** After expiry: how long we let the account renew; shorter than `autoRenewGrace`, which pays for it. */
  readonly renewalGrace: number;
  /** After deletion: only a restore brings the name back (redemptionPeriod). */
  readonly redemption: number;
  /** After redemption: nothing is possible any more (pendingDelete). */
  readonly pendingDelete: number;
  /** How long a request to transfer the name away waits before it takes effect (pendingTransfer). */
  readonly transfer: number;
  /** How long an auth code is valid. */
  readonly authCode: number;
}

/** The policies of everything served, found by name. */
export class TldPolicies<P extends TldPolicy = TldPolicy> {
  private readonly bySuffix: ReadonlyMap<string, P>;

  constructor(policies: readonly P[]) {
    this.bySuffix = new Map(policies.map((policy) => [policy.suffix, policy]));
  }

  /** The policy for a name that is exactly one label under a served suffix and not itself such a suffix. */
  forName(name: DomainName): P | undefined {
    return this.bySuffix.has(name.value) ? undefined : this.bySuffix.get(name.parent);
  }

  serves(suffix: string): boolean {
    return this.bySuffix.has(suffix);
  }
}
