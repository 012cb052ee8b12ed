import type { DsRecord, DomainName, GlueHost, RegistryDomain } from '../../../adapter';
import { RealtimeRegisterError, type RealtimeRegisterClient } from './realtimeregister-client';
import { afterwards, rejecting, type RealtimeRegisterDomains } from './realtimeregister-domains';
import { toDsRecords, toDnssec } from './realtimeregister-mapping';

/** Nameservers, glue and DS records of a name. */
export class RealtimeRegisterDelegation {
  constructor(
    private readonly client: RealtimeRegisterClient,
    private readonly domains: RealtimeRegisterDomains,
  ) {}

  async setNameservers(name: DomainName, hosts: readonly string[], glue: readonly GlueHost[]): Promise<RegistryDomain> {
    await this.domains.requireHeld(name);
    for (const { host, addresses } of glue) await this.ensureHost(host, addresses);
    return this.domains.update(name, { ns: hosts });
  }

  /** Of hosts that exist. */
  async setGlue(name: DomainName, glue: readonly GlueHost[]): Promise<void> {
    await this.domains.requireHeld(name);
    for (const { host, addresses } of glue)
      await rejecting(() => this.client.updateHost(host, written(addresses)).catch(unlessMissing));
  }

  async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    return toDsRecords(await this.domains.requireHeld(name));
  }

  async setDsRecords(name: DomainName, dsRecords: readonly DsRecord[]): Promise<readonly DsRecord[]> {
    const domain = await this.domains.requireHeld(name);
    const present = toDsRecords(domain);
    if (textOf(present) === textOf(dsRecords)) return present;
    await rejecting(() => this.client.act(name.value, '/update', toDnssec(dsRecords, domain)));
    return afterwards(() => this.dsRecords(name));
  }

  /** Creates the host with its addresses, or replaces them. */
  private async ensureHost(host: string, addresses: readonly string[]): Promise<void> {
    try {
      await this.client.createHost(host, written(addresses));
    } catch (error) {
      const exists = error instanceof RealtimeRegisterError && (error.type === 'ObjectExists' || error.status === 409);
      await rejecting(() =>
        exists ? this.client.updateHost(host, written(addresses)) : Promise.reject(error as Error),
      );
    }
  }
}

function written(addresses: readonly string[]): readonly object[] {
  return addresses.map((address) => ({ ipVersion: address.includes(':') ? 'V6' : 'V4', address }));
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof RealtimeRegisterError) || error.type !== 'ObjectDoesNotExist') throw error;
}

/** Equal for the same DS records in any order. */
function textOf(dsRecords: readonly DsRecord[]): string {
  return dsRecords
    .map(({ keyTag, algorithm, digestType, digest }) => [keyTag, algorithm, digestType, digest].join(' '))
    .toSorted()
    .join();
}
