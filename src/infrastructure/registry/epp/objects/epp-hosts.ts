import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import type { DelegatedHost } from '../mapping/domain-commands';
import { hostAddresses, missingHosts } from '../mapping/host-data';
import { checkHosts, createHost, deleteHost, infoHost, updateHost } from '../mapping/host-commands';
import type { EppResponse } from '../mapping/response';
import { detailsOf, RESULT, succeeded } from '../mapping/result-codes';

/** Hosts as objects of a registry. Nobody owns those outside its TLDs; those under a domain belong to whom it does. */
export class EppHosts {
  constructor(private readonly client: EppClient) {}

  /** Makes those that are not there. @throws RegistryRejected where the registry will not have one, RegistryUnavailable */
  async ensure(hosts: readonly string[], ids: CommandIds): Promise<void> {
    if (hosts.length === 0) return;
    for (const host of missingHosts(await this.client.demand(checkHosts(hosts)))) {
      const response = await this.client.ask(createHost(host, []), ids.beside());
      if (response.code !== RESULT.exists) assertTaken(response, host);
    }
  }

  /** Makes a host under a domain of ours, or gives it these addresses and no others. */
  async ensureGlue({ host, addresses }: DelegatedHost, ids: CommandIds): Promise<void> {
    const created = await this.client.ask(createHost(host, addresses), ids.beside());
    if (created.code !== RESULT.exists) {
      assertTaken(created, host);
      return;
    }
    const present = hostAddresses(await this.client.demand(infoHost(host)));
    const added = addresses.filter((address) => !present.includes(address));
    const removed = present.filter((address) => !addresses.includes(address));
    if (added.length + removed.length > 0)
      assertTaken(await this.client.ask(updateHost(host, added, removed), ids.beside()), host);
  }

  /** Whether it is gone; not so where other domains are delegated to it. */
  async remove(host: string, ids: CommandIds): Promise<boolean> {
    const response = await this.client.ask(deleteHost(host), ids.beside());
    if (response.code === RESULT.associated) return false;
    if (response.code !== RESULT.missing) assertTaken(response, host);
    return true;
  }
}

/** What a registry has against a host is its policy, whatever its code means of a domain. */
function assertTaken(response: EppResponse, host: string): void {
  if (!succeeded(response)) throw new RegistryRejected('policy', `${host}: ${detailsOf(response)}`);
}
