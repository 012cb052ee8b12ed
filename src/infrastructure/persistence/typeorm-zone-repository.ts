import { createHash } from 'node:crypto';
import { EntitySchema, type EntityManager } from 'typeorm';
import type { ListPosition } from '../../application/ports/domain-repository';
import type { LockedZone, RecordFilter, RecordReader, ZoneChange, ZoneRepository } from '../../application/ports/zone-repository';
import { DnsRecord, type DnsRecordState } from '../../domain/dns/dns-record';
import type { RecordType } from '../../domain/dns/record-type';
import type { Queries } from './database';
import { fromMillis } from './row-times';

export interface RecordRow {
  readonly id: string;
  readonly domain_id: string;
  readonly name: string;
  readonly type: RecordType;
  readonly content: string;
  readonly ttl: number;
  readonly priority: number | null;
  readonly weight: number | null;
  readonly port: number | null;
  /** SHA-256 of the record's identity: the database's own word on duplicates, whatever the length of the content. */
  readonly identity_digest: string;
  readonly created_at: number;
  readonly updated_at: number;
}

interface ZoneRow {
  readonly version: number;
  readonly record_count: number;
}

export const RecordSchema = new EntitySchema<RecordRow>({
  name: 'DnsRecord',
  tableName: 'dns_records',
  columns: {
    id: { type: 'varchar', primary: true },
    domain_id: { type: 'varchar' },
    name: { type: 'varchar' },
    type: { type: 'varchar' },
    content: { type: 'text' },
    ttl: { type: 'int' },
    priority: { type: 'int', nullable: true },
    weight: { type: 'int', nullable: true },
    port: { type: 'int', nullable: true },
    identity_digest: { type: 'varchar' },
    created_at: { type: 'bigint' },
    updated_at: { type: 'bigint' },
  },
});

export const RECORD_COLUMNS = 'id, name, type, content, ttl, priority, weight, port, created_at, updated_at';

function toRow(domainId: string, record: DnsRecord): RecordRow {
  const state = record.toState();
  return {
    id: state.id,
    domain_id: domainId,
    name: state.name,
    type: state.type,
    content: state.content,
    ttl: state.ttl,
    priority: state.priority,
    weight: state.weight,
    port: state.port,
    identity_digest: createHash('sha256').update(record.identity()).digest('hex'),
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
  };
}

export function toRecordState(row: RecordRow): DnsRecordState {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    content: row.content,
    ttl: row.ttl,
    priority: row.priority,
    weight: row.weight,
    port: row.port,
    createdAt: fromMillis(row.created_at),
    updatedAt: fromMillis(row.updated_at),
  };
}

export class TypeOrmRecordReader implements RecordReader {
  constructor(private readonly database: Queries) {}

  async page(domainId: string, { type, name }: RecordFilter, limit: number, after?: ListPosition): Promise<readonly DnsRecordState[]> {
    const conditions = ['domain_id = ?'];
    const parameters: unknown[] = [domainId];
    if (type !== undefined) {
      conditions.push('type = ?');
      parameters.push(type);
    }
    if (name !== undefined) {
      conditions.push('name = ?');
      parameters.push(name);
    }
    if (after) {
      conditions.push('created_at >= ? AND (created_at > ? OR id > ?)');
      parameters.push(after.createdAt.getTime(), after.createdAt.getTime(), after.id);
    }
    const sql = `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE ${conditions.join(' AND ')} ORDER BY created_at, id LIMIT ?`;
    return (await this.database.query<RecordRow>(sql, [...parameters, limit])).map(toRecordState);
  }

  async zoneVersion(domainId: string): Promise<number | undefined> {
    const [row] = await this.database.query<Pick<ZoneRow, 'version'>>('SELECT version FROM zones WHERE domain_id = ?', [domainId]);
    return row?.version;
  }
}

export class TypeOrmZoneRepository implements ZoneRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async create(domainId: string): Promise<void> {
    const sql = `INSERT INTO zones (domain_id, version, record_count, changed_at)
      SELECT ?, COALESCE(MAX(z.version), 0) + 1, 0, ? FROM domains d JOIN zones z ON z.domain_id = d.id WHERE d.name = (SELECT name FROM domains WHERE id = ?)`;
    await this.manager.query(sql, [domainId, Date.now(), domainId]);
  }

  async lock(domainId: string): Promise<LockedZone | undefined> {
    const sql = `SELECT version, record_count FROM zones WHERE domain_id = ?${this.forUpdate}`;
    const [row] = await this.manager.query<ZoneRow[]>(sql, [domainId]);
    return row && { domainId, version: row.version, recordCount: row.record_count };
  }

  async findRecord(domainId: string, recordId: string): Promise<DnsRecord | undefined> {
    const rows = await this.manager.query<RecordRow[]>(`SELECT ${RECORD_COLUMNS} FROM dns_records WHERE id = ? AND domain_id = ?`, [recordId, domainId]);
    return rows[0] && DnsRecord.restore(toRecordState(rows[0]));
  }

  async recordsAt(domainId: string, names: readonly string[]): Promise<readonly DnsRecord[]> {
    const places = names.map(() => '?').join(', ');
    const sql = `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE domain_id = ? AND name IN (${places}) ORDER BY created_at, id`;
    return (await this.manager.query<RecordRow[]>(sql, [domainId, ...names])).map((row) => DnsRecord.restore(toRecordState(row)));
  }

  async apply(zone: LockedZone, { added, changed, removed }: ZoneChange): Promise<LockedZone> {
    const { domainId } = zone;
    for (const { id } of removed) await this.manager.delete(RecordSchema, { id, domain_id: domainId });
    for (const { after: record } of changed) {
      const { id, ...row } = toRow(domainId, record);
      await this.manager.update(RecordSchema, { id }, row);
    }
    if (added.length > 0) await this.manager.insert(RecordSchema, added.map((record) => toRow(domainId, record)));
    const after = { domainId, version: zone.version + 1, recordCount: zone.recordCount + added.length - removed.length };
    await this.manager.query('UPDATE zones SET version = ?, record_count = ?, changed_at = ? WHERE domain_id = ?', [after.version, after.recordCount, Date.now(), domainId]);
    return after;
  }
}
