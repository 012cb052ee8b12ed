import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { GlueHost } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/shared/domain-name';
import type { CommandId, CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import type { EppDomains } from './epp-domains';
import { EppHosts } from './epp-hosts';
import {
  deleteDomain,
  updateDomain,
  type DelegatedHost,
  type DomainUpdate,
  type HostMode,
} from '../mapping/commands/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import type { EppResponse } from '../mapping/response';
import { detailsOf, rejectionOf, RESULT, isSuccess } from '../mapping/result-codes';

/** Nameservers of domains, as host objects or as host attributes (RFC 5731 section 1.1). */
export class EppDelegation {
  private readonly hosts: EppHosts;

  constructor(
    private readonly client: EppClient,
    private readonly hostMode: HostMode,
    private readonly domains: Pick<EppDomains, 'requireSponsored'>,
  ) {
    this.hosts = new EppHosts(client);
  }

  /**
   * Adds addresses to hosts, as host objects also to those under other names. None at a registry that takes no nameservers.
   * @throws RegistryRejected (`policy`) for a host under `name` itself that has no addresses and does not exist
   */
  delegatedHosts(
    name: DomainName,
    hosts: readonly string[],
    glue: readonly GlueHost[] = [],
    present?: DomainInfo,
  ): readonly DelegatedHost[] {
    if (this.hostMode === 'none') return [];
    return hosts.map((host) => {
      const found = glue.find((each) => each.host === host)?.addresses;
      if (!isUnder(host, name)) return { host, addresses: this.hostMode === 'object' ? (found ?? []) : [] };
      const known = present?.delegation.find((each) => each.host === host);
      const addresses = found ?? known?.addresses ?? [];
      if (addresses.length === 0 && !known && !present?.subordinateHosts.includes(host))
        throw new RegistryRejected('policy', `${host} is under ${name.value} and needs an A or AAAA record first`);
      return { host, addresses };
    });
  }

  /** Creates missing host objects, and updates the addresses of those that have some. */
  async ensureHosts({ parent: tld }: DomainName, hosts: readonly DelegatedHost[], ids: CommandIds): Promise<void> {
    if (this.hostMode !== 'object') return;
    for (const host of hosts) if (host.addresses.length > 0) await this.hosts.ensureGlue(host, tld, ids);
    await this.hosts.ensure(
      hosts.flatMap(({ host, addresses }) => (addresses.length === 0 ? [host] : [])),
      tld,
      ids,
    );
  }

  /**
   * Replaces the delegation. Creates hosts first: some registries apply `rem` before they reject `add`. After a rejected
   * update, reads the domain and sends the remaining difference once more.
   * @throws RegistryRejected; a part of the change may have been applied
   */
  async replace(
    name: DomainName,
    nameservers: readonly string[],
    glue: readonly GlueHost[],
    ids: CommandIds,
  ): Promise<void> {
    if (this.hostMode === 'none') throw new RegistryRejected('unsupported', 'This registry takes no nameservers');
    const present = await this.domains.requireSponsored(name);
    const wanted = this.delegatedHosts(name, nameservers, glue, present);
    await this.ensureHosts(
      name,
      wanted.filter(({ addresses }) => addresses.length > 0),
      ids,
    );
    const first = await this.sendDifference(name, present.delegation, wanted, ids);
    if (!first || isSuccess(first)) return;
    const { delegation } = await this.domains.requireSponsored(name);
    const isUnchanged =
      this.without(delegation, present.delegation).length + this.without(present.delegation, delegation).length === 0;
    if (isUnchanged && first.code !== RESULT.missing) throw rejectionOf(first);
    const second = await this.sendDifference(name, delegation, wanted, ids);
    if (second && !isSuccess(second)) throw toRejection(second);
  }

  /** Replaces the addresses of nameservers under `name` that the registry has. @throws RegistryRejected */
  async updateGlue(name: DomainName, glue: readonly GlueHost[], ids: CommandIds): Promise<void> {
    if (this.hostMode === 'object') {
      for (const host of glue) await this.hosts.updateGlue(host, name.parent, () => ids.main());
      return;
    }
    const { delegation } = await this.domains.requireSponsored(name);
    await this.replace(
      name,
      delegation.map(({ host }) => host),
      glue,
      ids,
    );
  }

  /** Undefined without a difference. */
  private async sendDifference(
    name: DomainName,
    present: readonly DelegatedHost[],
    wanted: readonly DelegatedHost[],
    ids: CommandIds,
  ): Promise<EppResponse | undefined> {
    const added = this.without(wanted, present);
    const removed = this.without(present, wanted);
    if (added.length + removed.length === 0) return undefined;
    await this.ensureHosts(
      name,
      added.filter(({ addresses }) => addresses.length === 0),
      ids,
    );
    return this.update(name, { add: { hosts: added }, remove: { hosts: removed } }, ids.main());
  }

  /** Deletes a domain, after its subordinate hosts if the registry requires that. @throws RegistryRejected */
  async deleteDomain(name: DomainName, ids: CommandIds): Promise<void> {
    const remove = () => this.client.send(deleteDomain(name.value), ids.main());
    let response = await remove();
    if (response.code === RESULT.associated) {
      await this.removeSubordinateHosts(name, await this.domains.requireSponsored(name), ids);
      response = await remove();
    }
    if (!isSuccess(response)) throw rejectionOf(response);
  }

  /**
   * Deletes the subordinate hosts of a domain before the domain is deleted.
   * @throws RegistryRejected (`policy`) if another domain uses one; the domain's delegation is then put back
   */
  private async removeSubordinateHosts(
    name: DomainName,
    { subordinateHosts, delegation }: DomainInfo,
    ids: CommandIds,
  ): Promise<void> {
    const own = delegation.filter(({ host }) => isUnder(host, name));
    if (own.length > 0) {
      const response = await this.update(name, { remove: { hosts: own } }, ids.additional());
      if (!isSuccess(response)) throw rejectionOf(response);
    }
    const removed = new Set<string>();
    for (const host of subordinateHosts) {
      if (await this.hosts.remove(host, name.parent, ids)) {
        removed.add(host);
        continue;
      }
      const left = own.filter((each) => !removed.has(each.host));
      if (left.length > 0) await this.update(name, { add: { hosts: left } }, ids.additional());
      throw new RegistryRejected('policy', `Other domains are delegated to ${host}`);
    }
  }

  private async update(name: DomainName, change: DomainUpdate, id: CommandId): Promise<EppResponse> {
    return this.client.send(updateDomain(name.value, change, this.hostMode), id);
  }

  /** The `hosts` that are not in `others`. Host attributes are compared with their addresses. */
  private without(hosts: readonly DelegatedHost[], others: readonly DelegatedHost[]): readonly DelegatedHost[] {
    return hosts.filter(
      ({ host, addresses }) =>
        !others.some(
          (other) => other.host === host && (this.hostMode === 'object' || sameAddresses(other.addresses, addresses)),
        ),
    );
  }
}

/** The domain exists, so 2303 is about a host. */
function toRejection(response: EppResponse): RegistryRejected {
  return response.code === RESULT.missing ? new RegistryRejected('policy', detailsOf(response)) : rejectionOf(response);
}

function isUnder(host: string, name: DomainName): boolean {
  return host.endsWith(`.${name.value}`);
}

function sameAddresses(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((address) => right.includes(address));
}
