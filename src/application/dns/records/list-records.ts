import { inject, injectable } from 'inversify';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { DomainNotFound } from '../../../domain/registration/errors';
import { pagesOf } from '../../pages-of';
import type { ListPosition } from '../../ports/storage/list-position';
import { RecordReader, type RecordFilter } from '../../ports/dns/zone-repository';

/** The records of a domain, oldest first: one page or all pages, with a version of the zone that has them. @throws DomainNotFound before the first page */
@injectable()
export class ListRecords {
  constructor(@inject(RecordReader) private readonly records: RecordReader) {}

  async page(
    accountId: string,
    domainId: string,
    filter: RecordFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<{ zoneVersion: number; records: readonly DnsRecordState[] }> {
    const zoneVersion = await this.zoneVersion(accountId, domainId);
    return { zoneVersion, records: await this.records.page(domainId, filter, limit, after) };
  }

  async all(
    accountId: string,
    domainId: string,
    filter: RecordFilter,
  ): Promise<{ zoneVersion: number; pages: AsyncIterable<readonly DnsRecordState[]> }> {
    const zoneVersion = await this.zoneVersion(accountId, domainId);
    return { zoneVersion, pages: pagesOf((limit, after) => this.records.page(domainId, filter, limit, after)) };
  }

  private async zoneVersion(accountId: string, domainId: string): Promise<number> {
    const version = await this.records.zoneVersionFor(accountId, domainId);
    if (version === undefined) throw new DomainNotFound();
    return version;
  }
}
