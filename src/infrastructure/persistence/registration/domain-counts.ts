import type { EntityManager } from 'typeorm';
import { DAY_MS } from '../../../domain/shared/calendar';
import type { DomainRow } from './registration-tables';

export type CountedRow = Pick<DomainRow, 'account_id' | 'status' | 'expires_at' | 'auto_renew'>;

const KEY = ['account_id', 'status', 'expires_on', 'auto_renew'] as const;
type Key = readonly [accountId: string, status: string, expiresOn: number, autoRenew: number];

/**
 * Counts domains that have come and no longer counts those that have left, in the transaction that changes them. Domains that
 * are gone are not counted. Every writer locks the counters in the same order.
 */
export async function updateDomainCounts(
  manager: EntityManager,
  left: readonly CountedRow[],
  come: readonly CountedRow[],
): Promise<void> {
  const changes = new Map<string, { readonly key: Key; by: number }>();
  const add = (row: CountedRow, by: number): void => {
    if (row.status === 'gone') return;
    const key = keyOf(row);
    const change = changes.get(key.join()) ?? { key, by: 0 };
    change.by += by;
    changes.set(key.join(), change);
  };
  for (const row of left) add(row, -1);
  for (const row of come) add(row, 1);
  const sorted = [...changes].filter(([, { by }]) => by !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1));
  for (const [, { key, by }] of sorted) await addToCount(manager, key, by);
}

async function addToCount(manager: EntityManager, key: Key, by: number): Promise<void> {
  const condition = KEY.map((column) => `${column} = ?`).join(' AND ');
  const onDuplicate =
    manager.connection.options.type === 'mysql'
      ? 'ON DUPLICATE KEY UPDATE amount = amount + VALUES(amount)'
      : `ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET amount = amount + excluded.amount`;
  await manager.query(`INSERT INTO domain_counts (${KEY.join(', ')}, amount) VALUES (?, ?, ?, ?, ?) ${onDuplicate}`, [
    ...key,
    by,
  ]);
  if (by < 0) await manager.query(`DELETE FROM domain_counts WHERE ${condition} AND amount = 0`, [...key]);
}

function keyOf({ account_id, status, expires_at, auto_renew }: CountedRow): Key {
  return [account_id, status, Math.floor(expires_at / DAY_MS) * DAY_MS, auto_renew];
}
