import { TouchedRrsets } from '../../../../../src/application/dns/publishing/touched-rrsets';
import type {
  CatalogDifference,
  CatalogSnapshot,
  ChangedZone,
  PublishedZone,
  PublishedZones,
  ZoneDifference,
  ZoneSnapshot,
} from '../../../../../src/application/ports/dns/publishing';
import { addressRecords } from '../../../../../src/domain/dns/alias/alias-addresses';
import { DnsRecord, type DnsRecordState } from '../../../../../src/domain/dns/records/dns-record';
import { ROOT } from '../../../../../src/domain/dns/records/record-name';
import { counterWithSerial } from '../../../../../src/domain/dns/zone-serial';
import type { DomainState } from '../../../../../src/domain/registration/domain';
import { isServed } from '../../../../../src/domain/registration/domain-status';
import { compareTexts } from '../in-order';
import type { StoredChange, Tables } from '../tables';

/** What is committed never changes in place, so whatever was read first is a snapshot. */
export class InMemoryPublishedZones implements PublishedZones {
  constructor(private readonly committed: () => Tables) {}

  async find(zoneName: string): ReturnType<PublishedZones['find']> {
    return servedIn(this.committed()).find((zone) => zone.zoneName === zoneName);
  }

  async withSnapshot<T>(zoneName: string, use: (zone: ZoneSnapshot | undefined) => Promise<T>): Promise<T> {
    const tables = this.committed();
    const zone = servedIn(tables).find((served) => served.zoneName === zoneName);
    const stored = [...((zone && tables.zones.get(zone.domainId)?.records) ?? [])].toSorted(bySet);
    const records = stored.flatMap((record) => publishedRecords(tables, zone?.domainId ?? '', record));
    const rootNameservers = records.filter(({ name, type }) => name === ROOT && type === 'NS');
    return use(
      zone && {
        ...zone,
        recordCount: records.length,
        records: () => onePage(records),
        rootNameservers: async () => rootNameservers,
        differenceFrom: async (serial) => differenceIn(tables, zone, records, serial),
      },
    );
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

  async catalogDifference(serial: number): Promise<CatalogDifference | undefined> {
    const { catalogChanges, catalogVersion: version } = this.committed();
    const from = counterWithSerial(serial, version);
    const changes = catalogChanges.filter((change) => from !== undefined && change.version > from);
    if (from === undefined || changes.length !== version - from) return undefined;
    const ids = [...new Set(changes.map(({ domainId }) => domainId))];
    const of = (id: string) => changes.filter(({ domainId }) => domainId === id);
    // An even number of changes leaves a domain as it was.
    const changed = ids.filter((id) => of(id).length % 2 === 1).map((id) => of(id).at(-1)!);
    const members = (isMember: boolean) =>
      changed
        .filter((change) => change.isMember === isMember)
        .map(({ domainId, zoneName }) => ({ domainId, zoneName }));
    return { version, removed: members(false), added: members(true) };
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

function differenceIn(
  { zones }: Tables,
  { domainId, nameservers, serial: current }: PublishedZone,
  records: readonly DnsRecordState[],
  serial: number,
): ZoneDifference | undefined {
  const from = counterWithSerial(serial, current);
  const changes = (zones.get(domainId)?.changes ?? []).filter(
    (change) => from !== undefined && change.serial > from && changesServed(change),
  );
  const isTold = changes.every((change) => change.records.length > 0 || change.nameserversBefore);
  if (from === undefined || changes.length !== current - from || !isTold) return undefined;
  const touched = new TouchedRrsets();
  for (const change of changes) for (const record of change.records) touched.add(record);
  const hasAlias = changes.some((change) =>
    change.records.some(({ before, after }) => (before ?? after)?.type === 'ALIAS'),
  );
  // The addresses that it had are not known.
  if (hasAlias) return undefined;
  const former = changes.find((change) => change.nameserversBefore)?.nameserversBefore;
  return { nameservers: former ?? nameservers, rrsets: touched.compare(records), derived: [] };
}

/** A change of comments is not. */
function changesServed({ records }: StoredChange): boolean {
  return records.length === 0 || !records.every(({ before, after }) => before && after && isServedAlike(before, after));
}

function isServedAlike(before: DnsRecordState, after: DnsRecordState): boolean {
  return DnsRecord.fromState(before).isServedAs(DnsRecord.fromState(after));
}

function servedIn({ domains, zones }: Tables): readonly (PublishedZone & Pick<DomainState, 'tags'>)[] {
  return [...domains.values()].flatMap(({ id, accountId, name, status, nameservers, tags }) => {
    const zone = zones.get(id);
    return zone && isServed(status)
      ? [{ domainId: id, accountId, zoneName: name, serial: zone.serial, nameservers, tags }]
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
