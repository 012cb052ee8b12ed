import type { Removal } from '../../../application/ports/storage/expired-rows';
import type { Database } from '../database/database';
import { placeholders } from '../database/table';
import { numberEvents } from '../events/number-events';

const ACCOUNTS_AT_ONCE = 20;

interface ExpiredEvent {
  readonly sequence: number;
  readonly account_id: string;
  readonly position: number;
}

/**
 * Removes old events that have a position, and says so in the feed of their account, so that no reader passes over them without
 * noticing. Those that were never read get a position first.
 */
export async function removeEvents(database: Database, before: Date, limit: number): Promise<Removal> {
  const unread = await database.query<{ account_id: string }>(
    'SELECT DISTINCT account_id FROM (SELECT account_id, position FROM events WHERE retained_from <= ? ORDER BY retained_from LIMIT ?) AS oldest WHERE position IS NULL LIMIT ?',
    [before.getTime(), limit, ACCOUNTS_AT_ONCE],
  );
  for (const { account_id: accountId } of unread) await numberEvents(database, accountId, limit);
  const removed = await database.transaction(async (manager) => {
    const expired = await manager.query<ExpiredEvent[]>(
      `SELECT sequence, account_id, position FROM events WHERE retained_from <= ? AND position IS NOT NULL ORDER BY retained_from LIMIT ?${database.forUpdate}${database.skipLocked}`,
      [before.getTime(), limit],
    );
    if (expired.length === 0) return 0;
    const last = new Map<string, number>();
    for (const { account_id: account, position } of expired)
      last.set(account, Math.max(position, last.get(account) ?? 0));
    for (const [account, position] of [...last].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await manager.query('UPDATE event_feeds SET removed_to = ? WHERE account_id = ? AND removed_to < ?', [
        position,
        account,
        position,
      ]);
    const sequences = expired.map(({ sequence }) => sequence);
    await manager.query(`DELETE FROM events WHERE sequence IN (${placeholders(sequences)})`, sequences);
    return expired.length;
  });
  return { removed, more: removed === limit || unread.length > 0 };
}
