/** What DNS needs to know of a name whose zone is here, with or without a registration. */
export interface HostedName {
  /** Also its zone's. */
  readonly id: string;
  readonly accountId: string;
  /** The zone's, in A-labels. */
  readonly name: string;
  readonly tags: readonly string[];
  /** The host names that the parent delegates to. */
  readonly nameservers: readonly string[];
  /** Whether the name is registered here: then its registry gets the addresses of nameservers under it from here. */
  readonly isRegistered: boolean;
  /** Whether the nameservers answer for the zone. */
  readonly isServed: boolean;
  /** Why its records cannot be changed; null if they can. */
  readonly immutableBecause: string | null;
}
