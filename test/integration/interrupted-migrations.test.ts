import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { DatabaseContent } from '../../src/infrastructure/persistence/database/data-source';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { migrationsOf, type MigrationClass } from '../../src/infrastructure/persistence/database/resumable-migrations';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { withEachDatabase } from '../support/databases/each-database';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../support/databases/mariadb';
import { describeIf } from '../support/skip-aloud';

describeIf(MYSQL_MISSING === undefined, MYSQL_MISSING ?? '')('an interrupted migration on MySQL', () => {
  let mysql: MysqlServer;
  beforeAll(async () => {
    mysql = await startMysql();
  });
  afterAll(() => mysql.stop());

  it('is finished by a later start, whichever of its statements was the last', async () => {
    const [clean, interrupted] = [await mysql.createDatabase(), await mysql.createDatabase()];
    await migrate(clean, SERVICE_CONTENT);
    const interruptions = new Map<string, number>();

    const starts = await startUntilMigrated(interrupted, {
      ...SERVICE_CONTENT,
      migrations: migrationsOf(SERVICE_CONTENT).map((each) => interruptedAtEachStep(each, interruptions)),
    });

    expect(starts).toBeGreaterThan(migrationsOf(SERVICE_CONTENT).length);
    expect(await schemaOf(interrupted)).toEqual(await schemaOf(clean));
    expect(await rowsOf(interrupted, 'SELECT * FROM dns_catalog')).toEqual(
      await rowsOf(clean, 'SELECT * FROM dns_catalog'),
    );
  });

  it('fails where a statement cannot be executed for another reason', async () => {
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

withEachDatabase('a schema that a newer version has migrated', (databases) => {
  const [Base, Expanding, Contracting] = [aMigration(1), aMigration(2, true), aMigration(3)];
  const open = async (
    location: Awaited<ReturnType<typeof databases.create>>,
    ...migrations: readonly MigrationClass[]
  ) => {
    const database = new Database(location, { migrations: [...migrations] });
    const migrated = await database.open();
    await database.close();
    return migrated;
  };

  it('is used by an older version where its migrations only expand it', async () => {
    const location = await databases.create();
    await open(location, Base, Expanding);

    expect(await open(location, Base)).toEqual([]);
  });

  it('is refused by an older version that cannot work with it, which changes nothing', async () => {
    const location = await databases.create();
    await open(location, Base, Expanding, Contracting);

    await expect(open(location, Base, Expanding, aMigration(4))).rejects.toThrow(
      'a newer version of Namewright has migrated this database, and this version cannot use it',
    );
    expect(await open(location, Base, Expanding, Contracting)).toEqual([]);
  });

  it('states its requirement before it is changed, so that an interruption in between does no harm', async () => {
    const location = await databases.create();
    await open(location, Base);
    await expect(open(location, Base, aMigration(3, false, 'NO SQL'))).rejects.toThrow(/syntax/);

    const older = open(location, Base).catch(({ message }: Error) => message);

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
  const database = new Database({ kind: 'mysql', url }, content);
  await database.open();
  await database.close();
}

async function schemaOf(url: string): Promise<Readonly<Record<string, string>>> {
  const tables = await rowsOf(
    url,
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  const schema: Record<string, string> = {};
  for (const { name } of tables as readonly { readonly name: string }[]) {
    const [table] = await rowsOf(url, `SHOW CREATE TABLE ${name}`);
    // The instant of the migration is a default, and the next id that of this run.
    schema[name] = String(table?.['Create Table'])
      .replaceAll(/DEFAULT 1\d{12}/g, 'DEFAULT now')
      .replaceAll(/AUTO_INCREMENT=\d+/g, '');
  }
  return schema;
}

async function rowsOf(url: string, sql: string): Promise<readonly RowDataPacket[]> {
  const connection = await createConnection(url);
  const [rows] = await connection.query<RowDataPacket[]>(sql);
  await connection.end();
  return rows;
}
