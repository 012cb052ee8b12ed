import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database';
import { forceIndex } from '../database/mysql/force-index';
import { placeholders } from '../database/table';
import type { EventFeedRow } from './event-tables';

/** Of one pass, which takes some milliseconds. */
const NUMBERED_AT_ONCE = 1_000;
const FEED_LENGTH = 10;
const BASE = 36;

/**
 * Gives the committed events of an account that have no position the next ones, in the order of their insertion, at most `limit`.
 * What is committed later comes after them, so a reader that has read them misses nothing. Writers never wait for it. Returns how many.
 */
export async function numberEvents(
  database: Pick<Database, 'transaction' | 'forUpdate'>,
  accountId: string,
  limit = NUMBERED_AT_ONCE,
): Promise<number> {
  return database.transaction(async (manager) => {
    const feed = await lockFeed(manager, database.forUpdate, accountId);
    const rows = await manager.query<{ sequence: number }[]>(
      `SELECT sequence FROM events${forceIndex('events_in_order')} WHERE account_id = ? AND position IS NULL ORDER BY sequence LIMIT ?`,
      [accountId, limit],
    );
    if (rows.length === 0) return 0;
    const cases = rows.map(({ sequence }, index) => `WHEN ${sequence} THEN ${feed.position + index + 1}`);
    await manager.query(
      `UPDATE events SET position = CASE sequence ${cases.join(' ')} END WHERE sequence IN (${placeholders(rows)})`,
      rows.map(({ sequence }) => sequence),
    );
    await manager.query('UPDATE event_feeds SET position = ? WHERE account_id = ?', [
      feed.position + rows.length,
      accountId,
    ]);
    return rows.length;
  }, accountId);
}

async function lockFeed(
  manager: EntityManager,
  forUpdate: string,
  accountId: string,
): Promise<Pick<EventFeedRow, 'position'>> {
  const lock = () =>
    manager.query<EventFeedRow[]>(`SELECT position FROM event_feeds WHERE account_id = ?${forUpdate}`, [accountId]);
  const [feed] = await lock();
  if (feed) return feed;
  const ignoring = manager.connection.options.type === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
  await manager.query(`${ignoring} INTO event_feeds (account_id, feed, position, removed_to) VALUES (?, ?, 0, 0)`, [
    accountId,
    newFeedId(),
  ]);
  const [created] = await lock();
  if (!created) throw new Error('the feed of an account could not be created');
  return created;
}

/** The ids of events that are lost with a restored database are not given to others, and readers that have read those get an error. */
export async function renameFeeds(manager: EntityManager): Promise<void> {
  const feeds = await manager.query<Pick<EventFeedRow, 'account_id'>[]>('SELECT account_id FROM event_feeds');
  for (const { account_id: accountId } of feeds)
    await manager.query('UPDATE event_feeds SET feed = ? WHERE account_id = ?', [newFeedId(), accountId]);
}

function newFeedId(): string {
  return Array.from(randomBytes(FEED_LENGTH), (octet) => (octet % BASE).toString(BASE)).join('');
}
