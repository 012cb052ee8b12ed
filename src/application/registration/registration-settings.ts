/** What the operator configures about registration. */
export interface RegistrationSettings {
  /** Delegation of a domain that is registered without one. */
  readonly defaultNameservers: readonly string[];
  /** Searched where a search names no TLDs. */
  readonly defaultSearchTlds: readonly string[];
  /** How long a search waits for registries, in milliseconds. */
  readonly searchTimeoutMs: number;
  /** ISO 4217; every price is in it. */
  readonly currency: string;
}
export const RegistrationSettings = Symbol('RegistrationSettings');
