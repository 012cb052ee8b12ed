import type {
  DomainOrder,
  DomainQueries,
  Expiring,
  SortedList,
  SortedPosition,
} from '../../../application/ports/registration/domain-queries';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import type { Queries } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { fromMillis } from '../row-times';
import { DOMAIN_COLUMNS, NAME_CONTAINS, toDomainState } from './typeorm-domain-repository';
import type { DomainRow } from './registration-tables';

/** MySQL answers sums as texts. */
type Count = number | string;

const COLUMN: Record<DomainOrder, string> = { name: 'name', expiry: 'expires_at' };
const INDEX: Record<DomainOrder, { readonly all: string; readonly ofStatus: string }> = {
  name: { all: 'domains_by_name', ofStatus: 'domains_by_status_and_name' },
  expiry: { all: 'domains_by_expiry', ofStatus: 'domains_by_status_and_expiry' },
};

export class TypeOrmDomainQueries implements DomainQueries {
  constructor(private readonly database: Queries) {}

  async page(
    accountId: string,
    list: SortedList,
    limit: number,
    after?: SortedPosition,
  ): Promise<readonly DomainState[]> {
    const conditions = ["account_id = ? AND status <> 'gone'"];
    const parameters: unknown[] = [accountId];
    if (list.status !== undefined) {
      conditions.push('status = ?');
      parameters.push(list.status);
    }
    if (list.nameContains !== undefined) {
      conditions.push(NAME_CONTAINS);
      parameters.push(list.nameContains, list.nameContains);
    }
    const column = COLUMN[list.order];
    const index = INDEX[list.order][list.status === undefined ? 'all' : 'ofStatus'];
    const [beyond, direction] = list.descending ? ['<', 'DESC'] : ['>', 'ASC'];
    if (after) {
      const value = list.order === 'name' ? after.name : after.expiresAt.getTime();
      conditions.push(`${column} ${beyond}= ? AND (${column} ${beyond} ? OR id ${beyond} ?)`);
      parameters.push(value, value, after.id);
    }
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains${forceIndex(index)} WHERE ${conditions.join(' AND ')} ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`;
    return (await this.database.query<DomainRow>(sql, [...parameters, limit])).map(toDomainState);
  }

  async countByStatus(accountId: string): Promise<ReadonlyMap<DomainStatus, number>> {
    const sql = `SELECT status, COUNT(*) AS amount FROM domains${forceIndex('domains_counted')} WHERE account_id = ? AND status <> 'gone' GROUP BY status`;
    const rows = await this.database.query<{ status: DomainStatus; amount: Count }>(sql, [accountId]);
    return new Map(rows.map(({ status, amount }) => [status, Number(amount)]));
  }

  async expiring(accountId: string, from: Date, to: Date, spanMs: number): Promise<readonly Expiring[]> {
    const sql = `SELECT span, SUM(auto_renew) AS renewing, COUNT(*) AS amount
      FROM (SELECT expires_at - ? - (expires_at - ?) % ? AS span, auto_renew FROM domains${forceIndex('domains_counted')}
        WHERE account_id = ? AND status = 'active' AND expires_at >= ? AND expires_at < ?) AS coming
      GROUP BY span ORDER BY span`;
    const start = from.getTime();
    const rows = await this.database.query<{ span: Count; renewing: Count; amount: Count }>(sql, [
      start,
      start,
      spanMs,
      accountId,
      start,
      to.getTime(),
    ]);
    return rows.map(({ span, renewing, amount }) => ({
      from: fromMillis(start + Number(span)),
      renewing: Number(renewing),
      ending: Number(amount) - Number(renewing),
    }));
  }

  async ending(accountId: string, to: Date, limit: number): Promise<readonly DomainState[]> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND status = 'active' AND auto_renew = 0 AND expires_at < ? ORDER BY expires_at, id LIMIT ?`;
    return (await this.database.query<DomainRow>(sql, [accountId, to.getTime(), limit])).map(toDomainState);
  }

  async held(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const sql = `SELECT id FROM domains WHERE account_id = ? AND status <> 'gone' AND id IN (${ids.map(() => '?').join(', ')})`;
    return new Set((await this.database.query<{ id: string }>(sql, [accountId, ...ids])).map(({ id }) => id));
  }

  async newest(accountId: string): Promise<DomainState | undefined> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND status <> 'gone' ORDER BY created_at DESC, id DESC LIMIT 1`;
    const [row] = await this.database.query<DomainRow>(sql, [accountId]);
    return row && toDomainState(row);
  }
}
