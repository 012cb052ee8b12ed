import { token } from '../inject';
import type { ZoneDelegation } from '../../../domain/dns/delegation';

/** What the nameservers of a parent zone say of a name. */
export type DelegationAnswer =
  | { readonly kind: 'delegated'; readonly nameservers: readonly string[] }
  /** `parents`: the nameservers that said so; they answer for the name themselves. */
  | { readonly kind: 'none'; readonly parents: readonly string[] }
  /** None of them answers, or they disagree. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The texts of a name at one nameserver. */
export interface TextAnswer {
  readonly nameserver: string;
  /** Undefined without an authoritative answer. */
  readonly texts: readonly string[] | undefined;
}

/**
 * Asks nameservers themselves, over TCP: neither a cache nor a spoofed packet answers. Connects to public addresses only, unless the
 * operator allows others. What a nameserver can send is limited in time and size. Never fails.
 */
export interface ParentDelegations {
  /** What all answering nameservers of the closest zone above say alike. */
  find(name: string): Promise<DelegationAnswer>;
  /** The TXT records of a full name at each of these nameservers. */
  texts(name: string, nameservers: readonly string[]): Promise<readonly TextAnswer[]>;
}
export const ParentDelegations = token<ParentDelegations>('ParentDelegations');

/** Within a unit of work. */
export interface ZoneDelegationRepository {
  find(domainId: string): Promise<ZoneDelegation | undefined>;
  save(delegation: ZoneDelegation): Promise<void>;
  /** The zone is as one whose parent was never asked. */
  forget(domainId: string): Promise<void>;
}
