import { DOMAIN_STATUSES, isUnregistered, UNREGISTERED_STATUSES } from '../../../../domain/registration/domain-status';
import type { Queries } from '../../database/database';
import type { DomainRow } from '../registration-tables';

type DueName = Pick<DomainRow, 'id' | 'name' | 'account_id' | 'status'> & { readonly due_at: number };

const STATUSES = {
  registered: DOMAIN_STATUSES.filter((status) => !isUnregistered(status)),
  unregistered: UNREGISTERED_STATUSES,
};

/** The first `limit` names that are due until `until`. Each status is read in its own order, so that names of others are not read. */
export async function readDueNames(
  queries: Queries,
  which: keyof typeof STATUSES,
  until: number,
  limit: number,
): Promise<readonly DueName[]> {
  const ofEach = STATUSES[which].map(
    (status) =>
      `SELECT * FROM (SELECT id, name, account_id, status, due_at FROM domains WHERE status = '${status}' AND due_at <= ? ORDER BY due_at LIMIT ?) of_${status}`,
  );
  return queries.query<DueName>(`${ofEach.join(' UNION ALL ')} ORDER BY due_at LIMIT ?`, [
    ...ofEach.flatMap(() => [until, limit]),
    limit,
  ]);
}
