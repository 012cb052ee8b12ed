import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { importSqlite } from '../../../src/infrastructure/persistence/database/sqlite/import-sqlite';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { lockDatabase } from '../../../src/infrastructure/persistence/database/mysql/lock-database';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { api, registered, startService } from '../../support/service/service';
import { describeOrSkip } from '../../support/describe-or-skip';
import { aUser } from '../../support/dashboard/dashboard-client';

/** Rows as texts, whatever their order, that of their columns, and how a driver gives numbers. */
const inOrder = (rows: readonly unknown[]) =>
  rows
    .map((row) =>
      Object.entries(row as object)
        .map(([column, value]) => `${column}=${String(value)}`)
        .toSorted()
        .join('\n'),
    )
    .toSorted();

describeOrSkip(MYSQL_MISSING)('moving from SQLite to MySQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-import-'));
  const file = join(folder, 'service.db');
  let mysql: MysqlServer;
  let target: Database;

  beforeAll(async () => {
    const service = await startService({ DATABASE_URL: `sqlite:${file}` });
    const accountId = await service.account();
    await aUser(service, accountId);
    const client = api(service, await service.key(accountId));
    const id = await registered(client, 'moving.com');
    const texts = Array.from({ length: 450 }, (_, index) => ({
      type: 'TXT',
      name: `t${index}`,
      content: `Ünï "${index}" \\ 💡 ${'x'.repeat(index * 8)}`,
    }));
    await client.post(`/api/domains/${id}/dns/records/batch`, { create: texts }).expect(200);
    await client.post(`/api/domains/${id}/auth-code`).set('Idempotency-Key', 'once').expect(200);
    await service.stop();
    mysql = await startMysql();
  });
  beforeEach(async () => {
    target = new Database({ kind: 'mysql', url: await mysql.createDatabase() }, SERVICE_CONTENT);
    await target.open();
  });
  afterEach(() => target.close());
  afterAll(async () => {
    await mysql?.stop();
    rmSync(folder, { recursive: true });
  });

  const start = () => importSqlite(file, join(folder, 'no-registry.db'), target);

  it('copies every row of every table unchanged', async () => {
    const counts = await start();

    const source = new Sqlite(file, { readonly: true });
    const tables = source
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('migrations', 'schema_requirements')",
      )
      .pluck()
      .all() as string[];
    expect(Object.keys(counts).toSorted()).toEqual(tables.toSorted());
    expect(counts).toMatchObject({ accounts: 1, domains: 1, dns_records: 450 });
    for (const table of tables) {
      expect({ table, rows: inOrder(await target.query(`SELECT * FROM ${table}`)) }).toEqual({
        table,
        rows: inOrder(source.prepare(`SELECT * FROM ${table}`).all()),
      });
    }
    source.close();
  });

  it('skips a table that does not belong to the service', async () => {
    const source = new Sqlite(file);
    source.exec('CREATE TABLE notes_of_the_operator (text TEXT)');
    const counts = await start().finally(() => {
      source.exec('DROP TABLE notes_of_the_operator');
      source.close();
    });

    expect(counts).toMatchObject({ domains: 1 });
    expect(counts).not.toHaveProperty('notes_of_the_operator');
  });

  it('refuses a database that has accounts and leaves it unchanged', async () => {
    await start();

    await expect(start()).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: expect.stringContaining('has accounts already'),
    });

    expect(await target.query('SELECT id FROM accounts')).toHaveLength(1);
  });

  it('refuses a file that is in use, missing, or of another version', async () => {
    const letGo = lockDatabase({ kind: 'sqlite', file });
    await expect(start()).rejects.toThrow('another process serves');
    letGo();
    await expect(importSqlite(join(folder, 'nowhere.db'), '', target)).rejects.toMatchObject({
      details: expect.stringMatching(/^\/.* does not exist$/),
    });
    await target.transaction((manager) => manager.query('DELETE FROM migrations'));
    await expect(start()).rejects.toMatchObject({ details: expect.stringContaining('is of another version') });

    expect(await target.query('SELECT id FROM accounts')).toEqual([]);
  });
});
