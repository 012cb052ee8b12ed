import type { EntityManager } from 'typeorm';
import { DAY_MS } from '../../../../domain/shared/time/calendar';
import { addToCounter } from '../../database/table';
import type { DomainRow } from '../registration-tables';

export type CountedRow = Pick<DomainRow, 'account_id' | 'status' | 'expires_at' | 'auto_renew'>;

type Key = Readonly<Record<'account_id' | 'status', string> & Record<'expires_on' | 'auto_renew', number>>;

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
    const text = Object.values(key).join();
    const change = changes.get(text) ?? { key, by: 0 };
    change.by += by;
    changes.set(text, change);
  };
  for (const row of left) add(row, -1);
  for (const row of come) add(row, 1);
  const sorted = [...changes].filter(([, { by }]) => by !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1));
  for (const [, { key, by }] of sorted) await addToCount(manager, key, by);
}

async function addToCount(manager: EntityManager, key: Key, by: number): Promise<void> {
  await addToCounter(manager, 'domain_counts', key, 'amount', by);
  if (by < 0)
    await manager.query(
      'DELETE FROM domain_counts WHERE account_id = ? AND status = ? AND expires_on = ? AND auto_renew = ? AND amount = 0',
      [key.account_id, key.status, key.expires_on, key.auto_renew],
    );
}

function keyOf({ account_id, status, expires_at, auto_renew }: CountedRow): Key {
  return { account_id, status, expires_on: Math.floor(expires_at / DAY_MS) * DAY_MS, auto_renew };
}
