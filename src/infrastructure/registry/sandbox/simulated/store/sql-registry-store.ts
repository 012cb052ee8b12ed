import type { EntityManager } from 'typeorm';
import { RegistryUnavailable } from '../../../../../application/ports/registry/registry-errors';
import { StorageUnavailable } from '../../../../../application/ports/storage/storage-unavailable';
import type { DatabaseContent } from '../../../../persistence/database/data-source';
import type { DatabaseLocation } from '../../../../persistence/database/database-location';
import { Database } from '../../../../persistence/database/database';
import { SimulatedRegistrySchema1764090000001 } from '../migrations/1764090000001-simulated-registry-schema';
import type { RegistryRecords, RegistryStore } from './registry-store';
import { SqlRegistryRecords, type Sql, type SqlValue } from './sql-registry-records';

/** In order. */
export const SIMULATED_MIGRATIONS = [SimulatedRegistrySchema1764090000001];
export const SIMULATED_CONTENT: DatabaseContent = {
  migrations: SIMULATED_MIGRATIONS,
  migrationsTableName: 'simreg_migrations',
};

/** Stores the registry in a SQLite file or in tables of a MySQL database, with its own connections. */
export class SqlRegistryStore implements RegistryStore {
  /** `database`: of a caller with more tables in it, whose migrations include these. */
  constructor(
    location: DatabaseLocation,
    private readonly database: Database = new Database(location, SIMULATED_CONTENT),
  ) {}

  async open(): Promise<void> {
    await this.database.open();
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  async read<T>(work: (records: RegistryRecords) => Promise<T>): Promise<T> {
    return toRegistryError(
      work(
        new SqlRegistryRecords({
          rows: (text, values) => this.database.query(text, values),
          execute: refuseToWrite,
          forUpdate: '',
        }),
      ),
    );
  }

  async change<T>(work: (records: RegistryRecords) => Promise<T>): Promise<T> {
    const { forUpdate } = this.database;
    return toRegistryError(
      this.database.transaction((manager) => work(new SqlRegistryRecords({ ...sqlOf(manager), forUpdate }))),
    );
  }
}

function sqlOf(manager: EntityManager): Pick<Sql, 'rows' | 'execute'> {
  return {
    rows: async <T>(text: string, values: readonly SqlValue[] = []) => manager.query<T[]>(text, [...values]),
    execute: async (text, values = []) => (await manager.queryRunner?.query(text, [...values], true))?.affected ?? 0,
  };
}

async function refuseToWrite(): Promise<never> {
  throw new TypeError('a read transaction cannot write');
}

/** To the registry's clients a storage error looks like a missing response. */
async function toRegistryError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof StorageUnavailable
      ? new RegistryUnavailable('The simulated registry cannot use its store', undefined, { cause: error })
      : error;
  }
}
