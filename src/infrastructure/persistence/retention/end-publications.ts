import type { Removal } from '../../../application/ports/storage/expired-rows';
import type { Database } from '../database/database';
import { placeholders } from '../database/table';

/** A webhook reads the feed only when something happens, which may be after a long time. */
const IS_SENT = `EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = event_feeds.account_id AND w.finished_at IS NULL
  AND (w.types IS NULL OR w.types LIKE '%"zone.published"%' OR w.types LIKE '%"zone.*"%'))`;

/** No `zone.published` is written any more for accounts that last read such events before then, unless a webhook is sent them. Reads all feeds. */
export async function endPublications(database: Database, before: Date, limit: number): Promise<Removal> {
  const unread = await database.query<{ account_id: string }>(
    `SELECT account_id FROM event_feeds WHERE publications_asked_at <= ? AND NOT ${IS_SENT} LIMIT ?`,
    [before.getTime(), limit],
  );
  const accounts = unread.map(({ account_id }) => account_id);
  if (accounts.length > 0)
    await database.transaction((manager) =>
      manager.query(
        `UPDATE event_feeds SET publications_from = NULL, publications_asked_at = NULL WHERE account_id IN (${placeholders(accounts)}) AND publications_asked_at <= ?`,
        [...accounts, before.getTime()],
      ),
    );
  return { removed: accounts.length, more: accounts.length === limit };
}
