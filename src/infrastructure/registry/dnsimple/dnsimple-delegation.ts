import { RegistryRejected, type DsRecord, type DomainName, type GlueHost, type RegistryDomain } from '../../../adapter';
import type { DnsimpleClient } from './dnsimple-client';
import { afterwards, rejecting, type DnsimpleDomains } from './dnsimple-domains';
import { wouldCreate, toDsRecord, toDnsimpleDsRecord, toRegistryDomain } from './dnsimple-mapping';

/** Nameservers and DS records of a name. */
export class DnsimpleDelegation {
  private readonly keyTlds = new Map<string, boolean>();

  constructor(
    private readonly client: DnsimpleClient,
    private readonly domains: DnsimpleDomains,
  ) {}

  /** Without glue: DNSimple takes addresses of hosts under the name in its own zones only. */
  async setNameservers(name: DomainName, hosts: readonly string[], glue: readonly GlueHost[]): Promise<RegistryDomain> {
    const domain = await this.domains.requireHeld(name);
    if (glue.some(({ host }) => host.endsWith(`.${name.value}`)))
      throw new RegistryRejected('policy', `DNSimple takes no addresses of nameservers under ${name.value}`);
    const present = await rejecting(() => this.client.setNameservers(name.value, hosts));
    const locked = await afterwards(() => this.domains.isLocked(name));
    return toRegistryDomain(domain, present, locked, this.domains.timeOf(name));
  }

  async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    const records = await rejecting(() => this.client.dsRecords(name.value));
    return records.map((record) => toDsRecord(name, record));
  }

  /** Adds before it removes, so that the chain of trust is never broken. */
  async setDsRecords(name: DomainName, dsRecords: readonly DsRecord[]): Promise<readonly DsRecord[]> {
    const takesKeys = await this.takesKeys(name.parent);
    const all = dsRecords.map((dsRecord) => toDnsimpleDsRecord(dsRecord, takesKeys));
    // Of several digests of one key, the key once.
    const wanted = all.filter((dsRecord, index) => !all.slice(0, index).some((other) => wouldCreate(other, dsRecord)));
    const present = await rejecting(() => this.client.dsRecords(name.value));
    const missing = wanted.filter((dsRecord) => !present.some((record) => wouldCreate(record, dsRecord)));
    const obsolete = present.filter((record) => !wanted.some((dsRecord) => wouldCreate(record, dsRecord)));
    for (const dsRecord of missing) await rejecting(() => this.client.addDsRecord(name.value, dsRecord));
    for (const { id } of obsolete) await rejecting(() => this.client.removeDsRecord(name.value, id));
    return afterwards(() => this.dsRecords(name));
  }

  private async takesKeys(tld: string): Promise<boolean> {
    const known = this.keyTlds.get(tld) ?? (await rejecting(() => this.client.takesKeys(tld)));
    this.keyTlds.set(tld, known);
    return known;
  }
}
