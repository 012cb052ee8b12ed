import type {
  CatalogSnapshot,
  ChangedZone,
  PublishedZone,
  PublishedZones,
  ZoneSnapshot,
} from '../../../../src/application/ports/dns/published-zones';
import { addressRecords } from '../../../../src/domain/dns/alias/alias-addresses';
import type { DnsRecordState } from '../../../../src/domain/dns/records/dns-record';
import { ROOT } from '../../../../src/domain/dns/records/record-name';
import { isServed } from '../../../../src/domain/registration/domain-status';
import { compareTexts } from './in-order';
import type { Tables } from './tables';

/** What is committed never changes in place, so whatever was read first is a snapshot. */
export class InMemoryPublishedZones implements PublishedZones {
  constructor(private readonly committed: () => Tables) {}

  async find(zoneName: string): Promise<PublishedZone | undefined> {
    return servedIn(this.committed()).find((zone) => zone.zoneName === zoneName);
  }

  async withSnapshot<T>(zoneName: string, use: (zone: ZoneSnapshot | undefined) => Promise<T>): Promise<T> {
    const tables = this.committed();
    const zone = servedIn(tables).find((served) => served.zoneName === zoneName);
    const stored = [...((zone && tables.zones.get(zone.domainId)?.records) ?? [])].toSorted(bySet);
    const records = stored.flatMap((record) => publishedRecords(tables, zone?.domainId ?? '', record));
    const rootNameservers = records.filter(({ name, type }) => name === ROOT && type === 'NS');
    return use(zone && { ...zone, records: () => onePage(records), rootNameservers: async () => rootNameservers });
  }

  async withCatalog<T>(use: (catalog: CatalogSnapshot) => Promise<T>): Promise<T> {
    const tables = this.committed();
    const members = servedIn(tables).map(({ domainId, zoneName }) => ({ domainId, zoneName }));
    return use({ version: tables.catalogVersion, members: () => onePage(members) });
  }

  async hasName(domainId: string, name: string): Promise<boolean> {
    const records = this.committed().zones.get(domainId)?.records ?? [];
    return records.some((record) => record.name === name || record.name.endsWith(`.${name}`));
  }

  async catalogVersion(): Promise<number> {
    return this.committed().catalogVersion;
  }

  changedSince(time: Date): AsyncIterable<readonly ChangedZone[]> {
    const tables = this.committed();
    const zones = servedIn(tables).map((zone) => ({
      ...zone,
      changedAt: tables.zones.get(zone.domainId)?.changedAt ?? new Date(0),
    }));
    const changed = zones.filter(({ changedAt }) => changedAt >= time);
    return onePage(
      changed.toSorted(
        (one, other) =>
          one.changedAt.getTime() - other.changedAt.getTime() || compareTexts(one.domainId, other.domainId),
      ),
    );
  }

  onChange(): void {
    // Tests in memory poll.
  }
}

function servedIn({ domains, zones }: Tables): readonly PublishedZone[] {
  return [...domains.values()].flatMap(({ id, accountId, name, status, nameservers }) => {
    const zone = zones.get(id);
    return zone && isServed(status)
      ? [{ domainId: id, accountId, zoneName: name, serial: zone.serial, nameservers }]
      : [];
  });
}

/** In place of an ALIAS record, a zone has its addresses. */
function publishedRecords({ aliases }: Tables, domainId: string, record: DnsRecordState): readonly DnsRecordState[] {
  if (record.type !== 'ALIAS') return [record];
  return addressRecords(record, aliases.get(`${domainId} ${record.name}`)?.addresses ?? {});
}

function bySet(left: DnsRecordState, right: DnsRecordState): number {
  return compareTexts(left.name, right.name) || compareTexts(left.type, right.type) || compareTexts(left.id, right.id);
}

async function* onePage<T>(items: readonly T[]): AsyncIterable<readonly T[]> {
  if (items.length > 0) yield items;
}
