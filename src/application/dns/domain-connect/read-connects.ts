import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { requireName } from '../../access/require-domain';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import { ZoneDiscoveryReader, type ZoneDiscovery } from '../../ports/dns/templates-and-domain-connect';

/** Whether service providers may ask to change a zone, and whether they find it. @throws DomainNotFound, LimitedKey */
@injectable()
export class ReadConnects {
  constructor(
    @inject(HostedNameReader) private readonly names: Pick<HostedNameReader, 'find'>,
    @inject(ZoneDiscoveryReader) private readonly zones: Pick<ZoneDiscoveryReader, 'find'>,
  ) {}

  async execute({ accountId, actor, domainId }: Reader & { readonly domainId: string }): Promise<ZoneDiscovery> {
    requireName(await this.names.find(accountId, domainId), { actor }, 'read');
    const zone = await this.zones.find(domainId);
    if (!zone) throw new DomainNotFound();
    return zone;
  }
}
