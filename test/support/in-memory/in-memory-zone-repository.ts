import type { ListPosition } from '../../../src/application/ports/domain-repository';
import type { LockedZone, RecordFilter, RecordReader, ZoneChange, ZoneRepository } from '../../../src/application/ports/zone-repository';
import { DnsRecord, type DnsRecordState } from '../../../src/domain/dns/dns-record';
import { RecordConflict } from '../../../src/domain/dns/errors';
import { inOrder, pageOf } from './in-order';
import type { Tables } from './tables';

export class InMemoryRecordReader implements RecordReader {
  constructor(private readonly committed: () => Tables) {}

  async page(domainId: string, { type, name }: RecordFilter, limit: number, after?: ListPosition): Promise<readonly DnsRecordState[]> {
    const records = this.committed().zones.get(domainId)?.records ?? [];
    return pageOf(records.filter((record) => (type === undefined || record.type === type) && (name === undefined || record.name === name)), limit, after);
  }

  async zoneVersion(domainId: string): Promise<number | undefined> {
    return this.committed().zones.get(domainId)?.version;
  }
}

export class InMemoryZoneRepository implements ZoneRepository {
  constructor(private readonly tables: Tables) {}

  async create(domainId: string): Promise<void> {
    if (this.tables.zones.has(domainId)) throw new Error(`there is a zone of ${domainId} already`);
    const name = this.tables.domains.get(domainId)?.name;
    const earlier = [...this.tables.zones].filter(([id]) => this.tables.domains.get(id)?.name === name).map(([, { version }]) => version);
    this.tables.zones.set(domainId, { version: Math.max(0, ...earlier) + 1, records: [] });
  }

  async lock(domainId: string): Promise<LockedZone | undefined> {
    const zone = this.tables.zones.get(domainId);
    return zone && { domainId, version: zone.version, recordCount: zone.records.length };
  }

  async findRecord(domainId: string, recordId: string): Promise<DnsRecord | undefined> {
    const state = this.records(domainId).find(({ id }) => id === recordId);
    return state && DnsRecord.restore(state);
  }

  async recordsAt(domainId: string, names: readonly string[]): Promise<readonly DnsRecord[]> {
    return inOrder(this.records(domainId).filter(({ name }) => names.includes(name))).map((state) => DnsRecord.restore(state));
  }

  async apply({ domainId, version }: LockedZone, { added, changed, removed }: ZoneChange): Promise<LockedZone> {
    const written = [...changed.map(({ after }) => after), ...added];
    const replaced = new Set([...written, ...removed].map(({ id }) => id));
    const kept = this.records(domainId).filter(({ id }) => !replaced.has(id));
    const identities = new Set(kept.map((state) => DnsRecord.restore(state).identity()));
    for (const record of written) {
      if (identities.has(record.identity())) throw new RecordConflict(record.id, 'the records are identical');
      identities.add(record.identity());
    }
    const records = [...kept, ...written.map((record) => record.toState())];
    this.tables.zones.set(domainId, { version: version + 1, records });
    return { domainId, version: version + 1, recordCount: records.length };
  }

  private records(domainId: string): readonly DnsRecordState[] {
    return this.tables.zones.get(domainId)?.records ?? [];
  }
}
