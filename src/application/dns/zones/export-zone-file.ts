import { inject, injectable } from '../../ports/inject';
import type { Reader } from '../../../domain/access/actor';
import { maySeeRecord } from '../../../domain/access/key-permissions';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { ROOT } from '../../../domain/dns/records/record-name';
import { startOfAuthority } from '../../../domain/dns/start-of-authority';
import { zoneFileLines } from '../../../domain/dns/zone-file/write-zone-file';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { requireName } from '../../access/require-domain';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import { ZoneHistory } from '../../ports/dns/zone-history';
import { AuthoritySettings } from '../dns-settings';

interface ExportedZone {
  readonly zoneName: string;
  readonly zoneVersion: number;
  readonly lines: Iterable<string>;
}

/** The records of a domain that the requester may see as a zone file, of one moment. @throws DomainNotFound, LimitedKey */
@injectable()
export class ExportZoneFile {
  constructor(
    @inject(HostedNameReader) private readonly names: HostedNameReader,
    @inject(ZoneHistory) private readonly zones: ZoneHistory,
    @inject(AuthoritySettings) private readonly settings: AuthoritySettings,
  ) {}

  async execute({ accountId, actor }: Reader, domainId: string): Promise<ExportedZone> {
    const found = await this.names.find(accountId, domainId);
    const { name: zoneName, nameservers } = requireName(found, { actor }, 'read');
    const zone = await this.zones.withPast({ accountId, domainId }, async (past) => ({
      version: past.version,
      serial: past.serial,
      records: (await past.records()).filter((record) => maySeeRecord(actor, record)),
    }));
    if (!zone) throw new DomainNotFound();
    const authority = startOfAuthority({ zoneName, serial: zone.serial, nameservers }, this.settings);
    return {
      zoneName,
      zoneVersion: zone.version,
      lines: zoneFileLines({ zoneName, authority, nameservers, records: zone.records.toSorted(byName) }),
    };
  }
}

/** The root first. */
function byName(one: DnsRecordState, other: DnsRecordState): number {
  return (
    compare(one.name === ROOT ? '' : one.name, other.name === ROOT ? '' : other.name) || compare(one.type, other.type)
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
