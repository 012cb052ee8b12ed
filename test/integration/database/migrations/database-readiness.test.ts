import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageFailing, StorageUnavailable } from '../../../../src/application/ports/storage/storage-unavailable';
import { Database } from '../../../../src/infrastructure/persistence/database/database';
import { RecordingLog } from '../../../support/fakes/recording-log';
import { DatabaseReadiness } from '../../../../src/infrastructure/persistence/database-readiness';
import { SERVICE_CONTENT } from '../../../../src/infrastructure/persistence/service-content';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../../support/databases/mariadb';
import { MovableClock } from '../../../support/fakes/movable-clock';
import { describeOrSkip } from '../../../support/describe-or-skip';

const pragma = (database: Database, text: string) =>
  database.transaction(async (manager) => (await manager.query<Record<string, number>[]>(`PRAGMA ${text}`))[0]);

describe('readiness on SQLite', () => {
  let folder: string;
  let database: Database;
  let clock: MovableClock;
  let readiness: DatabaseReadiness;
  let elapsedMs: number;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-readiness-'));
    database = new Database({ kind: 'sqlite', file: join(folder, 'test.db') }, SERVICE_CONTENT);
    await database.open();
    clock = new MovableClock();
    elapsedMs = 0;
    readiness = new DatabaseReadiness(database, clock, new RecordingLog(), () => elapsedMs);
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('fails while the disk is full, and recovers when it has space again', async () => {
    const { page_count: pages = 0 } = (await pragma(database, 'page_count')) ?? {};
    await pragma(database, `max_page_count = ${pages}`);
    await expect(readiness.check()).rejects.toThrow(StorageFailing);

    await pragma(database, 'max_page_count = 1000000');

    await expect(readiness.check()).resolves.toBeUndefined();
  });

  it('fails while writes fail, also after the clock was set back', async () => {
    await readiness.check();
    await database.transaction((manager) =>
      manager.query(
        "CREATE TRIGGER refuses BEFORE INSERT ON write_checks BEGIN SELECT RAISE(ABORT, 'writes fail'); END",
      ),
    );
    clock.advance({ days: -1 });
    elapsedMs += 2_000;

    await expect(readiness.check()).rejects.toThrow('writes fail');
  });

  it('writes at most once every two seconds, however often it is checked', async () => {
    const transactions = jest.spyOn(database, 'transaction');

    await Promise.all([readiness.check(), readiness.check()]);
    elapsedMs += 1_000;
    await readiness.check();
    expect(transactions).toHaveBeenCalledTimes(1);

    elapsedMs += 1_000;
    await readiness.check();
    expect(transactions).toHaveBeenCalledTimes(2);
    expect(await database.query('SELECT COUNT(*) AS count FROM write_checks')).toEqual([{ count: 1 }]);
  });
});

describeOrSkip(MYSQL_MISSING)('readiness on MySQL', () => {
  let mysql: MysqlServer;
  let database: Database;
  beforeAll(async () => {
    mysql = await startMysql();
    database = new Database({ kind: 'mysql', url: await mysql.createDatabase() }, SERVICE_CONTENT);
    await database.open();
  });
  afterAll(async () => {
    await database.close();
    await mysql.stop();
  });

  it('fails while the server rejects writes', async () => {
    let elapsedMs = 0;
    const readiness = new DatabaseReadiness(database, new MovableClock(), new RecordingLog(), () => elapsedMs);
    await readiness.check();
    expect(await database.query('SELECT LENGTH(filler) AS length FROM write_checks')).toEqual([{ length: 20_000 }]);
    await database.transaction((manager) =>
      manager.query(
        "CREATE TRIGGER refuses BEFORE INSERT ON write_checks FOR EACH ROW SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1021",
      ),
    );
    elapsedMs += 10_000;

    await expect(readiness.check()).rejects.toThrow(StorageUnavailable);

    await database.transaction((manager) => manager.query('DROP TRIGGER refuses'));
    await readiness.check();
  });
});
