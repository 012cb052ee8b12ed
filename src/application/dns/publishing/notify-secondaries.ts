import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { ZonePublisher } from '../../ports/dns/zone-publisher';
import { RecordReader } from '../../ports/dns/zone-repository';
import { DomainReader } from '../../ports/registration/domain-repository';
import { requireDomain } from '../../access/require-domain';

/** Sends NOTIFY for a zone as it is, in the background. Changes of records do this by themselves. @throws DomainNotFound, LimitedKey */
@injectable()
export class NotifySecondaries {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
  ) {}

  async execute({ accountId, actor, domainId }: Requester & { readonly domainId: string }): Promise<void> {
    const domain = requireDomain(await this.domains.find(accountId, domainId), { actor }, 'write');
    const zone = await this.records.find(domainId);
    if (!zone) throw new DomainNotFound();
    this.publisher.notifySecondaries({ domainId, zoneName: domain.name.value, serial: zone.serial });
  }
}
