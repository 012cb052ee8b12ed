import { inject, injectable } from 'inversify';
import { DomainNotFound } from '../../domain/registration/errors';
import { DomainReader } from '../ports/registration/domain-repository';
import { ZonePublisher, type SecondaryReport } from '../ports/dns/zone-publisher';
import { RecordReader } from '../ports/dns/zone-repository';
import { hasReached, isPublished } from './publication';

export interface PublicationReport {
  readonly version: number;
  readonly published: boolean;
  readonly secondaries: readonly (SecondaryReport & { readonly isCurrent: boolean })[];
}

/** Whether the world sees a zone as it is, asked of every secondary now. @throws DomainNotFound */
@injectable()
export class ReadPublication {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
  ) {}

  async execute({ accountId, domainId }: { accountId: string; domainId: string }): Promise<PublicationReport> {
    const domain = await this.domains.find(accountId, domainId);
    if (!domain) throw new DomainNotFound();
    const version = await this.records.zoneVersion(domainId);
    if (version === undefined) throw new DomainNotFound();
    const reports = await this.publisher.ask({ domainId, zoneName: domain.toState().name, version });
    const secondaries = reports.map((report) => ({ ...report, isCurrent: hasReached(version, report) }));
    return { version, published: isPublished(version, reports), secondaries };
  }
}
