import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { EntityManager, MigrationInterface, QueryRunner } from 'typeorm';
import { StorageFailing, StorageUnavailable } from '../../../src/application/ports/storage/storage-unavailable';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SqliteWriter } from '../../../src/infrastructure/persistence/database/sqlite/sqlite-connections';
import { lockDatabase } from '../../../src/infrastructure/persistence/database/mysql/lock-database';

const insert = (manager: EntityManager, id: number, text = 'short') =>
  manager.query('INSERT INTO notes VALUES (?, ?)', [id, text]);

const tempStore = (queries: Pick<EntityManager, 'query'>) =>
  queries.query<{ temp_store: number }[]>('PRAGMA temp_store').then(([row]) => row?.temp_store);

describe('a SQLite database', () => {
  let folder: string;
  let database: Database;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-sqlite-'));
    database = new Database({ kind: 'sqlite', file: join(folder, 'test.db') }, {});
    await database.open();
    await database.transaction((manager) =>
      manager.query('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'),
    );
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const ids = async () =>
    (await database.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);

  it('can be read by its owner only, with its companion files, even in a folder that others may read', async () => {
    const open = join(folder, 'open');
    mkdirSync(open, { mode: 0o755 });
    const location = { kind: 'sqlite', file: join(open, 'test.db') } as const;
    const letGo = lockDatabase(location);
    const other = new Database(location, {});
    await other.open();

    await other.transaction((manager) => manager.query('CREATE TABLE notes (id INTEGER PRIMARY KEY)'));

    const modes = readdirSync(open).map((name) => [name, (statSync(join(open, name)).mode & 0o777).toString(8)]);
    expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['test.db', 'test.db-wal', 'test.db.lock']));
    expect(modes.filter(([, mode]) => mode !== '600')).toEqual([]);
    await other.close();
    letGo();
  });

  it('keeps the pages that a statement changes in memory, and sorts the indexes of migrations in a file', async () => {
    const duringMigration: (number | undefined)[] = [];
    class Migration1 implements MigrationInterface {
      readonly name = 'Migration1795000000000';
      async up(runner: QueryRunner): Promise<void> {
        duringMigration.push(await tempStore(runner.manager));
      }
      async down(): Promise<void> {
        // Nothing was changed.
      }
    }
    const migrated = new Database({ kind: 'sqlite', file: join(folder, 'migrated.db') }, { migrations: [Migration1] });

    await migrated.open();

    const [file, memory] = [1, 2];
    expect(duringMigration).toEqual([file]);
    expect(await migrated.transaction(tempStore)).toBe(memory);
    await migrated.close();
  });

  it('rolls back one transaction without affecting concurrent ones', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, id) =>
        database.transaction(async (manager) => {
          await insert(manager, id);
          await new Promise(setImmediate);
          if (id % 2 === 1) throw new TypeError('on purpose');
        }),
      ),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, id) => (id % 2 === 1 ? 'rejected' : 'fulfilled')),
    );
    expect(await ids()).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  it('shows uncommitted changes to no reader', async () => {
    await database.transaction(async (manager) => {
      await insert(manager, 1);

      expect(await ids()).toEqual([]);
    });

    expect(await ids()).toEqual([1]);
  });

  it('reads what has been committed while a write waits for another process', async () => {
    await database.transaction((manager) => insert(manager, 1));
    const other = new Sqlite(join(folder, 'test.db'));
    other.exec('BEGIN IMMEDIATE');
    const writing = database.transaction((manager) => insert(manager, 2));

    const rows = await Promise.race([writing, new Promise(setImmediate).then(ids)]);

    expect(rows).toEqual([1]);
    other.exec('ROLLBACK');
    other.close();
    await writing;
    expect(await ids()).toEqual([1, 2]);
  });

  it('runs a transaction again if another process committed after its first read', async () => {
    await database.transaction((manager) => insert(manager, 1));
    const other = new Sqlite(join(folder, 'test.db'));
    const read: number[] = [];
    const insertNext = (fails: boolean) =>
      database.transaction(async (manager) => {
        const [row] = await manager.query<{ highest: number }[]>('SELECT MAX(id) highest FROM notes');
        const { highest } = row!;
        read.push(highest);
        if (highest % 2 === 1) {
          other.prepare('INSERT INTO notes VALUES (?, ?)').run(highest + 1, 'of another process');
          if (fails) throw new TypeError('what the first read caused');
        }
        await insert(manager, highest + 1);
      });

    await insertNext(false);
    await insertNext(true);

    expect(read).toEqual([1, 2, 3, 4]);
    expect(await ids()).toEqual([1, 2, 3, 4, 5]);
    other.close();
  });

  it('reads its own writes', async () => {
    await database.transaction((manager) => insert(manager, 1));

    const rows = await database.transaction(async (manager) => {
      const before = await manager.query('SELECT id FROM notes');
      await insert(manager, 2);
      return [before, await manager.query('SELECT id FROM notes ORDER BY id')];
    });

    expect(rows).toEqual([[{ id: 1 }], [{ id: 1 }, { id: 2 }]]);
  });

  it('refuses a statement that comes after the end of its transaction', async () => {
    const late = await database.transaction(async (manager) => manager);

    const next = database.transaction(async (manager) => {
      await expect(insert(late, 1)).rejects.toThrow('already released');
      await insert(manager, 2);
    });

    await next;
    expect(await ids()).toEqual([2]);
  });

  it('commits no statement of a transaction that could not begin', async () => {
    const other = new Sqlite(join(folder, 'test.db'));
    other.exec('BEGIN IMMEDIATE');
    const writer = await SqliteWriter.open(join(folder, 'test.db'));
    await writer.pragma('busy_timeout = 0');

    const outcomes = await Promise.allSettled([
      writer.begin(),
      writer.run('INSERT INTO notes VALUES (1, ?)', ['text']),
      writer.commit(),
    ]);

    expect(outcomes).toEqual(
      outcomes.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'SQLITE_BUSY' }) })),
    );
    await writer.rollback();
    await writer.close();
    other.close();
    expect(await ids()).toEqual([]);
  });

  it('rejects an invalid parameter and continues', async () => {
    await expect(
      database.transaction((manager) => manager.query('INSERT INTO notes VALUES (1, ?)', [() => 'text'])),
    ).rejects.toThrow('could not be cloned');

    await database.transaction((manager) => insert(manager, 2));

    expect(await ids()).toEqual([2]);
  });

  it('commits nothing of a transaction whose thread has ended, and continues with another thread', async () => {
    const posts = jest.spyOn(Worker.prototype, 'postMessage');

    const outcome = database.transaction(async (manager) => {
      await insert(manager, 1);
      await posts.mock.contexts[0]?.terminate();
      await insert(manager, 2);
    });

    await expect(outcome).rejects.toThrow(StorageUnavailable);
    posts.mockRestore();
    expect(await ids()).toEqual([]);
    await database.transaction((manager) => insert(manager, 3));
    expect(await ids()).toEqual([3]);
  });

  it('fails a transaction that continues after the disk was full', async () => {
    const stubborn = database.transaction(async (manager) => {
      const [{ page_count: pages = 0 } = {}] = await manager.query<{ page_count?: number }[]>('PRAGMA page_count');
      await manager.query(`PRAGMA max_page_count = ${pages + 1}`);
      await insert(manager, 1, 'x'.repeat(1_000_000)).catch(() => undefined);
      await insert(manager, 2);
    });

    await expect(stubborn).rejects.toThrow(StorageFailing);
    expect(await ids()).toEqual([]);
  });

  it('reports a full disk, rolls the transaction back, and continues', async () => {
    const full = database.transaction(async (manager) => {
      await insert(manager, 1);
      const [{ page_count: pages = 0 } = {}] = await manager.query<{ page_count?: number }[]>('PRAGMA page_count');
      await manager.query(`PRAGMA max_page_count = ${pages + 1}`);
      await insert(manager, 2, 'x'.repeat(1_000_000));
    });

    await expect(full).rejects.toThrow(StorageFailing);
    await expect(full).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { driverError: { code: 'SQLITE_FULL' } },
    });
    expect(await ids()).toEqual([]);
    await database.transaction((manager) => insert(manager, 3));
    expect(await ids()).toEqual([3]);
  });

  it('hides commits after its start from a snapshot, and allows many snapshots', async () => {
    const reading = Array.from({ length: 10 }, () =>
      database.snapshot(async (queries) => {
        const before = await queries.query('SELECT id FROM notes');
        await database.transaction((manager) => manager.query("INSERT INTO notes (text) VALUES ('later')"));

        expect(await queries.query('SELECT id FROM notes')).toEqual(before);
      }),
    );

    await Promise.all(reading);

    expect(await ids()).toHaveLength(10);
  });

  it('continues after the reader of a snapshot has failed', async () => {
    const failing = Array.from({ length: 10 }, () =>
      database.snapshot(async () => Promise.reject(new TypeError('on purpose'))),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);

    expect(await database.snapshot((queries) => queries.query('SELECT id FROM notes'))).toEqual([]);
  });
});
