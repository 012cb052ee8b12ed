import type { DomainName } from './domain-name';

/** What a registry asks of every name under one of its suffixes. */
export interface TldPolicy {
  /** Lower-case A-labels without a leading dot: `com`, `co.uk`. */
  readonly suffix: string;
  readonly years: { readonly min: number; readonly max: number };
  readonly nameservers: { readonly min: number; readonly max: number };
  /** How long an auth code is valid. */
  readonly authCodeDays: number;
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
}
