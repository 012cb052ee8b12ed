import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import type { DatabaseLocation } from '../../../src/infrastructure/persistence/database/database-location';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { describeOrSkip } from '../describe-or-skip';
import { MYSQL_MISSING, startMysql, type MysqlServer } from './mariadb';

interface EmptyDatabases {
  /** Creates an empty database without a schema. */
  create(): Promise<DatabaseLocation>;
}

/** Runs `suite` with SQLite and with MySQL or MariaDB. */
export function withEachDatabase(title: string, suite: (databases: EmptyDatabases) => void): void {
  describe(`${title}, on SQLite`, () => {
    let folder: string;
    let count = 0;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'namewright-database-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    suite({ create: async () => ({ kind: 'sqlite', file: join(folder, `${(count += 1)}.db`) }) });
  });
  describeOrSkip(MYSQL_MISSING)(`${title}, on MySQL`, () => {
    let mysql: MysqlServer;
    beforeAll(async () => {
      mysql = await startMysql();
    });
    afterAll(() => mysql.stop());
    suite({ create: async () => ({ kind: 'mysql', url: await mysql.createDatabase() }) });
  });
}

/** Like `withEachDatabase`, with one migrated database for all tests of the suite. */
export function onEachDatabase(title: string, suite: (database: () => Database) => void): void {
  withEachDatabase(title, (databases) => {
    let database: Database;
    beforeAll(async () => {
      database = new Database(await databases.create(), SERVICE_CONTENT);
      await database.open();
    });
    suite(() => database);
    // Runs before the server stops: Jest runs afterAll hooks in order of their definition.
    afterAll(() => database.close());
  });
}
