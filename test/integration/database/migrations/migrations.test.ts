import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Database } from '../../../../src/infrastructure/persistence/database/database';
import { MIGRATION_LOCK } from '../../../../src/infrastructure/persistence/database/mysql/mysql-engine';
import { InitialSchema1796027000000 } from '../../../../src/infrastructure/persistence/migrations/1796027000000-initial-schema';
import type { DatabaseLocation } from '../../../../src/infrastructure/persistence/database/database-location';
import { SchemaTooNew } from '../../../../src/infrastructure/persistence/database/schema-requirement';
import { SERVICE_CONTENT } from '../../../../src/infrastructure/persistence/service-content';
import { withEachDatabase } from '../../../support/databases/each-database';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../../support/databases/mariadb';
import { addressOf, build, startProcess, type ServiceProcess } from '../../../support/service/service-process';
import { describeOrSkip } from '../../../support/describe-or-skip';

const REPLICAS = 4;
const MIGRATIONS = (SERVICE_CONTENT.migrations as readonly { readonly name: string }[]).map(({ name }) => name);

describe('migrations', () => {
  const running: ServiceProcess[] = [];

  beforeAll(build);
  afterEach(async () => {
    for (const service of running) service.signal('SIGKILL');
    await Promise.all(running.splice(0).map(({ ended }) => ended));
  });

  describe('on SQLite', () => {
    let folder: string;
    let file: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'namewright-migrations-'));
      file = join(folder, 'namewright.db');
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('are run once by processes that start together on an empty database, and reported by the one that ran them', async () => {
      const commands = Array.from({ length: REPLICAS }, () =>
        startProcess({ DATABASE_URL: `sqlite:${file}` }, [process.execPath, 'dist/cli.js', 'migrate', '--json']),
      );
      running.push(...commands);

      const endings = await Promise.all(commands.map(({ ended }) => ended));

      expect(endings.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
        commands.map(() => ({ code: 0, stderr: '' })),
      );
      const answers = endings.map(({ stdout }) => (JSON.parse(stdout) as { migrated: string[] }).migrated);
      expect(answers.filter(({ length }) => length > 0)).toEqual([MIGRATIONS]);
      const database = new BetterSqlite3(file, { readonly: true });
      expect(database.prepare('SELECT name FROM migrations ORDER BY id').pluck().all()).toEqual(MIGRATIONS);
      database.close();
    });

    it('leave no changes if one of them fails', async () => {
      class Good1 implements MigrationInterface {
        readonly name = 'Good1763600000001';
        up = async (runner: QueryRunner) => void (await runner.query('CREATE TABLE good (id INTEGER PRIMARY KEY)'));
        down = async () => undefined;
      }
      class Bad2 implements MigrationInterface {
        readonly name = 'Bad1763600000002';
        up = async (runner: QueryRunner) => void (await runner.query('CREATE TABLE good (id INTEGER PRIMARY KEY)'));
        down = async () => undefined;
      }

      await expect(new Database({ kind: 'sqlite', file }, { migrations: [Good1, Bad2] }).open()).rejects.toThrow(
        'already exists',
      );

      const database = new BetterSqlite3(file, { readonly: true });
      expect(database.prepare("SELECT name FROM sqlite_master WHERE name = 'good'").all()).toEqual([]);
      database.close();
    });
  });

  describeOrSkip(MYSQL_MISSING)('on MySQL', () => {
    let mysql: MysqlServer;
    beforeAll(async () => {
      mysql = await startMysql();
    });
    afterAll(() => mysql.stop());

    it('are run once by replicas that start together on an empty database', async () => {
      const url = await mysql.createDatabase();
      const replicas = Array.from({ length: REPLICAS }, () =>
        startProcess({
          PORT: '0',
          DATABASE_URL: url,
          SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
          NODE_ENV: 'production',
          REGISTRY: 'simulated',
        }),
      );
      running.push(...replicas);

      await Promise.all(replicas.map(addressOf));

      const connection = await createConnection(url);
      const [rows] = await connection.query('SELECT name FROM migrations ORDER BY id');
      await connection.end();
      expect((rows as { name: string }[]).map(({ name }) => name)).toEqual(MIGRATIONS);
    });

    it('wait for the process that is already migrating', async () => {
      const url = await mysql.createDatabase();
      const holder = await createConnection(url);
      await holder.query(`SELECT GET_LOCK(${MIGRATION_LOCK}, 0)`);
      const command = startProcess({ DATABASE_URL: url }, [process.execPath, 'dist/cli.js', 'migrate', '--json']);
      running.push(command);
      const waiting = async () =>
        (
          await holder.query(
            `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND state = 'User lock'`,
          )
        )[0] as unknown[];
      while ((await waiting()).length === 0) await new Promise((later) => setTimeout(later, 20));

      const [tables] = await holder.query('SHOW TABLES');
      await holder.end();

      expect(tables).toEqual([]);
      expect(await command.ended).toMatchObject({ code: 0, stdout: `${JSON.stringify({ migrated: MIGRATIONS })}\n` });
    });

    it('are reported by no process if there were none to run', async () => {
      const location = { kind: 'mysql', url: await mysql.createDatabase() } as const;
      const opened = async () => {
        const database = new Database(location, SERVICE_CONTENT);
        const migrated = await database.open();
        await database.close();
        return migrated;
      };

      expect([await opened(), await opened()]).toEqual([MIGRATIONS, []]);
    });
  });
});

withEachDatabase('a database from before the first release', (databases) => {
  const LAST = InitialSchema1796027000000.replaces.last;
  const [FORMER_INITIAL, BEFORE_LAST] = ['InitialSchema1795853000000', 'AskedPublications1796025600000'] as const;
  let location: DatabaseLocation;
  beforeEach(async () => {
    location = await databases.create();
    await opened();
  });

  const opened = async () => {
    const database = new Database(location, SERVICE_CONTENT);
    const migrated = await database.open();
    const rows = await database.query<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp');
    const [{ oldest } = { oldest: 0 }] = await database.query<{ oldest: number | string }>(
      "SELECT oldest_migration AS oldest FROM schema_requirements WHERE part = 'migrations'",
    );
    await database.close();
    return { migrated, names: rows.map(({ name }) => name), oldest: Number(oldest) };
  };
  /** By a commit whose newest migrations are these. */
  const openedBy = async (...names: readonly string[]) => {
    const migrations = names.map(
      (title) =>
        class {
          static readonly name = title;
          readonly name = title;
          up = async () => undefined;
          down = async () => undefined;
        },
    );
    const database = new Database(location, { ...SERVICE_CONTENT, migrations });
    const migrated = await database.open();
    await database.close();
    return migrated;
  };
  /** As a version with the replaced migrations, and the later ones, left it. */
  const endAt = async (name: string) => {
    const database = new Database(location, { ...SERVICE_CONTENT, migrations: [] });
    await database.open();
    await database.transaction(async (manager) => {
      await manager.query('UPDATE migrations SET name = ?, timestamp = ? WHERE name = ?', [
        name,
        Number(name.slice(-13)),
        InitialSchema1796027000000.name,
      ]);
      await manager.query('UPDATE schema_requirements SET oldest_migration = ?', [FORMER_INITIAL.slice(-13)]);
    });
    await database.close();
  };

  it('is taken over as it is at the last migration of that time, again and again', async () => {
    await endAt(LAST);

    expect(await opened()).toEqual({ migrated: [], names: [LAST, ...MIGRATIONS], oldest: Number(LAST.slice(-13)) });
    expect(await opened()).toMatchObject({ migrated: [], names: [LAST, ...MIGRATIONS] });
  });

  it('is refused, unchanged, at an earlier one, with the commit that brings it there', async () => {
    await endAt(BEFORE_LAST);

    await expect(opened()).rejects.toThrow(
      `migrations ends with ${BEFORE_LAST}). Start commit ${InitialSchema1796027000000.replaces.commit} once`,
    );
  });

  it('is refused, once taken over, to commits that would ignore what its last features wrote, and not to the last', async () => {
    await endAt(LAST);
    await openedBy(FORMER_INITIAL, BEFORE_LAST);

    await opened();

    await expect(openedBy(FORMER_INITIAL, BEFORE_LAST)).rejects.toThrow(SchemaTooNew);
    expect(await openedBy(FORMER_INITIAL, BEFORE_LAST, LAST)).toEqual([]);
  });

  it('does not come back: commits from before the first release refuse a new database', async () => {
    await expect(openedBy(FORMER_INITIAL, BEFORE_LAST, LAST)).rejects.toThrow(SchemaTooNew);
  });
});
