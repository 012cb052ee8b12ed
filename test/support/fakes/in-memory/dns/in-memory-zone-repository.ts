import type { ZoneDiscovery } from '../../../../../src/application/ports/dns/templates-and-domain-connect';
import { InMemoryZoneDiscovery } from './in-memory-domain-connect';
import { signingStateOf } from '../../../../../src/domain/dns/dnssec/signing-step';
import { namesAbove } from '../../../../../src/domain/dns/zone-rules';
import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import {
  SMALL_CHANGE,
  type LastChange,
  type ZoneHistory,
  type ZoneVersions,
  type RecordFilter,
  type RecordReader,
} from '../../../../../src/application/ports/dns/zone-queries';
import type {
  RecordTouched,
  ZonePast,
  ZoneVersion,
  CatalogChange,
  ZonePlaces,
  ZoneReader,
  ZoneRepository,
  ZoneWrite,
} from '../../../../../src/application/ports/dns/zone-repository';
import type { ZoneHead } from '../../../../../src/domain/dns/zone';
import { DnsRecord, type DnsRecordState } from '../../../../../src/domain/dns/records/dns-record';
import { RecordConflict } from '../../../../../src/domain/dns/dns-errors';
import { applyToAliases } from './in-memory-aliases';
import { inOrder, pageOf } from '../in-order';
import { NO_CHANGE, raised } from './raised-zone';
import type { StoredChange, StoredZone, Tables } from '../tables';

export class InMemoryRecordReader implements RecordReader {
  constructor(private readonly committed: () => Tables) {}

  async page(
    domainId: string,
    { type, name }: RecordFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly DnsRecordState[]> {
    const records = this.committed().zones.get(domainId)?.records ?? [];
    return pageOf(
      records.filter(
        (record) => (type === undefined || record.type === type) && (name === undefined || record.name === name),
      ),
      limit,
      after,
    );
  }

  async record(domainId: string, recordId: string): Promise<DnsRecordState | undefined> {
    return this.committed()
      .zones.get(domainId)
      ?.records.find(({ id }) => id === recordId);
  }

  async countWithPtr(domainIds: readonly string[]): Promise<number> {
    return (await Promise.all(domainIds.map((id) => this.withPtr(id)))).flat().length;
  }

  async withPtr(domainId: string): Promise<readonly DnsRecordState[]> {
    return (this.committed().zones.get(domainId)?.records ?? []).filter(({ ptr }) => ptr);
  }

  async find(domainId: string): Promise<ZoneHead | undefined> {
    return lockedZone(domainId, this.committed().zones.get(domainId));
  }

  async findFor(accountId: string, domainId: string) {
    const domain = this.committed().domains.get(domainId);
    const isFound = domain?.accountId === accountId && domain.status !== 'gone';
    const zone = this.committed().zones.get(domainId);
    if (!isFound || !zone) return undefined;
    return { version: zone.version, serial: zone.serial, name: domain.name, tags: domain.tags };
  }

  async facts(domainIds: readonly string[]) {
    const { zones, zoneDelegations, zoneSignings } = this.committed();
    return new Map(
      domainIds.flatMap((id) => {
        const zone = zones.get(id);
        if (!zone) return [];
        const signing = zoneSignings.get(id);
        const { version, serial } = zone;
        const recordCount = zone.records.length;
        return [
          [
            id,
            {
              version,
              serial,
              recordCount,
              ...(zoneDelegations.has(id) && { delegation: zoneDelegations.get(id) }),
              signing: signing ? signingStateOf(signing.step, signing.problem !== null) : 'off',
            },
          ] as const,
        ];
      }),
    );
  }
}

export class InMemoryZoneHistory implements ZoneHistory {
  constructor(private readonly committed: () => Tables) {}

  async page(domainId: string, limit: number, before = Infinity): Promise<readonly ZoneVersion[]> {
    const zone = this.committed().zones.get(domainId);
    return (zone ? shownChanges(zone) : [])
      .toReversed()
      .filter(({ version }) => version < before)
      .slice(0, limit)
      .map(versionOf);
  }

  async wholePage(domainId: string, limit: number, before = Infinity): Promise<readonly ZoneVersion[]> {
    const changes = this.committed().zones.get(domainId)?.changes ?? [];
    return changes
      .toReversed()
      .filter(({ version }) => version < before)
      .slice(0, limit)
      .map(versionOf);
  }

  async smallChanges(
    domainId: string,
    versions: readonly number[],
  ): Promise<ReadonlyMap<number, readonly RecordTouched[]>> {
    const changes = this.committed().zones.get(domainId)?.changes ?? [];
    return new Map(
      changes
        .filter(({ version, records }) => versions.includes(version) && records.length <= SMALL_CHANGE)
        .map(({ version, records }) => [version, records]),
    );
  }

  async lastChanges(domainId: string, recordIds: readonly string[]): Promise<ReadonlyMap<string, LastChange>> {
    const zone = this.committed().zones.get(domainId);
    const { records = [] } = zone ?? {};
    const changes = zone ? shownChanges(zone) : [];
    const stored = recordIds.filter((id) => records.some((record) => record.id === id));
    return new Map(
      stored.flatMap((id) => {
        const last = changes.findLast((change) => change.records.some(({ after }) => after?.id === id));
        return last ? [[id, { version: last.version, at: last.at, actor: last.actor }] as const] : [];
      }),
    );
  }

  async withPast<T>(
    { domainId }: { readonly domainId: string },
    use: (past: ZonePast & ZoneVersions) => Promise<T>,
  ): Promise<T | undefined> {
    const zone = this.committed().zones.get(domainId);
    if (!zone) return undefined;
    const change = (version: number) => shownChanges(zone).find((candidate) => candidate.version === version);
    return use({
      ...pastOf(zone),
      find: async (version) => {
        const found = change(version);
        return found && versionOf(found);
      },
      changesOf: async (version) => change(version)?.records ?? [],
    });
  }
}

export class InMemoryZoneReader implements ZoneReader {
  constructor(private readonly read: () => Tables) {}

  async find(domainId: string): Promise<ZoneHead | undefined> {
    return lockedZone(domainId, this.read().zones.get(domainId));
  }

  async findRecords(domainId: string, ids: readonly string[]): Promise<readonly DnsRecord[]> {
    return this.recordsThat(domainId, ({ id }) => ids.includes(id));
  }

  async recordsAt(places: readonly ZonePlaces[]): Promise<ReadonlyMap<string, readonly DnsRecord[]>> {
    return new Map(
      places.map(({ domainId, names }) => [domainId, this.recordsThat(domainId, ({ name }) => names.includes(name))]),
    );
  }

  async namesBelow(domainId: string, name: string): Promise<readonly string[]> {
    const below = this.recordsThat(domainId, (record) => namesAbove(record.name).includes(name));
    return [...new Set(below.map((record) => record.name))];
  }

  async isSigned(domainId: string): Promise<boolean> {
    return this.read().zoneSignings.has(domainId);
  }

  async past({ domainId }: ZoneHead): Promise<ZonePast> {
    return pastOf(this.zone(domainId));
  }

  async prepare(): Promise<void> {
    // Nothing is computed for these tables.
  }

  protected zone(domainId: string): StoredZone {
    const zone = this.read().zones.get(domainId);
    if (!zone) throw new Error(`there is no zone of ${domainId}`);
    return zone;
  }

  protected recordsThat(domainId: string, match: (record: DnsRecordState) => boolean): readonly DnsRecord[] {
    const records = this.read().zones.get(domainId)?.records ?? [];
    return inOrder(records.filter(match)).map((state) => DnsRecord.fromState(state));
  }
}

export class InMemoryZoneRepository extends InMemoryZoneReader implements ZoneRepository {
  constructor(private readonly tables: Tables) {
    super(() => tables);
  }

  async create(domainId: string, by: ZoneWrite['by']): Promise<void> {
    if (this.tables.zones.has(domainId)) throw new Error(`there is a zone of ${domainId} already`);
    const name = this.tables.domains.get(domainId)?.name;
    const earlier = [...this.tables.zones]
      .filter(([id]) => this.tables.domains.get(id)?.name === name)
      .map(([, { version, serial }]) => Math.max(version, serial));
    const last = Math.max(0, ...earlier);
    this.tables.zones.set(domainId, raised({ version: last, serial: last, records: [], changes: [] }, NO_CHANGE, by));
  }

  async lock(domainId: string): Promise<ZoneHead | undefined> {
    return this.find(domainId);
  }

  async lockFree(domainIds: readonly string[]): Promise<ReadonlyMap<string, ZoneHead>> {
    const zones = await Promise.all(domainIds.map((id) => this.lock(id)));
    return new Map(zones.flatMap((zone) => (zone ? [[zone.domainId, zone]] : [])));
  }

  async signAhead(): Promise<void> {
    // `apply` needs nothing.
  }

  async apply(writes: readonly ZoneWrite[]): Promise<readonly ZoneHead[]> {
    return writes.map((write) => this.applied(write));
  }

  private applied(write: ZoneWrite): ZoneHead {
    const {
      zone: { domainId },
      change,
      by,
      nameserversBefore,
    } = write;
    const { added, changed, removed } = change;
    const zone = this.zone(domainId);
    const written = [...changed.map(({ after }) => after), ...added];
    const replaced = new Set([...written, ...removed].map(({ id }) => id));
    const kept = zone.records.filter(({ id }) => !replaced.has(id));
    const identities = new Set(kept.map((state) => DnsRecord.fromState(state).identity()));
    for (const record of written) {
      if (identities.has(record.identity())) throw new RecordConflict(record.id, 'the records are identical');
      identities.add(record.identity());
    }
    const records = [...kept, ...written.map((record) => record.toState())];
    const after = { ...raised(zone, change, by, nameserversBefore), records };
    this.tables.zones.set(domainId, after);
    applyToAliases(this.tables, write);
    return { domainId, version: after.version, serial: after.serial, recordCount: records.length };
  }

  async raiseSerial(domainId: string): Promise<void> {
    const zone = this.tables.zones.get(domainId);
    if (zone) this.tables.zones.set(domainId, { ...zone, serial: zone.serial + 1 });
  }

  findDiscovery(domainId: string): Promise<ZoneDiscovery | undefined> {
    return new InMemoryZoneDiscovery(() => this.tables).find(domainId);
  }

  async setDiscovery(domainId: string, discovery: string | null): Promise<void> {
    const { discovery: _before, ...zone } = this.zone(domainId);
    this.tables.zones.set(domainId, { ...zone, ...(discovery !== null && { discovery }) });
    await this.raiseSerial(domainId);
  }

  async setConnects(domainId: string, connects: boolean): Promise<void> {
    this.tables.zones.set(domainId, { ...this.zone(domainId), connects });
  }

  async changeCatalog(change: CatalogChange): Promise<void> {
    this.tables.catalogVersion += 1;
    this.tables.catalogChanges = [...this.tables.catalogChanges, { ...change, version: this.tables.catalogVersion }];
  }

  async confirm(domainId: string, recordIds: readonly string[], at: Date): Promise<void> {
    const zone = this.zone(domainId);
    this.tables.zones.set(domainId, {
      ...zone,
      records: zone.records.map((record) => (recordIds.includes(record.id) ? { ...record, updatedAt: at } : record)),
    });
  }
}

function lockedZone(domainId: string, zone: StoredZone | undefined): ZoneHead | undefined {
  if (!zone) return undefined;
  const { version, serial, records, stateOwner } = zone;
  return { domainId, version, serial, recordCount: records.length, ...(stateOwner !== undefined && { stateOwner }) };
}

function shownChanges({ changes, historyFrom = 0 }: StoredZone): StoredZone['changes'] {
  return changes.filter(({ version }) => version >= historyFrom);
}

function pastOf(zone: StoredZone): ZonePast {
  const { version, serial, records, changes } = zone;
  return {
    version,
    serial,
    oldestVersion: shownChanges(zone)[0]?.version ?? version,
    records: async () => inOrder(records),
    changesAfter: async function* changesAfter(after) {
      for (const change of changes.toReversed()) if (change.version > after) yield change.records;
    },
    nameserversAt: async (at) =>
      changes.find((change) => change.version > at && change.nameserversBefore)?.nameserversBefore,
  };
}

function versionOf({ records: _records, serial: _serial, ...version }: StoredChange): ZoneVersion {
  return version;
}
