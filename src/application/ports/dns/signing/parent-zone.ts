import type { DelegationSigner } from '../../../../domain/dns/delegation-signer';

/** The DS records of a name as its parent's nameservers serve them. */
export interface PublishedSigners {
  /** Those of each nameserver that answered, at least one. */
  readonly sets: readonly (readonly DelegationSigner[])[];
  /** Whether every nameserver of the parent answered: the others may serve former records. */
  readonly isComplete: boolean;
  /** The longest TTL of the records, in seconds; undefined if there are none. */
  readonly ttl: number | undefined;
}

/** Asks the nameservers of parent zones. */
export interface ParentZone {
  /** Undefined if no resolver is configured to find the nameservers, or none of them answers. Never fails. */
  signersOf(name: string): Promise<PublishedSigners | undefined>;
}
export const ParentZone = Symbol('ParentZone');
