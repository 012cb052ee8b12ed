import { token } from '../inject';
import type { Reader } from '../../../domain/access/actor';
import type { HostedName } from '../../../domain/dns/hosted-name';

export interface WantedName {
  readonly accountId: string;
  readonly domainId: string;
}

/** Reads committed state. */
export interface HostedNameReader {
  find(accountId: string, domainId: string): Promise<HostedName | undefined>;
  /** Those of all accounts among `names`, in any order. */
  among(names: readonly string[]): Promise<readonly HostedName[]>;
  /** Those that the requester may see and whose records can be changed, in pages, oldest first. @throws LimitedKey */
  all(requester: Reader): AsyncIterable<readonly HostedNameRef[]>;
  /** Those of `hosts` that names of any account have as nameservers. */
  nameserversAmong(hosts: readonly string[]): Promise<readonly string[]>;
}
export const HostedNameReader = token<HostedNameReader>('HostedNameReader');

export type HostedNameRef = Pick<HostedName, 'id' | 'name'>;

/** Within a unit of work. */
export interface HostedNameRepository extends Pick<HostedNameReader, 'among' | 'nameserversAmong'> {
  /**
   * Each of `wanted`, in that order, as committed and not locked; those that are gone or another account's are undefined.
   * A caller that has locked the zone can rely on the delegation and on whether the zone is served: a change of the delegation waits for the zone.
   */
  findEach(wanted: readonly WantedName[]): Promise<readonly (HostedName | undefined)[]>;
}

/** Warnings before a domain leaves our nameservers, as sentences. Reads committed state. */
export interface LeavingWarnings {
  /** Of a change of the nameservers to `hosts`: resolvers would reject the answers, because the DS records stay. */
  ofNameservers(domainId: string, hosts: readonly string[]): Promise<readonly string[]>;
  /** Of a transfer to another registrar, which usually ends our DNS service, too. */
  ofTransfer(domainId: string): Promise<readonly string[]>;
  /** Of a domain that leaves with its records on our nameservers. */
  ofNameserversLeft(nameservers: readonly string[]): readonly string[];
}
export const LeavingWarnings = token<LeavingWarnings>('LeavingWarnings');
