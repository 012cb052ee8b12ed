import { DataSource, type DataSourceOptions } from 'typeorm';
import type { BaseDataSourceOptions } from 'typeorm/data-source/BaseDataSourceOptions';

export type DatabaseLocation = { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'mysql'; readonly url: string };

/** What a database holds: its tables as TypeORM writes to them, and how they came to be. */
export type DatabaseContent = Pick<BaseDataSourceOptions, 'entities' | 'migrations' | 'migrationsTableName'>;

const COMMON = { synchronize: false, logging: false, migrationsTransactionMode: 'none' } as const;
const POOL_SIZE = 10;
const BUSY_TIMEOUT_MS = 5_000;

/** The connection that writes. On SQLite there is exactly one, in WAL mode, and a commit is on the disk. */
export function writingDataSource(location: DatabaseLocation, content: DatabaseContent): DataSource {
  return new DataSource({ ...(location.kind === 'sqlite' ? sqlite(location.file, false) : mysql(location.url)), ...content });
}

/** A second SQLite connection that sees committed data only: the first shows whoever reads there an open transaction. */
export function readingDataSource(location: DatabaseLocation & { kind: 'sqlite' }): DataSource {
  return new DataSource(sqlite(location.file, true));
}

function sqlite(file: string, readonly: boolean): DataSourceOptions {
  return {
    ...COMMON,
    type: 'better-sqlite3',
    database: file,
    readonly,
    timeout: BUSY_TIMEOUT_MS,
    enableWAL: !readonly,
    prepareDatabase: (connection: { pragma(text: string): unknown }) => {
      connection.pragma('foreign_keys = ON');
      connection.pragma('synchronous = FULL');
    },
  };
}

function mysql(url: string): DataSourceOptions {
  return { ...COMMON, type: 'mysql', url, charset: 'utf8mb4', timezone: 'Z', poolSize: POOL_SIZE, connectTimeout: 5_000, supportBigNumbers: false };
}
