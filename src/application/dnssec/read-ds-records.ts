import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import type { DsRecord } from '../../domain/dns/delegation/ds-record';
import type { Domain } from '../../domain/registration/domain';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { RegistryPort } from '../ports/registry/registry-port';
import { assertSupported } from '../operations/assert-supported';
import { FindDomain } from '../registration/find-domain';

/** Reads the DS records that the registry has. @throws LimitedKey, DomainNotFound, RegistryRejected, RegistryUnavailable */
@injectable()
export class ReadDsRecords {
  constructor(
    @inject(FindDomain) private readonly findDomain: Pick<FindDomain, 'byId'>,
    @inject(RegistryPort) private readonly registry: Pick<RegistryPort, 'dsRecords'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  async execute(
    command: Reader & { readonly domainId: string },
  ): Promise<{ readonly domain: Domain; readonly dsRecords: readonly DsRecord[] }> {
    const domain = await this.findDomain.byId(command, 'read');
    assertSupported(this.policies, domain.name, 'delegation_signers');
    return { domain, dsRecords: await this.registry.dsRecords(domain.name) };
  }
}
