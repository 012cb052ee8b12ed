import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { ZonePublisher } from '../../ports/dns/publishing';
import { RecordReader } from '../../ports/dns/zone-queries';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import { requireName } from '../../access/require-domain';

/** Sends NOTIFY for a zone as it is, in the background. Changes of records do this by themselves. @throws DomainNotFound, LimitedKey */
@injectable()
export class NotifySecondaries {
  constructor(
    @inject(HostedNameReader) private readonly names: HostedNameReader,
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
  ) {}

  async execute({ accountId, actor, domainId }: Requester & { readonly domainId: string }): Promise<void> {
    const { name: zoneName } = requireName(await this.names.find(accountId, domainId), { actor }, 'write');
    const zone = await this.records.find(domainId);
    if (!zone) throw new DomainNotFound();
    this.publisher.notifySecondaries({ domainId, zoneName, serial: zone.serial });
  }
}
