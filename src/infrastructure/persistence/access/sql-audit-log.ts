import type { EntityManager } from 'typeorm';
import type {
  AuditFilter,
  AuditFinds,
  AuditLog,
  AuditReader,
  AuditSearch,
  EventLog,
} from '../../../application/ports/access/audit-and-events';
import { eventOfFact } from '../../../application/audit/event-of-fact';
import { recordTypesOf } from '../../../application/audit/record-lines';
import { settleAll } from '../../../application/shared/settle-all';
import type { ListPosition } from '../../../application/ports/storage/page';
import type { LifecycleClock, IdGenerator } from '../../../application/ports/system';
import { addressOf } from '../../../domain/access/actor';
import type { AuditEntry, AuditFact } from '../../../domain/access/audit-entry';
import type { Queries } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { withTags } from '../registration/domains/pages/domain-conditions';
import { columnsOf, insertRows, rowOf, stateOf } from '../database/table';
import { AuditLogTable, type AuditLogRow } from './access-tables';
import { MAX_COMPARED, positionOf, searchAuditLog, SEVERAL_TYPES } from './sql-audit-search';

/** A proxy may send longer text. */
const MAX_ADDRESS = 64;
const COLUMNS = columnsOf(AuditLogTable, { except: ['retained_from', 'record_type'] });

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
  /** @param most entries that a call of `search` compares in each list */
  constructor(
    private readonly database: Queries,
    private readonly most = MAX_COMPARED,
  ) {}

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
    const from = `audit_log${filter.tags ? '' : forceIndex(indexFor(filter))} WHERE ${conditions.join(' AND ')}${tagged.sql}`;
    return this.read(`${from} ORDER BY happened_at DESC, id DESC LIMIT ?`, [
      ...parameters,
      ...tagged.parameters,
      limit,
    ]);
  }

  async search(accountId: string, search: AuditSearch, limit: number, after?: ListPosition): Promise<AuditFinds> {
    const { domainId, domainNames, actions, recordType, ...rest } = search;
    // The tags may have few domains, with entries that are far apart: the database chooses where to begin.
    if (rest.tags && !(domainId ?? domainNames ?? actions ?? recordType)) {
      const found = await this.page(accountId, rest, limit + 1, after);
      return {
        entries: found.slice(0, limit),
        searchedTo: found.length > limit ? positionOf(found[limit - 1]) : undefined,
      };
    }
    return searchAuditLog(this.database, accountId, search, limit, after, {
      most: this.most,
      readEntries: this.read.bind(this),
    });
  }

  private async read(from: string, parameters: readonly unknown[]): Promise<readonly AuditEntry[]> {
    const rows = await this.database.query<AuditLogRow>(`SELECT ${COLUMNS} FROM ${from}`, parameters);
    return rows.map((row) => stateOf(AuditLogTable, row));
  }
}

export class SqlAuditLog implements AuditLog {
  constructor(
    private readonly manager: EntityManager,
    private readonly ids: IdGenerator,
    private readonly lifecycleClock: LifecycleClock,
    private readonly events: EventLog,
  ) {}

  /** On SQLite both travel to the writer together. */
  async append(...facts: readonly AuditFact[]): Promise<void> {
    await settleAll([
      insertRows(
        this.manager,
        AuditLogTable,
        facts.map((fact) => this.toRow(fact)),
      ),
      this.events.append(...facts.flatMap((fact) => eventOfFact(fact) ?? [])),
    ]);
  }

  private toRow(fact: AuditFact): AuditLogRow {
    const clientAddress = addressOf(fact.actor)?.slice(0, MAX_ADDRESS) ?? null;
    const state = { id: this.ids.next('evt'), ...fact, clientAddress };
    const types = recordTypesOf(fact);
    return rowOf(AuditLogTable, state, {
      record_type: types.length > 1 ? SEVERAL_TYPES : (types[0] ?? ''),
      retained_from: this.lifecycleClock.now().getTime(),
    });
  }
}
