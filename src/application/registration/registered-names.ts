import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import type { HostedName } from '../../domain/dns/hosted-name';
import { Domain } from '../../domain/registration/domain';
import { isAllowed } from '../../domain/registration/domain-status';
import type { HostedNameReader, HostedNameRepository, HostedNameRef } from '../ports/dns/hosted-names';
import { DomainReader, type DomainRepository } from '../ports/registration/domain-repository';
import { ListDomains } from './list-domains';

/** The names that have a zone here, registered or not. */
@injectable()
export class RegisteredNames implements HostedNameReader {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(ListDomains) private readonly lists: ListDomains,
  ) {}

  async find(accountId: string, domainId: string): Promise<HostedName | undefined> {
    return (await this.domains.find(accountId, domainId))?.hostedName;
  }

  async among(names: readonly string[]): Promise<readonly HostedName[]> {
    return namesAmong(this.domains, names);
  }

  async *all(requester: Reader): AsyncGenerator<readonly HostedNameRef[]> {
    for await (const page of this.lists.all(requester, { of: 'zones' }))
      yield page.filter(({ status }) => isAllowed(status, 'change DNS records'));
  }

  nameserversAmong(hosts: readonly string[]): Promise<readonly string[]> {
    return this.domains.nameserversAmong(hosts);
  }
}

export function registeredNamesIn(domains: DomainRepository): HostedNameRepository {
  return {
    among: (names) => namesAmong(domains, names),
    findEach: async (wanted) => (await domains.findEach(wanted)).map((domain) => domain?.hostedName),
    nameserversAmong: (hosts) => domains.nameserversAmong(hosts),
  };
}

async function namesAmong(
  domains: Pick<DomainReader, 'zonesAmong'>,
  names: readonly string[],
): Promise<readonly HostedName[]> {
  return (await domains.zonesAmong(names)).map((state) => Domain.fromState(state).hostedName);
}
