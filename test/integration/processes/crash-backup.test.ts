import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { loadConfig } from '../../../src/config';
import { restoreBackup } from '../../../src/container/restore-backup';
import { createBackup } from '../../../src/infrastructure/backup/create-backup';
import { withEachDatabase } from '../../support/databases/each-database';
import { api, registered, startService } from '../../support/service/service';
import { build, startProcess } from '../../support/service/service-process';

const KEY = Buffer.alloc(32, 1).toString('base64');
const KILLER = join('test', 'crash', 'child', 'kill-at-restore-step.cjs');
const SQLITE_STEPS = [
  'reconcile',
  'rename secret.key',
  'link',
  'rename service-registry-other.db',
  'rename service.db',
  'rm service.db.restore',
];
const MYSQL_STEPS = ['client', 'reconcile', 'RENAME', 'DROP'];
const FILES = ['secret.key', 'service-registry-other.db', 'service-registry.db', 'service.db', 'service.db.lock'];
const COMPLETE = { keyProofs: 1, damage: 'ok' };
/** Databases without tables, and those of restores that did not end. */
const LEFTOVERS =
  "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE CONCAT(DATABASE(), '\\_re%') AND (schema_name LIKE '%\\_restore\\_%' OR NOT EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = schema_name)) ORDER BY schema_name";

withEachDatabase('a restore that is killed', (databases) => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-killed-restore-'));
  const [data, backup, temporary] = [join(folder, 'data'), join(folder, 'backup'), join(folder, 'tmp')];
  let url: string;
  let isSqlite: boolean;

  const query = async (sql: string): Promise<readonly unknown[]> => {
    if (isSqlite) {
      const database = new Sqlite(url.slice('sqlite:'.length));
      const rows = sql.startsWith('SELECT') ? database.prepare(sql).raw().all() : database.exec(sql);
      database.close();
      return Array.isArray(rows) ? rows.flat() : [];
    }
    const connection = await createConnection(url);
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    await connection.end();
    return Array.isArray(rows) ? rows.flatMap((row) => Object.values(row)) : [];
  };
  const addAccount = () => query("INSERT INTO accounts (id, name, created_at) VALUES ('acc_2', 'since', 0)");
  /** Damage, and what the backup does not have. */
  const state = async () => ({
    accounts: await query('SELECT name FROM accounts ORDER BY name'),
    domains: await query("SELECT name FROM domains WHERE status = 'active' ORDER BY name"),
    keyProofs: (await query('SELECT sealed FROM secret_key_proof')).length,
    damage: isSqlite ? (await query('SELECT integrity_check FROM pragma_integrity_check')).join() : 'ok',
  });
  const config = () =>
    loadConfig({ DATABASE_URL: url, SECRET_KEY_FILE: join(data, 'secret.key'), LOG_LEVEL: 'silent' });
  const killRestoreAt = async (step: string): Promise<void> => {
    const { code, stderr } = await startProcess(
      {
        DATABASE_URL: url,
        SECRET_KEY_FILE: join(data, 'secret.key'),
        TMPDIR: temporary,
        WATCHED: data,
        KILL_AT: step,
      },
      [process.execPath, '--require', `./${KILLER}`, 'dist/cli.js', 'backup', 'restore', backup, '--replace', '--fix'],
    ).ended;
    expect({ step, code, stderr }).toEqual({ step, code: null, stderr: '' });
  };

  beforeAll(async () => {
    build();
    mkdirSync(temporary);
    mkdirSync(data);
    const location = await databases.create();
    isSqlite = location.kind === 'sqlite';
    url = location.kind === 'mysql' ? location.url : `sqlite:${join(data, 'service.db')}`;
    const start = () => startService({ DATABASE_URL: url, SECRET_KEY: KEY });
    const service = await start();
    const key = await service.key(await service.account());
    await registered(api(service, key), 'old.com');
    await service.stop();
    const other = new Sqlite(join(data, 'service-registry-other.db'));
    other.close();
    await createBackup(loadConfig({ DATABASE_URL: url, SECRET_KEY: KEY }), backup, { withKey: true });
    rmSync(join(data, 'service-registry-other.db'));
    if (!isSqlite) return;
    const later = await start();
    await registered(api(later, key), 'new.com');
    await later.stop();
    await addAccount();
    cpSync(data, join(folder, 'former'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('leaves the former or the restored database at each step, and the next one completes and names what is left', async () => {
    const setBack = async (): Promise<void> => {
      rmSync(data, { recursive: true });
      if (isSqlite) return cpSync(join(folder, 'former'), data, { recursive: true });
      mkdirSync(data);
      await addAccount();
    };
    const leftovers = async () => (isSqlite ? [] : query(LEFTOVERS));
    const former = {
      ...COMPLETE,
      accounts: ['Test account', 'since'],
      domains: isSqlite ? ['new.com', 'old.com'] : ['old.com'],
    };
    const restored = { ...former, accounts: ['Test account'] };

    for (const step of isSqlite ? SQLITE_STEPS : MYSQL_STEPS) {
      await setBack();
      expect(await state()).toEqual(former);
      await killRestoreAt(step);

      expect([former, restored].map((each) => ({ step, ...each }))).toContainEqual({ step, ...(await state()) });
      expect({ step, temporary: readdirSync(temporary) }).toEqual({ step, temporary: [] });
      const left = await leftovers();
      const report = await restoreBackup(config(), backup, { replace: true, fix: true });
      expect({ step, ...(await state()) }).toEqual({ step, ...restored });
      expect(report).toMatchObject({ registries: [{ fixedCount: isSqlite ? 1 : 0, left: [] }], unread: [] });
      expect({ step, left: report.leftovers }).toEqual({ step, left });
      expect({ step, left: await leftovers() }).toEqual({ step, left });
      expect(readdirSync(data).filter((name) => !name.startsWith('service.db.replaced-'))).toEqual(
        isSqlite ? FILES : ['secret.key'],
      );
      for (const name of left) await query(`DROP DATABASE \`${String(name)}\``);
    }
  });
});
