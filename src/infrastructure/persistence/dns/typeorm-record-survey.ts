import type { NamedPosition, RecordSearch, RecordSurvey } from '../../../application/ports/dns/record-survey';
import type { DnsRecordState } from '../../../domain/dns/dns-record';
import type { Queries } from '../database/database';
import { RECORD_COLUMNS, toRecordState, type RecordRow } from './typeorm-zone-repository';

export class TypeOrmRecordSurvey implements RecordSurvey {
  constructor(private readonly database: Queries) {}

  async page(domainId: string, { type, contains }: RecordSearch, limit: number, after?: NamedPosition): Promise<readonly DnsRecordState[]> {
    const conditions = ['domain_id = ?'];
    const parameters: unknown[] = [domainId];
    if (type !== undefined) {
      conditions.push('type = ?');
      parameters.push(type);
    }
    if (contains !== undefined) {
      conditions.push('(INSTR(name, ?) > 0 OR INSTR(LOWER(content), ?) > 0)');
      parameters.push(contains, contains);
    }
    if (after) {
      conditions.push('name >= ? AND (name > ? OR id > ?)');
      parameters.push(after.name, after.name, after.id);
    }
    const sql = `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE ${conditions.join(' AND ')} ORDER BY name, id LIMIT ?`;
    return (await this.database.query<RecordRow>(sql, [...parameters, limit])).map(toRecordState);
  }

  async find(domainId: string, recordId: string): Promise<DnsRecordState | undefined> {
    const [row] = await this.database.query<RecordRow>(`SELECT ${RECORD_COLUMNS} FROM dns_records WHERE id = ? AND domain_id = ?`, [recordId, domainId]);
    return row && toRecordState(row);
  }
}
