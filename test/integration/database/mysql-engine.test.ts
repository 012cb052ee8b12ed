import { createConnection, type Connection } from 'mysql2/promise';
import type { EntityManager } from 'typeorm';
import { StorageFailing, StorageUnavailable } from '../../../src/application/ports/storage/storage-unavailable';
import { settleAll } from '../../../src/application/shared/settle-all';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type MysqlServer } from '../../support/databases/mariadb';
import { describeOrSkip } from '../../support/describe-or-skip';

const count = (manager: EntityManager, id: number) =>
  manager.query('UPDATE counters SET value = value + 1 WHERE id = ?', [id]);

describeOrSkip(PRIVATE_MYSQL_MISSING)('a shared MySQL database', () => {
  let mysql: MysqlServer;
  let url: string;
  let database: Database;

  beforeAll(async () => {
    mysql = await startPrivateMysql();
    url = await mysql.createDatabase();
    database = new Database({ kind: 'mysql', url }, {});
    await database.open();
    await database.transaction((manager) =>
      manager.query('CREATE TABLE counters (id INTEGER NOT NULL PRIMARY KEY, value INTEGER NOT NULL) ENGINE=InnoDB'),
    );
  });
  afterAll(async () => {
    await database.close();
    await mysql.stop();
  });
  beforeEach(() => database.transaction((manager) => manager.query('REPLACE INTO counters VALUES (1, 0), (2, 0)')));

  const values = async () =>
    (await database.query<{ value: number }>('SELECT value FROM counters ORDER BY id')).map(({ value }) => value);

  it.each([
    ['a name that it does not have', { pathname: '/nowhere' }, 'has no such database (ER_BAD_DB_ERROR)'],
    [
      'a client that the server does not know',
      { username: 'stranger', password: 'hunter2' },
      'rejects the user name or the password (ER_ACCESS_DENIED_ERROR)',
    ],
  ])('is not opened under %s, and the operator is told why', async (_case, part, why) => {
    const elsewhere = Object.assign(new URL(url), part);

    await expect(new Database({ kind: 'mysql', url: elsewhere.href }, {}).open()).rejects.toMatchObject({
      message: `MySQL at ${elsewhere.host} ${why}: see DATABASE_URL`,
    });
  });

  describe('with a small max_allowed_packet', () => {
    let admin: Connection;
    beforeAll(async () => {
      admin = await createConnection(url);
      await admin.query('SET GLOBAL max_allowed_packet = 1048576');
    });
    afterAll(async () => {
      await admin.query('SET GLOBAL max_allowed_packet = 16777216');
      await admin.end();
    });

    it('is not opened, and the error states the required size', async () => {
      const { host } = new URL(url);

      await expect(new Database({ kind: 'mysql', url }, {}).open()).rejects.toThrow(
        `max_allowed_packet of MySQL at ${host} is 1048576 bytes: set it to 16777216 or more`,
      );
    });

    // Sent without a large value: while a client still writes one, it may see only that the server has closed the connection.
    it('reports that it cannot store a larger value', async () => {
      const writing = database.transaction((manager) =>
        manager.query("SIGNAL SQLSTATE '08S01' SET MYSQL_ERRNO = 1153"),
      );

      await expect(writing).rejects.toThrow(StorageFailing);
      await database.transaction((manager) => count(manager, 1));
    });
  });

  it('repeats the transaction that a deadlock aborted', async () => {
    const arrivals: (() => void)[] = [];
    const everybodyIsThere = new Promise<void>((resolve) => arrivals.push(resolve));
    let attempts = 0;
    let here = 0;
    const crossing = (first: number, second: number) =>
      database.transaction(async (manager) => {
        attempts += 1;
        await count(manager, first);
        here += 1;
        if (here === 2) arrivals[0]?.();
        await everybodyIsThere;
        await count(manager, second);
      });

    await Promise.all([crossing(1, 2), crossing(2, 1)]);

    expect(attempts).toBe(3);
    expect(await values()).toEqual([2, 2]);
  });

  it('commits none of the statements that a transaction sent together with the one that deadlocked', async () => {
    const arrivals: (() => void)[] = [];
    const met = new Promise<void>((resolve) => arrivals.push(resolve));
    let attempts = 0;
    let here = 0;
    const crossing = (first: number, second: number) =>
      database.transaction(async (manager) => {
        attempts += 1;
        const id = 100 + attempts;
        await count(manager, first);
        here += 1;
        if (here === 2) arrivals[0]?.();
        await met;
        await settleAll([count(manager, second), manager.query('INSERT INTO counters VALUES (?, 0)', [id])]);
      });

    await Promise.all([crossing(1, 2), crossing(2, 1)]);

    expect(attempts).toBe(3);
    expect(await values()).toEqual([2, 2, 0, 0]);
    await database.transaction((manager) => manager.query('DELETE FROM counters WHERE id > 100'));
  });

  it('repeats a transaction that did not get a lock, and writes once', async () => {
    const holder = await createConnection(url);
    await holder.query('START TRANSACTION');
    await holder.query('SELECT * FROM counters WHERE id = 1 FOR UPDATE');
    let attempts = 0;

    await database.transaction(async (manager) => {
      attempts += 1;
      if (attempts === 2) await holder.query('COMMIT');
      await count(manager, 2);
      await count(manager, 1);
    });

    await holder.end();
    expect(attempts).toBe(2);
    expect(await values()).toEqual([1, 1]);
  });

  it('keeps connections for other accounts while transactions of one account wait for a row', async () => {
    const holder = await createConnection(url);
    await holder.query('START TRANSACTION');
    await holder.query('SELECT * FROM counters WHERE id = 1 FOR UPDATE');
    let begun = 0;
    const waiting = Array.from({ length: 12 }, () =>
      database.transaction((manager) => {
        begun += 1;
        return count(manager, 1);
      }, 'acc_1'),
    );

    await database.transaction((manager) => count(manager, 2), 'acc_2');
    const others = await values();
    const begunBefore = begun;

    await holder.query('COMMIT');
    await holder.end();
    await Promise.all(waiting);
    expect(others).toEqual([0, 1]);
    expect(begunBefore).toBeLessThan(10);
    expect(await values()).toEqual([12, 1]);
  });

  it('gives up after a few attempts with an error that allows a retry', async () => {
    let attempts = 0;

    const outcome = database.transaction(async (manager) => {
      attempts += 1;
      await count(manager, 1);
      throw Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK' });
    });

    await expect(outcome).rejects.toThrow(StorageUnavailable);
    expect(attempts).toBe(6);
    expect(await values()).toEqual([0, 0]);
  });

  it('commits nothing of a transaction whose connection is lost, and continues on another one', async () => {
    const killer = await createConnection(url);

    const outcome = database.transaction(async (manager) => {
      await count(manager, 1);
      const [connection] = await manager.query<{ id: number }[]>('SELECT CONNECTION_ID() AS id');
      await killer.query(`KILL ${Number(connection?.id)}`);
      await count(manager, 2);
    });

    await expect(outcome).rejects.toThrow(StorageUnavailable);
    await killer.end();
    expect(await values()).toEqual([0, 0]);
    await database.transaction((manager) => count(manager, 1));
    expect(await values()).toEqual([1, 0]);
  });

  it('releases no connection with a failed transaction', async () => {
    const failing = Array.from({ length: 20 }, () =>
      database.transaction(async (manager) => {
        await manager.query('SELECT 1');
        throw new TypeError('on purpose');
      }),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);

    await database.transaction((manager) => count(manager, 1));

    expect(await values()).toEqual([1, 0]);
  });

  it('hides commits after its start from a snapshot', async () => {
    await database.snapshot(async (queries) => {
      await database.transaction((manager) => count(manager, 1));

      expect(await queries.query('SELECT value FROM counters WHERE id = 1')).toEqual([{ value: 0 }]);
    });
    expect(await values()).toEqual([1, 0]);
  });
});
