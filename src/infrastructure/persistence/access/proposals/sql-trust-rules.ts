import type { EntityManager } from 'typeorm';
import type { TrustRuleReader, TrustRuleRepository } from '../../../../application/ports/access/trust-rules';
import type { TrustRule } from '../../../../domain/access/trust/trust-rule';
import type { Queries } from '../../database/database';
import { columnsOf, rowOf, stateOf } from '../../database/table';
import { TrustRuleTable, type TrustRuleRow } from './trust-tables';

const COLUMNS = columnsOf(TrustRuleTable);

export class SqlTrustRuleReader implements TrustRuleReader {
  constructor(private readonly database: Queries) {}

  async ofAccount(accountId: string): Promise<readonly TrustRule[]> {
    const sql = `SELECT ${COLUMNS} FROM trust_rules WHERE account_id = ? ORDER BY created_at, id`;
    return (await this.database.query<TrustRuleRow>(sql, [accountId])).map((row) => stateOf(TrustRuleTable, row));
  }

  async find(id: string): Promise<TrustRule | undefined> {
    const [row] = await this.database.query<TrustRuleRow>(`SELECT ${COLUMNS} FROM trust_rules WHERE id = ?`, [id]);
    return row && stateOf(TrustRuleTable, row);
  }
}

export class SqlTrustRuleRepository implements TrustRuleRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async lock(id: string): Promise<TrustRule | undefined> {
    const sql = `SELECT ${COLUMNS} FROM trust_rules WHERE id = ?${this.forUpdate}`;
    const [row] = await this.manager.query<TrustRuleRow[]>(sql, [id]);
    return row && stateOf(TrustRuleTable, row);
  }

  async count(accountId: string): Promise<number> {
    const sql = 'SELECT COUNT(*) AS amount FROM trust_rules WHERE account_id = ?';
    const [row] = await this.manager.query<{ amount: number | string }[]>(sql, [accountId]);
    return Number(row?.amount ?? 0);
  }

  async add(rule: TrustRule): Promise<void> {
    await this.manager.insert(TrustRuleTable, rowOf(TrustRuleTable, rule));
  }

  async save(rule: TrustRule): Promise<void> {
    const { id, ...row } = rowOf(TrustRuleTable, rule);
    await this.manager.update(TrustRuleTable, { id }, row);
  }

  async remove(id: string): Promise<void> {
    await this.manager.delete(TrustRuleTable, { id });
  }
}
