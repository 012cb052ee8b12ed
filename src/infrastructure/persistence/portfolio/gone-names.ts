import type { EntityManager } from 'typeorm';
import type { DomainState } from '../../../domain/registration/domain';
import { leavesAccount } from '../../../domain/registration/domain-status';
import type { Queries } from '../database/database';

/** Writes down that the account of `before` no longer has the name. Kept as long as the account: no file buys the name again. */
export async function rememberGone(manager: EntityManager, before: DomainState, after: DomainState): Promise<void> {
  if (!leavesAccount(before, after)) return;
  const ignoring = manager.connection.options.type === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
  await manager.query(`${ignoring} INTO gone_names (account_id, name) VALUES (?, ?)`, [before.accountId, before.name]);
}

export async function isRememberedGone(database: Queries, accountId: string, name: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM gone_names WHERE account_id = ? AND name = ?';
  return (await database.query(sql, [accountId, name])).length > 0;
}
