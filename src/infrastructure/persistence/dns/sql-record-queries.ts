import type { NamedPosition, RecordSearch, RecordQueries } from '../../../application/ports/dns/zone-repository';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { toUnicodeName } from '../../../domain/shared/idna';
import type { Queries } from '../database/database';
import { RECORD_COLUMNS, toRecordState } from './sql-zone-reader';
import type { RecordRow } from './dns-tables';

/** Candidates that are read at once for a search in Unicode. */
const BATCH = 500;

export class SqlRecordQueries implements RecordQueries {
  constructor(private readonly database: Queries) {}

  async page(
    domainId: string,
    search: RecordSearch,
    limit: number,
    after?: NamedPosition,
  ): Promise<readonly DnsRecordState[]> {
    const { contains } = search;
    if (contains === undefined || isAscii(contains)) return this.read(domainId, search, limit, after);
    // Names are stored as A-labels, and a part of a Unicode name has no A-label: the match is made here.
    const found: DnsRecordState[] = [];
    for (let last = after; ;) {
      const records = await this.read(domainId, search, BATCH, last);
      found.push(...records.filter((record) => inBothForms(record).some((text) => text.includes(contains))));
      last = records.at(-1);
      if (records.length < BATCH || found.length >= limit) return found.slice(0, limit);
    }
  }

  private async read(
    domainId: string,
    { type, contains }: RecordSearch,
    limit: number,
    after?: NamedPosition,
  ): Promise<readonly DnsRecordState[]> {
    const conditions = ['domain_id = ?'];
    const parameters: unknown[] = [domainId];
    if (type !== undefined) {
      conditions.push('type = ?');
      parameters.push(type);
    }
    if (contains !== undefined) {
      const candidates = isAscii(contains) ? '' : " OR INSTR(name, 'xn--') > 0 OR INSTR(content, 'xn--') > 0";
      const parts = ['name', 'LOWER(content)', 'LOWER(comment)', 'LOWER(managed_by)'];
      conditions.push(`(${parts.map((part) => `INSTR(${part}, ?) > 0`).join(' OR ')}${candidates})`);
      parameters.push(...parts.map(() => contains));
    }
    if (after) {
      conditions.push('name >= ? AND (name > ? OR id > ?)');
      parameters.push(after.name, after.name, after.id);
    }
    const sql = `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE ${conditions.join(' AND ')} ORDER BY name, id LIMIT ?`;
    return (await this.database.query<RecordRow>(sql, [...parameters, limit])).map(toRecordState);
  }

  async find(domainId: string, recordId: string): Promise<DnsRecordState | undefined> {
    const [row] = await this.database.query<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE id = ? AND domain_id = ?`,
      [recordId, domainId],
    );
    return row && toRecordState(row);
  }
}

function inBothForms({ name, content, comment, managedBy }: DnsRecordState): readonly string[] {
  const notes = [comment ?? '', managedBy ?? ''].map((text) => text.toLowerCase());
  return [
    ...[name, content].flatMap((text) => [text.toLowerCase(), toUnicodeName(text.toLowerCase()) ?? '']),
    ...notes,
  ];
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
