import { inject, injectable } from '../ports/inject';
import { delegationOf } from '../../domain/dns/delegation/delegation';
import type { LeavingWarnings } from '../ports/dns/hosted-names';
import { ZoneSigningReader } from '../ports/dns/signing-repository';
import { RegistrationSettings } from '../registration/registration-settings';

const ORDER = 'Switch DNSSEC off, wait until its state is off, and then';
/** As long as resolvers may keep the former delegation: most registries have TTLs of up to two days. */
const DELEGATION_TTL = 'two days';

/** Warnings before a domain whose DS records are at the registry leaves our nameservers: without them, resolvers reject its answers. */
@injectable()
export class StoredLeavingWarnings implements LeavingWarnings {
  constructor(
    @inject(ZoneSigningReader) private readonly signings: Pick<ZoneSigningReader, 'find'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  async ofNameservers(domainId: string, hosts: readonly string[]): Promise<readonly string[]> {
    const isOurs = delegationOf(hosts, this.settings.defaultNameservers) === 'ours';
    if (isOurs || !(await this.hasDsRecords(domainId))) return [];
    return [
      `DNSSEC is on, and other nameservers do not have its keys: resolvers will reject their answers. ${ORDER} change the nameservers`,
    ];
  }

  async ofTransfer(domainId: string): Promise<readonly string[]> {
    if (!(await this.hasDsRecords(domainId))) return [];
    return [
      `DNSSEC is on, and after the transfer this service no longer serves the signed zone: resolvers will reject other answers. ${ORDER} transfer the domain`,
    ];
  }

  ofNameserversLeft(nameservers: readonly string[]): readonly string[] {
    if (delegationOf(nameservers, this.settings.defaultNameservers) === 'elsewhere') return [];
    return [
      `The nameservers of this service stop answering for the domain when it has left. First set up its records at another DNS provider, change the nameservers, and wait ${DELEGATION_TTL}`,
    ];
  }

  private async hasDsRecords(domainId: string): Promise<boolean> {
    return (await this.signings.find(domainId))?.mayHaveDsRecords ?? false;
  }
}
