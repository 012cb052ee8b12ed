import type { NamedPosition, RecordSearch, RecordQueries } from '../../../application/ports/dns/zone-queries';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { RecordSetSize } from '../../../domain/dns/records/name-tree';
import { recordMatcher } from '../../../domain/dns/records/record-search';
import type { RecordType } from '../../../domain/dns/records/types/record-types';
import { foldText } from '../../../domain/shared/text/fold-text';
import { foldNamePart } from '../../../domain/shared/idna';
import type { Queries } from '../database/database';
import { hasNonAscii } from '../database/non-ascii';
import { RECORD_COLUMNS, toRecordState } from './sql-zone-reader';
import type { RecordRow } from './dns-tables';

/** Candidates that are read at once. */
const BATCH = 500;
const NOTES = ['comment', 'managed_by'];

export class SqlRecordQueries implements RecordQueries {
  constructor(private readonly database: Queries) {}

  async page(
    domainId: string,
    search: RecordSearch,
    limit: number,
    after?: NamedPosition,
  ): Promise<readonly DnsRecordState[]> {
    const { contains } = search;
    if (contains === undefined) return this.read(domainId, search, limit, after);
    // The databases fold other letters than ASCII differently, and a part of a Unicode name has no A-label: the match is made here.
    const isWanted = recordMatcher(contains);
    const found: DnsRecordState[] = [];
    for (let last = after, size = limit; ; size = BATCH) {
      const records = await this.read(domainId, search, size, last);
      found.push(...records.filter(isWanted));
      last = records.at(-1);
      if (records.length < size || found.length >= limit) return found.slice(0, limit);
    }
  }

  async among(
    domainIds: readonly string[],
    search: RecordSearch,
  ): Promise<readonly { readonly domainId: string; readonly record: DnsRecordState }[]> {
    if (domainIds.length === 0) return [];
    const { conditions, parameters } = searchConditions(search);
    const zones = `domain_id IN (${domainIds.map(() => '?').join(', ')})`;
    const rows = await this.database.query<RecordRow>(
      `SELECT domain_id, ${RECORD_COLUMNS} FROM dns_records WHERE ${[zones, ...conditions].join(' AND ')}`,
      [...domainIds, ...parameters],
    );
    const isWanted = recordMatcher(search.contains ?? '');
    return rows
      .map((row) => ({ domainId: row.domain_id, record: toRecordState(row) }))
      .filter(({ record }) => isWanted(record));
  }

  private async read(
    domainId: string,
    search: RecordSearch,
    limit: number,
    after?: NamedPosition,
  ): Promise<readonly DnsRecordState[]> {
    const searched = searchConditions(search);
    const conditions = ['domain_id = ?', ...searched.conditions];
    const parameters: unknown[] = [domainId, ...searched.parameters];
    if (after) {
      conditions.push('name >= ? AND (name > ? OR id > ?)');
      parameters.push(after.name, after.name, after.id);
    }
    const sql = `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE ${conditions.join(' AND ')} ORDER BY name, id LIMIT ?`;
    return (await this.database.query<RecordRow>(sql, [...parameters, limit])).map(toRecordState);
  }

  async sets(
    domainId: string,
    limit: number,
    after?: Pick<RecordSetSize, 'name' | 'type'>,
  ): Promise<readonly RecordSetSize[]> {
    const beyond = after ? ' AND name >= ? AND (name > ? OR type > ?)' : '';
    const rows = await this.database.query<{ name: string; type: RecordType; records: number | string }>(
      `SELECT name, type, COUNT(*) AS records FROM dns_records WHERE domain_id = ?${beyond} GROUP BY name, type ORDER BY name, type LIMIT ?`,
      [domainId, ...(after ? [after.name, after.name, after.type] : []), limit],
    );
    return rows.map(({ records, ...set }) => ({ ...set, records: Number(records) }));
  }

  async find(domainId: string, recordId: string): Promise<DnsRecordState | undefined> {
    const [row] = await this.database.query<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM dns_records WHERE id = ? AND domain_id = ?`,
      [recordId, domainId],
    );
    return row && toRecordState(row);
  }
}

function searchConditions({ type, contains }: RecordSearch): {
  readonly conditions: readonly string[];
  readonly parameters: readonly unknown[];
} {
  const conditions: string[] = [];
  const parameters: unknown[] = [];
  if (type !== undefined) {
    conditions.push('type = ?');
    parameters.push(type);
  }
  if (contains !== undefined) {
    const parts = [...new Set([foldText(contains), foldNamePart(contains)])];
    const has = parts.map(() => 'INSTR(name, ?) > 0').join(' OR ');
    // SQLite compares without case by itself, and calls JavaScript for LOWER, which takes most of the time.
    const hasInLowerCase = (text: string) => parts.map(() => `/*! LOWER */(${text}) LIKE ? ESCAPE '|'`).join(' OR ');
    const mayHave = (text: string) => `${hasInLowerCase(text)} OR ${hasNonAscii(text)}`;
    const isIdn = ['name', 'content'].map((text) => `INSTR(${text}, 'xn--') > 0`);
    const notes = NOTES.map((note) => `(${note} IS NOT NULL AND (${mayHave(note)}))`);
    conditions.push(`(${[has, ...isIdn, mayHave('content'), ...notes].join(' OR ')})`);
    parameters.push(...parts);
    for (let texts = 0; texts < 1 + NOTES.length; texts += 1) parameters.push(...parts.map(anywhere));
  }
  return { conditions, parameters };
}

/** A pattern of LIKE for texts that have the part. */
function anywhere(part: string): string {
  return `%${part.replaceAll(/[|%_]/g, '|$&')}%`;
}
