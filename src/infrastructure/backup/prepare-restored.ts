import type { EntityManager } from 'typeorm';
import { IDEMPOTENCY_KEY_MS } from '../../domain/access/idempotency-record';
import { renameFeeds } from '../persistence/events/number-events';
import type { Database } from '../persistence/database/database';

/** Registries see each transaction id once, and it has the attempt's number: each restore continues with higher numbers. */
const NUMBERS_SINCE = Date.UTC(2020, 0);
const UNFINISHED = 'The database was restored while this was unfinished: check the domain, then retry';
/** They cost money, so they are checked at the registry before they are repeated. */
const CHECKED_KINDS = ['register', 'renew', 'restore'] as const;

/**
 * Prepares a restored database for the time that it missed: what was unfinished may have taken effect since, and newer changes
 * may have followed. Only purchases continue, after a check. People sign in again, because sessions may have been ended, and readers of
 * events learn that the events after the backup are lost.
 */
export async function prepareRestored(database: Database, now: Date): Promise<void> {
  const at = now.getTime();
  await database.transaction(async (manager) => {
    await manager.query(
      'UPDATE domains SET due_at = ? WHERE due_at IS NOT NULL AND id IN (SELECT domain_id FROM operations WHERE finished_at IS NULL)',
      [at],
    );
    await manager.query(
      'UPDATE domains SET backup_expires_at = expires_at, repeats_until = ? WHERE live_name IS NOT NULL',
      [at + IDEMPOTENCY_KEY_MS],
    );
    await failUnchecked(manager, at);
    const uncertain =
      'attempts = attempts + ?, uncertain_since = COALESCE(uncertain_since, ?), lost_at = ?, lease_owner = NULL, lease_until = NULL, next_attempt_at = ?, due_at = ?';
    // A command that was sent after the backup may not be shown yet: `lost_at` begins the registry's read lag.
    const values = [Math.floor((at - NUMBERS_SINCE) / 1_000), at, at, at, at];
    await manager.query(`UPDATE operations SET status = 'uncertain', ${uncertain} WHERE finished_at IS NULL`, values);
    await manager.query(`UPDATE transfers SET ${uncertain} WHERE status = 'queued'`, values);
    await manager.query('DELETE FROM sessions');
    await renameFeeds(manager);
  });
}

/** Fails operations that would set what may have been changed since, and items of bulk jobs that have stored no operation and no transfer. */
async function failUnchecked(manager: EntityManager, at: number): Promise<void> {
  const isChecked = CHECKED_KINDS.map((kind) => `request LIKE '%"kind":"${kind}"%'`).join(' OR ');
  await manager.query(
    `UPDATE operations SET status = 'failed', error_code = 'SERVICE_UNAVAILABLE', error_message = ?, uncertain_since = NULL, lease_owner = NULL, lease_until = NULL, due_at = NULL, updated_at = ?, finished_at = ?, retained_from = ? WHERE finished_at IS NULL AND NOT (${isChecked})`,
    [UNFINISHED, at, at, at],
  );
  await manager.query(
    "UPDATE bulk_items SET state = 'failed', error = ?, sealed_auth_code = NULL WHERE state = 'waiting' AND NOT EXISTS (SELECT 1 FROM operations WHERE operations.id = bulk_items.operation_id) AND NOT EXISTS (SELECT 1 FROM transfers WHERE transfers.id = bulk_items.domain_id)",
    [JSON.stringify({ code: 'SERVICE_UNAVAILABLE', message: UNFINISHED, details: null })],
  );
}
