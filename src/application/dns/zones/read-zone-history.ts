import { inject, injectable } from 'inversify';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { VersionNotFound } from '../../../domain/dns/errors';
import { DomainNotFound } from '../../../domain/registration/errors';
import { DomainReader } from '../../ports/registration/domain-repository';
import { ZoneHistory, type RecordTouched, type ZoneVersion } from '../../ports/dns/zone-history';
import { recordsAtVersion } from './records-at-version';

/** A zone at an earlier version, and the change that led to it. */
export interface FormerZone extends ZoneVersion {
  readonly records: readonly DnsRecordState[];
  readonly changes: readonly RecordTouched[];
}

/** The earlier versions of a domain's zone. */
@injectable()
export class ReadZoneHistory {
  constructor(
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(ZoneHistory) private readonly history: ZoneHistory,
  ) {}

  /** Newest first, below version `before`. @throws DomainNotFound */
  async page(accountId: string, domainId: string, limit: number, before?: number): Promise<readonly ZoneVersion[]> {
    await this.assertKnown(accountId, domainId);
    return this.history.page(domainId, limit, before);
  }

  /** @throws DomainNotFound, VersionNotFound */
  async version(accountId: string, domainId: string, version: number): Promise<FormerZone> {
    await this.assertKnown(accountId, domainId);
    const zone = await this.history.withPast({ accountId, domainId }, async (past) => {
      const records = await recordsAtVersion(past, version);
      const made = await past.find(version);
      if (!made) throw new VersionNotFound({ oldest: past.oldestVersion, newest: past.version });
      return { ...made, records, changes: await past.changesOf(version) };
    });
    if (!zone) throw new DomainNotFound();
    return zone;
  }

  private async assertKnown(accountId: string, domainId: string): Promise<void> {
    if (!(await this.domains.find(accountId, domainId))) throw new DomainNotFound();
  }
}
