import { createPool, type PoolConnection, type PoolOptions, type SslOptions } from 'mysql2';
import { DataSource, AbstractLogger } from 'typeorm';
import type { MysqlLocation } from './database-location';
import type { MysqlTls } from '../../../config/database-values';
import type { BaseDataSourceOptions } from 'typeorm/data-source/BaseDataSourceOptions';
import { readFileSync } from 'node:fs';

/** The tables of a database and the migrations that create them. */
export type DatabaseContent = Pick<BaseDataSourceOptions, 'entities' | 'migrations' | 'migrationsTableName'>;

/** How long to wait for a lock of another process or connection. */
export const SQLITE_TIMEOUT_MS = 5_000;
/**
 * Of the connection that writes: WAL mode, with each commit synced to the disk. The pages that a statement changes are kept in memory
 * until it ends, not in a file, and a checkpoint copies those of many commits at once: both halve the processor time of a write.
 */
export const SQLITE_PRAGMAS = [
  'journal_mode = WAL',
  'foreign_keys = ON',
  'synchronous = FULL',
  'temp_store = MEMORY',
  'wal_autocheckpoint = 4000',
];

/** Errors are thrown and logged where they are caught; TypeORM would also write them to standard output. */
class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {
    // Nothing.
  }
}

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
/** Detects a dead peer before the next request needs the connection. */
const PROBE_AFTER_MS = 30_000;
/** Shorter than the statement timeout, so that a lock wait is distinguished from a server that does not respond. */
const SESSION = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  // At a node of a Galera cluster, reads see what another node has committed. MySQL takes /*M! … */ for a comment.
  'SET SESSION innodb_lock_wait_timeout = 3 /*M! , SESSION wsrep_sync_wait = 1 */',
];

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

/** Without a statement timeout, and without the entities, which no migration uses and which take time to build. */
export function mysqlMigrationsDataSource({ url, tls }: MysqlLocation, content: DatabaseContent): DataSource {
  return new DataSource({ ...MYSQL, ...content, entities: [], url, ...(tls && { ssl: sslOptions(tls) }) });
}

/** The pool of mysql2, with every connection set up before its first use. */
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

/** TLS options of mysql2. @throws if a file cannot be read, naming it */
function sslOptions({ mode, ca, cert, key }: MysqlTls): SslOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: mode !== 'REQUIRED',
    verifyIdentity: mode === 'VERIFY_IDENTITY',
    ...(ca !== undefined && { ca: readPem('ssl-ca', ca) }),
    ...(cert !== undefined && { cert: readPem('ssl-cert', cert) }),
    ...(key !== undefined && { key: readPem('ssl-key', key) }),
  };
}

function readPem(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${parameter} of DATABASE_URL names the file ${file}, which cannot be read`, { cause: error });
  }
}
