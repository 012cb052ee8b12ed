import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { DatabaseContent } from '../../../../src/infrastructure/persistence/database/data-source';
import type { DatabaseLocation } from '../../../../src/infrastructure/persistence/database/database-location';
import { Database } from '../../../../src/infrastructure/persistence/database/database';
import {
  migrationsOf,
  type MigrationClass,
} from '../../../../src/infrastructure/persistence/database/resumable-migrations';
import { SERVICE_CONTENT } from '../../../../src/infrastructure/persistence/service-content';
import { SIMULATED_CONTENT } from '../../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { withEachDatabase } from '../../../support/databases/each-database';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../../support/databases/mariadb';
import { describeOrSkip } from '../../../support/describe-or-skip';

describeOrSkip(MYSQL_MISSING)('an interrupted migration on MySQL', () => {
  let mysql: MysqlServer;
  beforeAll(async () => {
    mysql = await startMysql();
  });
  afterAll(() => mysql.stop());

  it.each([
    ['the service', SERVICE_CONTENT, 'dns_catalog'],
    ['the simulated registry', SIMULATED_CONTENT, 'simreg_settings'],
  ])(
    'is finished, if it is %s, by a later start, no matter after which statement it was interrupted',
    async (_part, content, seeded) => {
      const [clean, interrupted] = [await mysql.createDatabase(), await mysql.createDatabase()];
      await migrate(clean, content);
      const interruptions = new Map<string, number>();

      const starts = await startUntilMigrated(interrupted, {
        ...content,
        migrations: migrationsOf(content).map((each) => interruptedAtEachStep(each, interruptions)),
      });

      expect(starts).toBeGreaterThan(migrationsOf(content).length);
      expect(await schemaOf(interrupted)).toEqual(await schemaOf(clean));
      const seed = `SELECT * FROM ${seeded}`;
      expect(await rowsOf(interrupted, seed)).toEqual(await rowsOf(clean, seed));
    },
  );

  it('lets other processes use a table while it waits for the end of a transaction on that table', async () => {
    const location = await mysql.createDatabase();
    const [Base, Expanding] = [aMigration(1), aMigration(2, true, 'ALTER TABLE t1 ADD COLUMN added INTEGER')];
    await migrate(location, { migrations: [Base] });
    const [busy, other] = [await createConnection(location), await createConnection(location)];
    await other.query('SET SESSION lock_wait_timeout = 30');
    await busy.query('START TRANSACTION');
    await busy.query('SELECT * FROM t1');

    const migrated = migrate(location, { migrations: [Base, Expanding] });
    const waiting =
      "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND STATE = 'Waiting for table metadata lock'";
    while ((await rowsOf(location, waiting)).length === 0) await sleep(10);
    await other.query('INSERT INTO t1 (id) VALUES (1)');
    await busy.query('COMMIT');
    await migrated;

    expect(await rowsOf(location, 'SELECT * FROM t1')).toEqual([{ id: 1, added: null }]);
    await Promise.all([busy.end(), other.end()]);
  });

  it('lets a transaction on a table that refers to its table end first', async () => {
    const location = await mysql.createDatabase();
    const [Base, Expanding] = [aMigration(1), aMigration(2, true, 'ALTER TABLE t1 ADD COLUMN added INTEGER')];
    await migrate(location, { migrations: [Base] });
    const busy = await createConnection(location);
    await busy.query(
      'CREATE TABLE parts (id INTEGER PRIMARY KEY, whole INTEGER, FOREIGN KEY (whole) REFERENCES t1 (id))',
    );
    await busy.query('SET SESSION lock_wait_timeout = 20');
    await busy.query('START TRANSACTION');
    await busy.query('SELECT * FROM parts FOR UPDATE');

    const migrated = migrate(location, { migrations: [Base, Expanding] });
    const altering = "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'ALTER%'";
    while ((await rowsOf(location, altering)).length === 0) await sleep(10);
    await busy.query('SELECT * FROM t1');
    await busy.query('COMMIT');
    await migrated;

    expect(await rowsOf(location, "SHOW COLUMNS FROM t1 LIKE 'added'")).toHaveLength(1);
    await busy.end();
  });

  it('fails if a statement cannot be executed for another reason', async () => {
    class Wrong1764080000001 implements MigrationInterface {
      readonly name = 'Wrong1764080000001';
      up = async (runner: QueryRunner) => void (await runner.query('CREATE INDEX of_nothing ON nothing (id)'));
      down = async () => undefined;
    }

    await expect(migrate(await mysql.createDatabase(), { migrations: [Wrong1764080000001] })).rejects.toThrow(
      'nothing',
    );
  });
});

withEachDatabase('a database that a commit before 0.1.0 has created', (databases) => {
  it.each([
    ['service', SERVICE_CONTENT, 'migrations'],
    ['simulated registry', SIMULATED_CONTENT, 'simreg_migrations'],
  ])('is refused by the %s with the reason and a way out, and stays as it is', async (_part, content, table) => {
    const location = await databases.create();
    class InitialSchema1763600000000 implements MigrationInterface {
      readonly name = 'InitialSchema1763600000000';
      up = async (runner: QueryRunner) => void (await runner.query('CREATE TABLE accounts (id INTEGER PRIMARY KEY)'));
      down = async () => undefined;
    }
    const former = { migrations: [InitialSchema1763600000000], migrationsTableName: table };
    await opened(location, former);

    await expect(opened(location, content)).rejects.toThrow(
      `a development version from before 0.1.0 has created this database, and this version cannot migrate it (${table} ends with InitialSchema1763600000000). `,
    );
    expect(await opened(location, former)).toEqual([]);
  });
});

withEachDatabase('a schema that a newer version has migrated', (databases) => {
  const [Base, Expanding, Contracting] = [aMigration(1), aMigration(2, true), aMigration(3)];

  it('is used by an older version if its migrations only expand it', async () => {
    const location = await databases.create();
    await opened(location, { migrations: [Base, Expanding] });

    expect(await opened(location, { migrations: [Base] })).toEqual([]);
  });

  it('is refused by an older version that cannot work with it, which changes nothing', async () => {
    const location = await databases.create();
    await opened(location, { migrations: [Base, Expanding, Contracting] });

    await expect(opened(location, { migrations: [Base, Expanding, aMigration(4)] })).rejects.toThrow(
      'a newer version of Namewright has migrated this database, and this version cannot use it',
    );
    expect(await opened(location, { migrations: [Base, Expanding, Contracting] })).toEqual([]);
  });

  it('states its requirement before it is changed, so that an interruption in between does no damage', async () => {
    const location = await databases.create();
    await opened(location, { migrations: [Base] });
    await expect(opened(location, { migrations: [Base, aMigration(3, false, 'NO SQL')] })).rejects.toThrow(/syntax/);

    const older = opened(location, { migrations: [Base] }).catch(({ message }: Error) => message);

    // SQLite undoes all of it; MySQL keeps what was done.
    expect(await older).toEqual(location.kind === 'sqlite' ? [] : expect.stringContaining('cannot use it'));
  });
});

function aMigration(
  number: number,
  expandOnly = false,
  sql = `CREATE TABLE t${number} (id INTEGER PRIMARY KEY)`,
): MigrationClass {
  const title = `Step${1764080000000 + number}`;
  return class implements MigrationInterface {
    static readonly name = title;
    static readonly expandOnly = expandOnly;
    readonly name = title;
    up = async (runner: QueryRunner) => void (await runner.query(sql));
    down = async () => undefined;
  };
}

/** Stops after the first statement, in the next run after the second, and so on, until all are executed. */
function interruptedAtEachStep(Migration: MigrationClass, interruptions: Map<string, number>): MigrationClass {
  return class implements MigrationInterface {
    static readonly name = Migration.name;
    readonly name = Migration.name;

    async up(runner: QueryRunner): Promise<void> {
      const last = (interruptions.get(this.name) ?? 0) + 1;
      interruptions.set(this.name, last);
      let executed = 0;
      const query = async (sql: string, parameters?: unknown[]): Promise<unknown> => {
        const result: unknown = await runner.query(sql, parameters);
        executed += 1;
        if (executed === last) throw new Interruption();
        return result;
      };
      await new Migration().up(
        new Proxy(runner, {
          get: (target, property) =>
            property === 'query' ? query : (Reflect.get(target, property, target) as unknown),
        }),
      );
    }

    down = async () => undefined;
  };
}

class Interruption extends Error {}

async function startUntilMigrated(url: string, content: DatabaseContent): Promise<number> {
  for (let starts = 1; ; starts += 1) {
    try {
      await migrate(url, content);
      return starts;
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
    }
  }
}

async function migrate(url: string, content: DatabaseContent): Promise<void> {
  await opened({ kind: 'mysql', url }, content);
}

/** Returns the names of the migrations that were run. */
async function opened(location: DatabaseLocation, content: DatabaseContent): Promise<readonly string[]> {
  const database = new Database(location, content);
  const migrated = await database.open();
  await database.close();
  return migrated;
}

async function schemaOf(url: string): Promise<Readonly<Record<string, string>>> {
  const tables = await rowsOf(
    url,
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  const schema: Record<string, string> = {};
  for (const { name } of tables as readonly { readonly name: string }[]) {
    const [table] = await rowsOf(url, `SHOW CREATE TABLE ${name}`);
    // The next id depends on the number of runs.
    schema[name] = String(table?.['Create Table']).replaceAll(/AUTO_INCREMENT=\d+/g, '');
  }
  return schema;
}

async function rowsOf(url: string, sql: string): Promise<readonly RowDataPacket[]> {
  const connection = await createConnection(url);
  const [rows] = await connection.query<RowDataPacket[]>(sql);
  await connection.end();
  return rows;
}
