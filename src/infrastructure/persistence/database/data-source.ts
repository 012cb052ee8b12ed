import { createPool, type PoolConnection, type PoolOptions } from 'mysql2';
import { DataSource } from 'typeorm';
import type { MysqlTls } from '../../../config/database-values';
import type { BaseDataSourceOptions } from 'typeorm/data-source/BaseDataSourceOptions';
import { sslOptions } from './mysql/mysql-tls';
import { SilentLogger } from './silent-logger';

export interface MysqlLocation {
  readonly url: string;
  readonly tls?: MysqlTls;
}

export type DatabaseLocation =
  { readonly kind: 'sqlite'; readonly file: string } | ({ readonly kind: 'mysql' } & MysqlLocation);

/** What a database holds: its tables as TypeORM writes to them, and how they came to be. */
export type DatabaseContent = Pick<BaseDataSourceOptions, 'entities' | 'migrations' | 'migrationsTableName'>;

/** For a lock that another process or connection holds. */
export const SQLITE_TIMEOUT_MS = 5_000;
/** Of the connection that writes: in WAL mode, where a commit is on the disk. */
export const SQLITE_PRAGMAS = ['journal_mode = WAL', 'foreign_keys = ON', 'synchronous = FULL'];

const COMMON = {
  synchronize: false,
  logging: false,
  logger: new SilentLogger(),
  migrationsTransactionMode: 'none',
} as const;

const MYSQL = {
  ...COMMON,
  type: 'mysql',
  charset: 'utf8mb4',
  timezone: 'Z',
  connectTimeout: 5_000,
  supportBigNumbers: false,
} as const;
const POOL_SIZE = 10;
const ANSWER_WITHIN_MS = 10_000;
/** A peer that has silently gone is noticed before the next request needs the connection. */
const PROBE_AFTER_MS = 30_000;
/** Shorter than the statement timeout, so that a lock wait is distinguished from a server that does not respond. */
const SESSION = ['SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', 'SET SESSION innodb_lock_wait_timeout = 3'];

/** For TypeORM's command line, with a separate connection. */
export function sqliteDataSource(file: string, content: DatabaseContent): DataSource {
  return new DataSource({
    ...sqliteOptions(file, content),
    timeout: SQLITE_TIMEOUT_MS,
    prepareDatabase: (connection: { pragma(text: string): unknown }) => {
      for (const pragma of SQLITE_PRAGMAS) connection.pragma(pragma);
    },
  });
}

export function sqliteOptions(file: string, content: DatabaseContent) {
  return { ...COMMON, ...content, type: 'better-sqlite3', database: file } as const;
}

export function mysqlDataSource({ url, tls }: MysqlLocation, content: DatabaseContent): DataSource {
  return new DataSource({
    ...MYSQL,
    ...content,
    url,
    ...(tls && { ssl: sslOptions(tls) }),
    poolSize: POOL_SIZE,
    maxQueryExecutionTime: ANSWER_WITHIN_MS,
    enableQueryTimeout: true,
    // Without `trace`, an error shows the failed statement but not its caller: recording that for each statement is expensive.
    extra: { keepAliveInitialDelay: PROBE_AFTER_MS, trace: false },
    driver: { createPool: poolOfSessions },
  });
}

/** For as long as migrations take. */
export function mysqlMigrationsDataSource({ url, tls }: MysqlLocation, content: DatabaseContent): DataSource {
  return new DataSource({ ...MYSQL, ...content, url, ...(tls && { ssl: sslOptions(tls) }) });
}

/** mysql2's own, with every connection set up before its first use. */
function poolOfSessions(options: PoolOptions): ReturnType<typeof createPool> {
  const pool = createPool(options);
  pool.on('connection', (connection: PoolConnection) => {
    for (const statement of SESSION) {
      connection.query(statement, (error) => {
        if (error) connection.destroy();
      });
    }
  });
  return pool;
}
