import { token } from '../inject';
import type { AliasAddresses } from '../../../domain/dns/alias/alias-addresses';
import type { AddressType, ResolverAnswer } from '../../../domain/dns/alias/alias-chain';
import type { AliasTarget } from '../../../domain/dns/alias/alias-target';

/** An ALIAS record, by its owner name, with the addresses that its zone has in its place. */
export interface Alias {
  readonly domainId: string;
  /** Relative to the zone; `@` for the apex. */
  readonly name: string;
  /** In lower case without the trailing dot. */
  readonly target: string;
  readonly addresses: AliasAddresses;
}

/** What people see of an ALIAS record. */
export interface AliasStatus extends Alias {
  /** Undefined if the target was never looked up. */
  readonly state: Pick<AliasTarget, 'error' | 'failingSince' | 'checkedAt'> | undefined;
}

/** By the last look-up. Those that were never looked up are unanswered, too. */
export type TargetGroup = 'answered' | 'unanswered';

/** Reads committed state. */
export interface AliasReader {
  /** Whether any alias or target is due. */
  hasDue(at: Date): Promise<boolean>;
  /** New and changed aliases, and those whose target has other addresses; the longest due first. */
  dueAliases(at: Date, limit: number): Promise<readonly Alias[]>;
  /** The longest due first; `isUsed` unless no ALIAS record of a domain that has not ended has the target. */
  dueTargets(
    at: Date,
    limit: number,
    group: TargetGroup,
  ): Promise<readonly (AliasTarget & { readonly isUsed: boolean })[]>;
  targets(targets: readonly string[]): Promise<readonly AliasTarget[]>;
  /** The target of the ALIAS record at an absolute owner name, or of the wildcard that covers it, if one of our zones has it. */
  targetAt(ownerName: string): Promise<string | undefined>;
  /** Those of a domain, at some owner names or all, sorted by name. */
  statuses(domainId: string, names?: readonly string[]): Promise<readonly AliasStatus[]>;
  /** Those of a domain whose target has an error, sorted by name. */
  failing(domainId: string, limit: number): Promise<readonly AliasStatus[]>;
}
export const AliasReader = token<AliasReader>('AliasReader');

/** Within a unit of work. Rows of aliases come and go with their records, in the transaction of the zone's change. */
export interface AliasRepository {
  /** Those of a domain at some owner names, as they are in this unit of work. */
  find(domainId: string, names: readonly string[]): Promise<readonly Alias[]>;
  findTargets(targets: readonly string[]): Promise<readonly AliasTarget[]>;
  /**
   * Stores the addresses of aliases of a locked zone, which are then not due any more, and keeps the change for the difference that leads
   * to `serial` (RFC 1995). Does not raise the serial.
   */
  setAddresses(
    domainId: string,
    aliases: readonly Pick<Alias, 'name' | 'addresses'>[],
    kept: { readonly serial: number; readonly at: Date },
  ): Promise<void>;
  /** These aliases of a domain are due then, or not any more. */
  setDue(domainId: string, names: readonly string[], at: Date | null): Promise<void>;
  /** Inserts targets that are not known yet. */
  addTargets(targets: readonly AliasTarget[]): Promise<void>;
  saveTargets(targets: readonly AliasTarget[]): Promise<void>;
  /** Removes those of these targets that no ALIAS record of a domain that has not ended has. */
  removeUnused(targets: readonly string[]): Promise<void>;
  /** Makes some aliases of a target due, in order of domain and name. Returns the last of them, undefined if none is left. */
  makeDue(target: string, at: Date, limit: number, after?: AliasPosition): Promise<AliasPosition | undefined>;
}

export type AliasPosition = Pick<Alias, 'domainId' | 'name'>;

export type ResolverResponse =
  | ({ readonly kind: 'answered' } & ResolverAnswer)
  /** The resolver did not respond, or cannot answer. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The recursive resolver that follows the targets of ALIAS records. Limits the rate of its queries: a call may wait. */
export interface AliasResolver {
  /** Without a resolver, ALIAS records cannot be added, and present ones keep their addresses. */
  readonly isConfigured: boolean;
  /** Never throws. @param name in lower case without the trailing dot */
  query(name: string, type: AddressType): Promise<ResolverResponse>;
  /** Whether a zone may have the address: it is public, or the operator allows its network. */
  isPublishable(address: string): boolean;
}
export const AliasResolver = token<AliasResolver>('AliasResolver');
