import { RegistryRejected } from '../../../application/ports/registry/registry-errors';
import type { GlueHost } from '../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { CommandId, CommandIds } from './command-ids';
import type { EppClient } from './epp-client';
import { EppHosts } from './epp-hosts';
import { updateDomain, type DelegatedHost, type DomainUpdate, type HostMode } from './mapping/domain-commands';
import type { DomainInfo } from './mapping/domain-data';
import type { EppResponse } from './mapping/response';
import { rejectionOf, RESULT, succeeded } from './mapping/result-codes';

/** The nameservers of domains, as host objects or as attributes of the domain. */
export class EppDelegation {
  private readonly objects: EppHosts;

  constructor(
    private readonly client: EppClient,
    private readonly hostMode: HostMode,
  ) {
    this.objects = new EppHosts(client);
  }

  /** The hosts with the addresses that those under `name` itself need. @throws RegistryRejected (`policy`) where one has none and is not there either */
  hostsOf(name: DomainName, hosts: readonly string[], glue: readonly GlueHost[] = [], present?: DomainInfo): readonly DelegatedHost[] {
    return hosts.map((host) => {
      if (!isUnder(host, name)) return { host, addresses: [] };
      const known = present?.delegation.find((each) => each.host === host);
      const addresses = glue.find((each) => each.host === host)?.addresses ?? known?.addresses ?? [];
      if (addresses.length === 0 && !known && !present?.subordinateHosts.includes(host)) throw new RegistryRejected('policy', `${host} is under ${name.value} and needs an A or AAAA record there first`);
      return { host, addresses };
    });
  }

  /** Sees to it that the registry knows the hosts that a domain is about to be delegated to. */
  async prepare(hosts: readonly DelegatedHost[], ids: CommandIds): Promise<void> {
    if (this.hostMode === 'attribute') return;
    await this.objects.ensure(
      hosts.flatMap(({ host, addresses }) => (addresses.length === 0 ? [host] : [])),
      ids,
    );
  }

  /** Replaces the delegation by what is missing and what is too much; hosts that the registry lacks are made when it says so. */
  async replace(name: DomainName, present: DomainInfo, wanted: readonly DelegatedHost[], ids: CommandIds): Promise<void> {
    if (this.hostMode === 'object') for (const host of wanted) if (host.addresses.length > 0) await this.objects.ensureGlue(host, ids);
    const added = this.without(wanted, present.delegation);
    const removed = this.without(present.delegation, wanted);
    if (added.length + removed.length === 0) return;
    const change = { add: { hosts: added }, remove: { hosts: removed } };

    let response = await this.update(name, change, ids.deciding());
    if (response.code === RESULT.missing) {
      await this.prepare(added, ids);
      response = await this.update(name, change, ids.deciding());
    }
    if (!succeeded(response)) throw rejectionOf(response);
  }

  /**
   * Removes the hosts under a domain that is to be deleted. Where another domain is delegated to one of them it stays,
   * and the domain's own delegation is put back.
   * @throws RegistryRejected (`policy`)
   */
  async dissolve(name: DomainName, { subordinateHosts, delegation }: DomainInfo, ids: CommandIds): Promise<void> {
    const own = delegation.filter(({ host }) => isUnder(host, name));
    if (own.length > 0) {
      const response = await this.update(name, { remove: { hosts: own } }, ids.beside());
      if (!succeeded(response)) throw rejectionOf(response);
    }
    const removed = new Set<string>();
    for (const host of subordinateHosts) {
      if (await this.objects.remove(host, ids)) {
        removed.add(host);
        continue;
      }
      const left = own.filter((each) => !removed.has(each.host));
      if (left.length > 0) await this.update(name, { add: { hosts: left } }, ids.beside());
      throw new RegistryRejected('policy', `Other names are delegated to ${host}`);
    }
  }

  private async update(name: DomainName, change: DomainUpdate, id: CommandId): Promise<EppResponse> {
    return this.client.ask(updateDomain(name.value, change, this.hostMode), id);
  }

  /** Those of `hosts` that are not among `others`; as attributes of a domain, hosts with other addresses are others. */
  private without(hosts: readonly DelegatedHost[], others: readonly DelegatedHost[]): readonly DelegatedHost[] {
    return hosts.filter(({ host, addresses }) => !others.some((other) => other.host === host && (this.hostMode === 'object' || sameAddresses(other.addresses, addresses))));
  }
}

function isUnder(host: string, name: DomainName): boolean {
  return host.endsWith(`.${name.value}`);
}

function sameAddresses(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((address) => right.includes(address));
}
