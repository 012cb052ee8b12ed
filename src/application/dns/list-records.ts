import { inject, injectable } from 'inversify';
import type { DnsRecordState } from '../../domain/dns/dns-record';
import { DomainNotFound } from '../../domain/registration/errors';
import { pagesOf } from '../pages';
import { DomainReader, type ListPosition } from '../ports/domain-repository';
import { RecordReader, type RecordFilter } from '../ports/zone-repository';

/** The records of a domain, oldest first: a page, or all of them page by page. @throws DomainNotFound before the first page */
@injectable()
export class ListRecords {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(RecordReader) private readonly records: RecordReader,
  ) {}

  async page(accountId: string, domainId: string, filter: RecordFilter, limit: number, after?: ListPosition): Promise<readonly DnsRecordState[]> {
    await this.assertOwned(accountId, domainId);
    return this.records.page(domainId, filter, limit, after);
  }

  async all(accountId: string, domainId: string, filter: RecordFilter): Promise<AsyncIterable<readonly DnsRecordState[]>> {
    await this.assertOwned(accountId, domainId);
    return pagesOf((limit, after) => this.records.page(domainId, filter, limit, after));
  }

  private async assertOwned(accountId: string, domainId: string): Promise<void> {
    if (!(await this.domains.find(accountId, domainId))) throw new DomainNotFound();
  }
}
