import { inject, injectable } from 'inversify';
import { DomainNotFound } from '../../../domain/registration/errors';
import { ZonePublisher } from '../../ports/dns/zone-publisher';
import { RecordReader } from '../../ports/dns/zone-repository';

/** Sends NOTIFY for a zone as it is, in the background. Changes of records do this by themselves. @throws DomainNotFound */
@injectable()
export class NotifySecondaries {
  constructor(
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
  ) {}

  async execute({
    accountId,
    domainId,
    zoneName,
  }: {
    accountId: string;
    domainId: string;
    zoneName: string;
  }): Promise<void> {
    const version = await this.records.zoneVersionFor(accountId, domainId);
    if (version === undefined) throw new DomainNotFound();
    this.publisher.notifySecondaries({ domainId, zoneName, version });
  }
}
