import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConnection } from 'mysql2';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { FairSlots } from '../../../../application/shared/fair-slots';
import { connectingTo } from './connecting-to';
import { mysqlDataSource, mysqlMigrationsDataSource, type DatabaseContent } from '../data-source';
import type { MysqlLocation } from '../database-location';
import { isDeadlock, isUnanswered } from '../database-errors';
import { isGaleraNode, sendAndCertify, withMigrationLease, type Send } from './galera';
import type { ConnectionUse, Engine, Queries } from '../engine';
import { resumable } from '../resumable-migrations';
import { assertSchemaUsable } from '../schema-requirement';

const CONNECT_WITHIN_MS = 5_000;
/** A stored response has up to 8 MiB, 11 MiB when encrypted. MariaDB's default. */
const PACKET_BYTES = 16 * 1024 * 1024;
const MIGRATE_WITHIN_SECONDS = 120;
/** The process that migrates the current database holds it. A lock's name has at most 64 characters, and MySQL has no MD5() since 9.6. */
export const MIGRATION_LOCK = `CONCAT('namewright:', LEFT(SHA2(DATABASE(), 256), 40))`;
/** Of a transaction. In a cluster, one that meets another on another node fails when it commits. */
const ATTEMPTS = { server: 6, cluster: 12 };
const FIRST_WAIT_MS = 10;
const MAX_WAIT_MS = 500;
const RETRY_WITHIN_MS = 5_000;

/** Connections on which transactions of all accounts, and of one, run at a time: many could wait for one row. Reads use the others. */
const ACCOUNT_CONNECTIONS = 8;
const CONNECTIONS_OF_AN_ACCOUNT = 5;
/** Longer than for a connection, because many quick transactions of one account may wait for each other. */
const TURN_WITHIN_MS = 10_000;

/** Private in mysql2, which has no public figures of its pool. */
const POOL_LISTS = ['_allConnections', '_freeConnections', '_connectionQueue'] as const;

class AnotherProcessMigrates extends Error {
  constructor() {
    super(`another process has been migrating the database for ${MIGRATE_WITHIN_SECONDS} seconds`);
  }
}

/** A pool of connections to MySQL or MariaDB. No wait is unlimited: neither for a connection, nor a response, nor a lock. */
export class MysqlEngine implements Engine {
  readonly forUpdate = ' FOR UPDATE';
  readonly skipLocked = ' SKIP LOCKED';
  private readonly pool: DataSource;
  private readonly accountConnections = new FairSlots(ACCOUNT_CONNECTIONS, CONNECTIONS_OF_AN_ACCOUNT);
  private isCluster = false;

  constructor(
    private readonly location: MysqlLocation,
    private readonly content: DatabaseContent,
  ) {
    this.pool = mysqlDataSource(location, content);
  }

  async open(): Promise<readonly string[]> {
    const migrated = await this.migrate();
    await connectingTo(this.location.url, this.pool.initialize());
    try {
      await this.assertPacketSize();
      this.isCluster = await this.connected((runner) => isGaleraNode(sendingOn(runner)));
    } catch (error) {
      await this.pool.destroy();
      throw error;
    }
    return migrated;
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  get connections(): ConnectionUse {
    const { pool } = this.pool.driver as unknown as {
      readonly pool?: Partial<Record<(typeof POOL_LISTS)[number], { readonly length: number }>>;
    };
    const [all = 0, idle = 0, waiting = 0] = POOL_LISTS.map((list) => pool?.[list]?.length ?? 0);
    return { busy: all - idle, idle, waiting };
  }

  async query<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return this.connected(async (runner) => (await runner.query(sql, [...parameters])) as T[]);
  }

  async snapshot<T>(use: (queries: Queries) => Promise<T>): Promise<T> {
    return this.connected(async (runner) => {
      await runner.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await runner.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      const result = await use({
        query: (sql, parameters = []) => runner.query(sql, [...parameters]) as Promise<never>,
      });
      await runner.query('COMMIT');
      return result;
    });
  }

  async transaction<T>(work: (manager: EntityManager) => Promise<T>, accountId?: string): Promise<T> {
    return accountId === undefined ? this.repeated(work) : this.inTurn(accountId, () => this.repeated(work));
  }

  private inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isTooLate = false;
      const timer = setTimeout(() => {
        isTooLate = true;
        reject(noConnection());
      }, TURN_WITHIN_MS);
      void this.accountConnections.run(accountId, async () => {
        clearTimeout(timer);
        if (!isTooLate) await work().then(resolve, reject);
      });
    });
  }

  /** After a deadlock or a lock timeout, `work` is retried: a few times, for a few seconds. */
  private async repeated<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(work);
      } catch (error) {
        if (
          !isDeadlock(error) ||
          attempt === ATTEMPTS[this.isCluster ? 'cluster' : 'server'] ||
          performance.now() - startedAt > RETRY_WITHIN_MS
        )
          throw error;
      }
      // Random waits, so that the transactions of a deadlock do not collide again.
      await sleep(Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS) * (0.5 + Math.random()));
    }
  }

  private async once<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.connected(async (runner) => {
      await runner.query('START TRANSACTION');
      const result = await stoppingAtDeadlock(runner, this.isCluster, () => work(runner.manager));
      await runner.query('COMMIT');
      return result;
    });
  }

  private async connected<T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> {
    const runner = await this.connection();
    try {
      return await work(runner);
    } catch (error) {
      await leaveClean(runner, error);
      throw error;
    } finally {
      await runner.release();
    }
  }

  private async connection(): Promise<QueryRunner> {
    const runner = this.pool.createQueryRunner();
    const connecting = runner.connect();
    let timer: NodeJS.Timeout | undefined;
    try {
      const tooLate = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(noConnection()), CONNECT_WITHIN_MS);
      });
      await Promise.race([connecting, tooLate]);
      return runner;
    } catch (error) {
      void connecting.then(
        () => runner.release(),
        () => undefined,
      );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws if a stored response or a change of many records could exceed the largest packet of the server */
  private async assertPacketSize(): Promise<void> {
    const [{ bytes } = { bytes: 0 }] = await this.query<{ bytes: number | string }>(
      'SELECT @@max_allowed_packet AS bytes',
    );
    if (Number(bytes) >= PACKET_BYTES) return;
    const { hostname, port } = new URL(this.location.url);
    throw new Error(
      `max_allowed_packet of MySQL at ${hostname}:${port || '3306'} is ${bytes} bytes: set it to ${PACKET_BYTES} or more`,
    );
  }

  /** Uses a separate connection without a statement timeout; of several processes, one migrates and the others wait. */
  private async migrate(): Promise<readonly string[]> {
    const source = await connectingTo(
      this.location.url,
      mysqlMigrationsDataSource(this.location, resumable(this.content)).initialize(),
    );
    try {
      const runner = source.createQueryRunner();
      const [lock] = (await runner.query(`SELECT GET_LOCK(${MIGRATION_LOCK}, ?) AS taken`, [
        MIGRATE_WITHIN_SECONDS,
      ])) as { taken: number | null }[];
      if (Number(lock?.taken) !== 1) throw new AnotherProcessMigrates();
      const migrate = async () => {
        await assertSchemaUsable(runner, this.content);
        return source.runMigrations();
      };
      const done = (await isGaleraNode(sendingOn(runner)))
        ? await withMigrationLease(source, MIGRATE_WITHIN_SECONDS * 1_000, migrate)
        : await migrate();
      if (!done) throw new AnotherProcessMigrates();
      await runner.release();
      return done.map(({ name }) => name);
    } finally {
      // The lock ends with its connection.
      await source.destroy();
    }
  }
}

function noConnection(): Error {
  return Object.assign(new Error('no connection to the database was free in time'), { code: 'ETIMEDOUT' });
}

/** Rolls back. A connection with an unanswered statement is closed, because its next user would wait for that statement. */
async function leaveClean(runner: QueryRunner, error: unknown): Promise<void> {
  try {
    if (isUnanswered(error)) throw error;
    await runner.query('ROLLBACK');
  } catch {
    ((await runner.connect()) as PoolConnection).destroy();
  }
}

/**
 * A deadlock rolls the whole transaction back, and the server would commit each statement that follows by itself. Those that
 * `work` has issued at the same time are therefore sent one after the other, and refused after a deadlock.
 */
async function stoppingAtDeadlock<T>(runner: QueryRunner, isCluster: boolean, work: () => Promise<T>): Promise<T> {
  const plain = sendingOn(runner);
  const send: Send = isCluster ? (...statement) => sendAndCertify(plain, ...statement) : plain;
  let previous: Promise<unknown> = Promise.resolve();
  let deadlock: unknown;
  const sendNext = (...statement: Parameters<Send>): Promise<unknown> => {
    const result = previous.then(() =>
      deadlock === undefined ? send(...statement) : Promise.reject(deadlock as Error),
    );
    previous = result.catch((error: unknown) => {
      if (isDeadlock(error)) deadlock = error;
    });
    return result;
  };
  runner.query = sendNext as QueryRunner['query'];
  try {
    return await work();
  } finally {
    await previous;
    runner.query = plain as QueryRunner['query'];
  }
}

function sendingOn(runner: QueryRunner): Send {
  return runner.query.bind(runner) as Send;
}
