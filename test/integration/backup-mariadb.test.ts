import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { restoreBackup } from '../../src/container/restore-backup';
import { createBackup, verifyBackup } from '../../src/infrastructure/backup/create-backup';
import { MANIFEST, type BackupManifest } from '../../src/infrastructure/backup/manifest';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../support/databases/mariadb';
import { describeOrSkip } from '../support/describe-or-skip';
import {
  PLAIN,
  STATES,
  STATES_RESTORED,
  UNFINISHED,
  addAccount,
  configFor,
  nextSecond,
} from '../support/databases/backups';

/** Those of docs/operations/backup.md, and the database of the service. */
function grantsOf(name: string): readonly string[] {
  const grants = [...readFileSync('docs/operations/backup.md', 'utf8').matchAll(/^GRANT (.+) TO namewright;/gm)];
  const pattern = name.replaceAll('_', '\\_');
  return [`ALL ON \`${name}\`.*`, ...grants.map(([, grant = '']) => grant.replace('namewright', pattern))];
}

describeOrSkip(PRIVATE_MYSQL_MISSING)('a backup of MariaDB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-backup-'));
  const PASSWORD = 'p"a\\s#s;w d';
  let server: PrivateMysqlServer;
  let root: string;
  let url: string;
  let backup: string;
  let manifest: BackupManifest;
  const admin = async (...statements: readonly string[]) => {
    const connection = await createConnection(root);
    const results: RowDataPacket[][] = [];
    for (const statement of statements) results.push((await connection.query<RowDataPacket[]>(statement))[0]);
    await connection.end();
    return results.at(-1) ?? [];
  };
  const names = async () => (await admin('SELECT name FROM accounts ORDER BY name')).map(({ name }) => String(name));
  const add = (name: string) =>
    admin(
      'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
      `INSERT INTO accounts (id, name, created_at) VALUES ('acc_${name}', '${name}', 0)`,
    );
  const databases = () => admin('SHOW DATABASES');
  let between: Date;

  beforeAll(async () => {
    server = await startPrivateMysql(['--log-bin=binlog', '--server-id=7']);
    root = await server.createDatabase();
    await admin(
      `CREATE USER 'backup'@'127.0.0.1' IDENTIFIED BY ${JSON.stringify(PASSWORD)}`,
      ...grantsOf(new URL(root).pathname.slice(1)).map((grant) => `GRANT ${grant} TO 'backup'@'127.0.0.1'`),
    );
    const own = new URL(root);
    [own.username, own.password] = ['backup', encodeURIComponent(PASSWORD)];
    url = own.toString();
    await addAccount(url, 'first');
    await admin('SET foreign_key_checks = 0', ...UNFINISHED);
    backup = join(folder, 'backup');
    manifest = await createBackup(configFor(url), backup, { withKey: false });
    await add('second');
    between = await nextSecond();
    await add('third');
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names its position in the binary log, has the rows of its manifest, and shows no password', async () => {
    expect(manifest).toMatchObject({
      database: 'mysql',
      position: { file: expect.stringMatching(/^binlog\./), position: expect.any(Number), gtid: expect.any(String) },
      rows: { accounts: 1, secret_key_proof: 1 },
    });
    await expect(verifyBackup(backup)).resolves.toMatchObject({ rows: manifest.rows });
    expect(readFileSync(join(backup, MANIFEST), 'utf8')).not.toContain('p"a');
    expect(await admin('SELECT * FROM last_backup')).toMatchObject([{ id: 1 }]);
  });

  it('restores any second after it from the binary logs, and moves the former tables aside in one statement', async () => {
    const at = between;
    await expect(restoreBackup(configFor(url), backup, { ...PLAIN, at })).rejects.toMatchObject({
      details: expect.stringContaining('--replace'),
    });

    const left = `${new URL(root).pathname.slice(1)}_restore_20261123000000_000000`;
    await admin(`CREATE DATABASE \`${left}\``);
    const { former = '', leftovers } = await restoreBackup(configFor(url), backup, { ...PLAIN, replace: true, at });
    await admin(`DROP DATABASE \`${left}\``);

    expect(leftovers).toEqual([left]);
    expect(await names()).toEqual(['first', 'second']);
    expect((await admin(STATES)).map(({ id, status }) => [id, status])).toEqual(STATES_RESTORED);
    expect((await admin(`SELECT name FROM \`${former}\`.accounts ORDER BY name`)).map(({ name }) => name)).toEqual([
      'first',
      'second',
      'third',
    ]);
    const [row] = await admin(
      "SELECT COUNT(*) AS count FROM information_schema.schemata WHERE schema_name LIKE '%restore%'",
    );
    expect(row).toEqual({ count: 0 });
  });

  it('restores from copies of the binary logs only if they continue the backup', async () => {
    await admin('FLUSH BINARY LOGS', 'FLUSH BINARY LOGS');
    const [row] = await admin('SELECT @@datadir AS folder');
    const data = String(row?.['folder']);
    const logs = readdirSync(data).filter((name) => /^binlog\.\d+$/.test(name));
    const binlogs = join(folder, 'binlogs');
    mkdirSync(binlogs);
    for (const name of logs) copyFileSync(join(data, name), join(binlogs, name));
    const restored = () => restoreBackup(configFor(url), backup, { ...PLAIN, replace: true, at: between, binlogs });
    const refusal = (text: string) =>
      expect(restored()).rejects.toMatchObject({ details: expect.stringContaining(text) });

    for (const gtid of [null, '0-8-1']) {
      writeFileSync(join(backup, MANIFEST), JSON.stringify({ ...manifest, position: { ...manifest.position, gtid } }));
      await refusal('does not continue this backup');
    }
    writeFileSync(join(backup, MANIFEST), JSON.stringify(manifest));
    const [, second = ''] = logs;
    rmSync(join(binlogs, second));
    await refusal(`has no ${second}`);
    copyFileSync(join(data, second), join(binlogs, second));
    await restored();

    expect(await names()).toEqual(['first', 'second']);
  });

  it('leaves no database beside it if the restore fails', async () => {
    const before = await databases();

    await expect(
      restoreBackup(configFor(url), backup, { ...PLAIN, replace: true, accountId: 'acc_unknown' }),
    ).rejects.toMatchObject({ details: expect.stringContaining('account') });

    expect(await databases()).toEqual(before);
  });

  it('refuses a moment before the backup or after a later restore, logs of another server, and a database in use', async () => {
    const restoreAt = (at: Date) => restoreBackup(configFor(url), backup, { ...PLAIN, replace: true, at });

    await expect(restoreAt(new Date(0))).rejects.toMatchObject({
      details: expect.stringContaining('must not be before the backup'),
    });
    for (const gtid of [null, '0-8-1']) {
      const position = { ...manifest.position, gtid };
      writeFileSync(join(backup, MANIFEST), JSON.stringify({ ...manifest, position }));
      await expect(restoreAt(between)).rejects.toMatchObject({
        details: expect.stringContaining('which this server does not have'),
      });
    }
    writeFileSync(join(backup, MANIFEST), JSON.stringify(manifest));
    await expect(restoreAt(await nextSecond())).rejects.toMatchObject({
      details: expect.stringContaining('is after a later restore'),
    });
    const connection = await createConnection(url);
    await expect(restoreBackup(configFor(url), backup, { ...PLAIN, replace: true })).rejects.toThrow(
      'stop every process of the service',
    );
    await connection.end();
    expect(await names()).toEqual(['first', 'second']);
  });
});
