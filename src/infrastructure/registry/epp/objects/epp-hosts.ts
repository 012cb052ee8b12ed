import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { CommandId, CommandIds } from '../session/command-ids';
import type { EppClient } from '../session/epp-client';
import { forTld } from '../mapping/commands/command';
import type { DelegatedHost } from '../mapping/commands/domain-commands';
import { hostAddresses, missingHosts } from '../mapping/host-data';
import { checkHosts, createHost, deleteHost, infoHost, updateHost } from '../mapping/commands/host-commands';
import type { EppResponse } from '../mapping/response';
import { detailsOf, RESULT, isSuccess } from '../mapping/result-codes';

/** Host objects (RFC 5732). `tld` is that of the domain: a registry of several TLDs may keep hosts for each. */
export class EppHosts {
  constructor(private readonly client: EppClient) {}

  /** Creates the hosts that do not exist. @throws RegistryRejected if the registry refuses one, RegistryUnavailable */
  async ensure(hosts: readonly string[], tld: string, ids: CommandIds): Promise<void> {
    if (hosts.length === 0) return;
    for (const host of missingHosts(await this.client.sendOrThrow(forTld(checkHosts(hosts), tld)))) {
      const response = await this.client.send(forTld(createHost(host, []), tld), ids.additional());
      if (response.code !== RESULT.exists) assertSuccess(response, host);
    }
  }

  /** Creates a subordinate host, or replaces its addresses. */
  async ensureGlue({ host, addresses }: DelegatedHost, tld: string, ids: CommandIds): Promise<void> {
    const created = await this.client.send(forTld(createHost(host, addresses), tld), ids.additional());
    if (created.code !== RESULT.exists) {
      assertSuccess(created, host);
      return;
    }
    await this.updateGlue({ host, addresses }, tld, () => ids.additional());
  }

  /** Replaces the addresses of a subordinate host. Does nothing if it does not exist. */
  async updateGlue({ host, addresses }: DelegatedHost, tld: string, id: () => CommandId): Promise<void> {
    const info = await this.client.send(forTld(infoHost(host), tld));
    if (info.code === RESULT.missing) return;
    assertSuccess(info, host);
    const present = hostAddresses(info);
    const added = addresses.filter((address) => !present.includes(address));
    const removed = present.filter((address) => !addresses.includes(address));
    if (added.length + removed.length > 0)
      assertSuccess(await this.client.send(forTld(updateHost(host, added, removed), tld), id()), host);
  }

  /** Returns false if other domains are delegated to the host. */
  async remove(host: string, tld: string, ids: CommandIds): Promise<boolean> {
    const response = await this.client.send(forTld(deleteHost(host), tld), ids.additional());
    if (response.code === RESULT.associated) return false;
    if (response.code !== RESULT.missing) assertSuccess(response, host);
    return true;
  }
}

/** Any failure about a host is a `policy` rejection, whatever its code means for a domain. */
function assertSuccess(response: EppResponse, host: string): void {
  if (!isSuccess(response)) throw new RegistryRejected('policy', `${host}: ${detailsOf(response)}`);
}
