import type { EntityManager } from 'typeorm';
import type { AuditFilter, AuditLog, AuditReader } from '../../../application/ports/access/audit-log';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { LifecycleClock, IdGenerator } from '../../../application/ports/system';
import { addressOf } from '../../../domain/access/actor';
import type { AuditEntry, AuditFact } from '../../../domain/access/audit-entry';
import type { Queries } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { withTags } from '../registration/domains/domain-conditions';
import { columnsOf, insertRows, rowOf, stateOf } from '../database/table';
import { AuditLogTable, type AuditLogRow } from './access-tables';

/** A proxy may send longer text. */
const MAX_ADDRESS = 64;
const COLUMNS = columnsOf(AuditLogTable, { except: ['retained_from'] });

function toEntry(row: AuditLogRow): AuditEntry {
  return {
    ...stateOf(AuditLogTable, row),
    ...(row.client_address !== null && { clientAddress: row.client_address }),
  };
}

function conditionsOf({
  domainId,
  domainName,
  actor,
  action,
  since,
  before,
}: AuditFilter): readonly (readonly [condition: string, value: unknown])[] {
  return [
    ['domain_id = ?', domainId],
    ['domain_name = ?', domainName],
    ['actor = ?', actor],
    ['action = ?', action],
    ['happened_at >= ?', since?.getTime()],
    ['happened_at < ?', before?.getTime()],
  ];
}

/** In the order of the list; with two conditions, the more selective one decides. */
function indexFor({ domainId, domainName, action, actor }: AuditFilter): string {
  if (domainId !== undefined) return 'audit_log_by_domain';
  if (domainName !== undefined) return 'audit_log_by_name';
  if (action !== undefined) return 'audit_log_by_action';
  return actor === undefined ? 'audit_log_by_account' : 'audit_log_by_actor';
}

export class SqlAuditReader implements AuditReader {
  constructor(private readonly database: Queries) {}

  async page(
    accountId: string,
    filter: AuditFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly AuditEntry[]> {
    const conditions = ['account_id = ?'];
    const parameters: unknown[] = [accountId];
    for (const [condition, value] of conditionsOf(filter)) {
      if (value === undefined) continue;
      conditions.push(condition);
      parameters.push(value);
    }
    const tagged = withTags(accountId, filter.tags, 'domain_id');
    if (after) {
      conditions.push('happened_at <= ? AND (happened_at < ? OR id < ?)');
      parameters.push(after.createdAt.getTime(), after.createdAt.getTime(), after.id);
    }
    const sql = `SELECT ${COLUMNS} FROM audit_log${filter.tags ? '' : forceIndex(indexFor(filter))} WHERE ${conditions.join(' AND ')}${tagged.sql} ORDER BY happened_at DESC, id DESC LIMIT ?`;
    return (await this.database.query<AuditLogRow>(sql, [...parameters, ...tagged.parameters, limit])).map(toEntry);
  }
}

export class SqlAuditLog implements AuditLog {
  constructor(
    private readonly manager: EntityManager,
    private readonly ids: IdGenerator,
    private readonly lifecycleClock: LifecycleClock,
  ) {}

  async append(...facts: readonly AuditFact[]): Promise<void> {
    await insertRows(
      this.manager,
      AuditLogTable,
      facts.map((fact) => this.toRow(fact)),
    );
  }

  private toRow(fact: AuditFact): AuditLogRow {
    const state = { id: this.ids.next('evt'), ...fact };
    return rowOf(AuditLogTable, state, {
      retained_from: this.lifecycleClock.now().getTime(),
      client_address: addressOf(fact.actor)?.slice(0, MAX_ADDRESS) ?? null,
    });
  }
}
