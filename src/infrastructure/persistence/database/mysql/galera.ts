import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isDeadlock } from '../database-errors';

/** `query` of a TypeORM connection. `isStructured` returns an object instead of rows. */
export type Send = (sql: string, parameters?: readonly unknown[], isStructured?: boolean) => Promise<unknown>;

/** Rows share these; two that share one only wait for each other. */
const BUCKETS = 4_096;
const LOCKING = /\bFROM (\w+)[\s\S]* FOR UPDATE\b/;
const KEYS = ['id', 'domain_id', 'key_id', 'token_digest'];
const MIGRATION_LEASE_MS = 30_000;
const POLL_MS = 250;
/** Only a cluster has these tables. */
const TABLES = [
  'CREATE TABLE IF NOT EXISTS row_locks (bucket SMALLINT UNSIGNED PRIMARY KEY, taken BIGINT UNSIGNED NOT NULL) ENGINE=InnoDB',
  'CREATE TABLE IF NOT EXISTS migration_leases (id TINYINT PRIMARY KEY, holder CHAR(36) NOT NULL, held_until BIGINT NOT NULL) ENGINE=InnoDB',
];

/** Whether the server is a node of a Galera cluster. */
export async function isGaleraNode(send: Send): Promise<boolean> {
  const [variable] = (await send("SHOW VARIABLES LIKE 'wsrep_on'")) as { Value: string }[];
  return variable?.Value === 'ON';
}

/**
 * Sends `sql`, and writes what it locks. A cluster certifies written rows only: two transactions on two nodes could otherwise
 * hold one row locked at the same time (MariaDB, "Galera Cluster: known limitations").
 */
export async function sendAndCertify(
  send: Send,
  ...[sql, parameters, isStructured]: Parameters<Send>
): Promise<unknown> {
  const result = await send(sql, parameters, isStructured);
  const table = LOCKING.exec(sql)?.[1];
  if (table === undefined || !Array.isArray(result) || result.length === 0) return result;
  const buckets = [...new Set((result as Record<string, unknown>[]).map((row) => bucketOf(table, row, parameters)))];
  await send(
    `INSERT INTO row_locks (bucket, taken) VALUES ${buckets.map(() => '(?, 1)').join(', ')} ON DUPLICATE KEY UPDATE taken = taken + 1`,
    buckets.toSorted((a, b) => a - b),
  );
  return result;
}

function bucketOf(table: string, row: Record<string, unknown>, parameters: readonly unknown[] | undefined): number {
  const key = KEYS.find((column) => column in row);
  // Without the table, because a join may select the same row. IDs are unique over all tables.
  const identity = key === undefined ? `${table} ${JSON.stringify(parameters)}` : `${key} ${String(row[key])}`;
  return createHash('sha256').update(identity).digest().readUInt16BE() % BUCKETS;
}

/**
 * Runs `work` in one process of the cluster at a time. GET_LOCK is known to one node only, so the lease is a row. After a
 * kill of its holder it ends within 30 seconds. Returns undefined if another process holds it for longer than `withinMs`.
 */
export async function withMigrationLease<T>(
  source: DataSource,
  withinMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const holder = randomUUID();
  const deadline = performance.now() + withinMs;
  for (const table of TABLES) await source.query(table);
  const take = async (): Promise<boolean> => {
    const now = Date.now();
    try {
      await source.query("INSERT IGNORE INTO migration_leases (id, holder, held_until) VALUES (1, '', 0)");
      await source.query(
        'UPDATE migration_leases SET holder = ?, held_until = ? WHERE id = 1 AND (held_until < ? OR holder = ?)',
        [holder, now + MIGRATION_LEASE_MS, now, holder],
      );
      const [row] = await source.query<{ holder: string }[]>('SELECT holder FROM migration_leases WHERE id = 1');
      return row?.holder === holder;
    } catch (error) {
      if (isDeadlock(error)) return false;
      throw error;
    }
  };
  while (!(await take())) {
    if (performance.now() > deadline) return undefined;
    await sleep(POLL_MS);
  }
  const renewal = setInterval(() => void take().catch(() => undefined), MIGRATION_LEASE_MS / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // If this fails, the lease ends by itself; the result of `work` counts.
    await source
      .query('UPDATE migration_leases SET held_until = 0 WHERE id = 1 AND holder = ?', [holder])
      .catch(() => undefined);
  }
}
