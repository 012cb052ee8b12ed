import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { GlueHost } from '../../../../application/ports/registry/registry-port';
import type { DomainName } from '../../../../domain/registration/domain-name';
import type { CommandId, CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import type { EppDomains } from './epp-domains';
import { EppHosts } from './epp-hosts';
import { updateDomain, type DelegatedHost, type DomainUpdate, type HostMode } from '../mapping/domain-commands';
import type { DomainInfo } from '../mapping/domain-data';
import type { EppResponse } from '../mapping/response';
import { detailsOf, rejectionOf, RESULT, succeeded } from '../mapping/result-codes';

/** The nameservers of domains, as host objects or as attributes of the domain. */
export class EppDelegation {
  private readonly objects: EppHosts;

  constructor(
    private readonly client: EppClient,
    private readonly hostMode: HostMode,
    private readonly domains: Pick<EppDomains, 'own'>,
  ) {
    this.objects = new EppHosts(client);
  }

  /** The hosts with the addresses that those under `name` itself need. @throws RegistryRejected (`policy`) where one has none and is not there either */
  hostsOf(
    name: DomainName,
    hosts: readonly string[],
    glue: readonly GlueHost[] = [],
    present?: DomainInfo,
  ): readonly DelegatedHost[] {
    return hosts.map((host) => {
      if (!isUnder(host, name)) return { host, addresses: [] };
      const known = present?.delegation.find((each) => each.host === host);
      const addresses = glue.find((each) => each.host === host)?.addresses ?? known?.addresses ?? [];
      if (addresses.length === 0 && !known && !present?.subordinateHosts.includes(host))
        throw new RegistryRejected(
          'policy',
          `${host} is under ${name.value} and needs an A or AAAA record there first`,
        );
      return { host, addresses };
    });
  }

  /** Creates the hosts that the registry lacks, before a domain is delegated to them; those with addresses get these. */
  async prepare(hosts: readonly DelegatedHost[], ids: CommandIds): Promise<void> {
    if (this.hostMode === 'attribute') return;
    for (const host of hosts) if (host.addresses.length > 0) await this.objects.ensureGlue(host, ids);
    await this.objects.ensure(
      hosts.flatMap(({ host, addresses }) => (addresses.length === 0 ? [host] : [])),
      ids,
    );
  }

  /**
   * Replaces the delegation by what is missing and what is too much. Hosts come first: a registry that removes before it
   * checks what to add leaves a domain without delegation when it then misses one. What it did of an update that it
   * refused is read again before the second, which is the difference from that.
   * @throws RegistryRejected; a part of the change may have been carried out
   */
  async replace(
    name: DomainName,
    present: DomainInfo,
    wanted: readonly DelegatedHost[],
    ids: CommandIds,
  ): Promise<void> {
    await this.prepare(
      wanted.filter(({ addresses }) => addresses.length > 0),
      ids,
    );
    const first = await this.sendDifference(name, present.delegation, wanted, ids);
    if (!first || succeeded(first)) return;
    const { delegation } = await this.domains.own(name);
    const isUnchanged =
      this.without(delegation, present.delegation).length + this.without(present.delegation, delegation).length === 0;
    if (isUnchanged && first.code !== RESULT.missing) throw rejectionOf(first);
    const second = await this.sendDifference(name, delegation, wanted, ids);
    if (second && !succeeded(second)) throw refusalOf(second);
  }

  /** Undefined where there is no difference. */
  private async sendDifference(
    name: DomainName,
    present: readonly DelegatedHost[],
    wanted: readonly DelegatedHost[],
    ids: CommandIds,
  ): Promise<EppResponse | undefined> {
    const added = this.without(wanted, present);
    const removed = this.without(present, wanted);
    if (added.length + removed.length === 0) return undefined;
    await this.prepare(
      added.filter(({ addresses }) => addresses.length === 0),
      ids,
    );
    return this.update(name, { add: { hosts: added }, remove: { hosts: removed } }, ids.deciding());
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
    return hosts.filter(
      ({ host, addresses }) =>
        !others.some(
          (other) => other.host === host && (this.hostMode === 'object' || sameAddresses(other.addresses, addresses)),
        ),
    );
  }
}

/** The domain is there, so a host is what the registry misses. */
function refusalOf(response: EppResponse): RegistryRejected {
  return response.code === RESULT.missing ? new RegistryRejected('policy', detailsOf(response)) : rejectionOf(response);
}

function isUnder(host: string, name: DomainName): boolean {
  return host.endsWith(`.${name.value}`);
}

function sameAddresses(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((address) => right.includes(address));
}
