import type {
  NamedOperation,
  OperationQueries,
} from '../../../application/ports/registration/operations-and-transfers';
import { statusesAllowing, type DomainStatus } from '../../../domain/registration/domain-status';
import type { Queries } from '../database/database';
import { fromMillis } from '../database/table';
import { withTags } from './domains/pages/domain-conditions';
import type { OperationRow } from './registration-tables';
import { toOperationState } from './sql-operation-repository';

const OF_RENEWAL = '%"kind":"renew"%';
const RENEWABLE = statusesAllowing('renew');

type NamedRow = OperationRow & {
  readonly domain_name: string;
  readonly domain_status: DomainStatus;
  readonly domain_expires_at: number;
};

export class SqlOperationQueries implements OperationQueries {
  constructor(private readonly database: Queries) {}

  uncertain(
    accountId: string,
    before: Date,
    limit: number,
    tags?: readonly string[],
  ): Promise<readonly NamedOperation[]> {
    const tagged = withTags(accountId, tags, 'd.id');
    return this.ask(`o.status = 'uncertain' AND o.uncertain_since < ?${tagged.sql} ORDER BY o.uncertain_since, o.id`, [
      accountId,
      before.getTime(),
      ...tagged.parameters,
      limit,
    ]);
  }

  unfinished(
    { uncertain, after = '' }: { readonly uncertain: boolean; readonly after: string | undefined },
    limit: number,
  ): Promise<readonly NamedOperation[]> {
    const unknown = uncertain ? ' AND o.uncertain_since IS NOT NULL' : '';
    return this.askAll(`o.due_at IS NOT NULL AND o.id > ?${unknown} ORDER BY o.id`, [after, limit]);
  }

  failedRenewals(
    accountId: string,
    since: Date,
    limit: number,
    tags?: readonly string[],
  ): Promise<readonly NamedOperation[]> {
    const tagged = withTags(accountId, tags, 'd.id');
    const later =
      'SELECT 1 FROM operations l WHERE l.domain_id = o.domain_id AND l.request LIKE ? AND (l.created_at > o.created_at OR (l.created_at = o.created_at AND l.id > o.id))';
    return this.ask(
      `o.status = 'failed' AND o.finished_at >= ? AND o.request LIKE ? AND NOT EXISTS (${later}) AND d.status IN (${RENEWABLE.map(() => '?').join()})${tagged.sql} ORDER BY o.finished_at DESC, o.id DESC`,
      [accountId, since.getTime(), OF_RENEWAL, OF_RENEWAL, ...RENEWABLE, ...tagged.parameters, limit],
    );
  }

  private async ask(condition: string, parameters: readonly unknown[]): Promise<readonly NamedOperation[]> {
    // Not of names that are another account's by now.
    return this.askAll(`o.account_id = ? AND d.account_id = o.account_id AND ${condition}`, parameters);
  }

  private async askAll(condition: string, parameters: readonly unknown[]): Promise<readonly NamedOperation[]> {
    const sql = `SELECT o.*, d.name AS domain_name, d.status AS domain_status, d.expires_at AS domain_expires_at FROM operations o JOIN domains d ON d.id = o.domain_id WHERE ${condition} LIMIT ?`;
    return (await this.database.query<NamedRow>(sql, parameters)).map((row) => ({
      domainName: row.domain_name,
      domainGone: row.domain_status === 'gone',
      domainExpiresAt: fromMillis(row.domain_expires_at),
      operation: toOperationState(row),
    }));
  }
}
