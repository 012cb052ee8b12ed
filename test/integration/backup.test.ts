import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { CreateAccount } from '../../src/application/access/create-account';
import { loadConfig } from '../../src/config';
import { createContainer } from '../../src/container/container';
import { restoreBackup, type RestoreOptions } from '../../src/container/restore-backup';
import { OPERATOR } from '../../src/domain/access/actor';
import { createBackup, verifyBackup } from '../../src/infrastructure/backup/create-backup';
import { MANIFEST, type BackupManifest } from '../../src/infrastructure/backup/manifest';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql, type PrivateMysqlServer } from '../support/databases/mariadb';
import { describeOrSkip } from '../support/describe-or-skip';

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');
const PLAIN: RestoreOptions = { replace: false, fix: false };

const configFor = (url: string, secretKey = KEY) =>
  loadConfig({ DATABASE_URL: url, SECRET_KEY: secretKey, LOG_LEVEL: 'silent' });

async function addAccount(url: string, name: string): Promise<void> {
  const { container, close } = await createContainer(configFor(url));
  await container.get(CreateAccount).execute({ actor: OPERATOR, name });
  await close();
}

/** Binary logs have whole seconds. */
async function nextSecond(): Promise<Date> {
  const time = Math.floor(Date.now() / 1_000) * 1_000 + 1_000;
  while (Date.now() < time) await sleep(10);
  return new Date(time);
}

function accountsIn(file: string): readonly unknown[] {
  const database = new Sqlite(file, { readonly: true });
  const names = database.prepare('SELECT name FROM accounts ORDER BY name').pluck().all();
  database.close();
  return names;
}

const KINDS = ['register', 'renew', 'restore', 'set_nameservers', 'set_registrant', 'set_transfer_lock', 'delete'];

/** Statements that leave an operation of each kind unfinished, and a bulk renewal with an item that has stored one of them. */
const UNFINISHED = [
  "INSERT INTO domains (id, account_id, name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, created_at, updated_at, due_at) VALUES ('dom_1', 'acc_1', 'gone.com', 'gone', 0, 0, 0, '[]', '{}', 0, 0, 9999999999999)",
  ...KINDS.map(
    (kind) =>
      `INSERT INTO operations (id, account_id, domain_id, request, status, attempts, transaction_id, next_attempt_at, due_at, created_at, updated_at, retained_from) VALUES ('op_${kind}', 'acc_1', 'dom_1', '{"years":1,"kind":"${kind}"}', 'queued', 1, 'op-1', 0, 0, 0, 0, 0)`,
  ),
  `INSERT INTO bulk_jobs (id, account_id, actor, action, total, created_at, updated_at) VALUES ('job_1', 'acc_1', 'service', '{"kind":"renewal","years":1}', 2, 0, 0)`,
  ...['renew', 'none'].map(
    (id) =>
      `INSERT INTO bulk_items (job_id, domain_id, name, operation_id, undoable, state, attempts) VALUES ('job_1', 'dom_${id}', 'gone.com', 'op_${id}', 0, 'waiting', 0)`,
  ),
];
const STATES = 'SELECT id, status FROM operations UNION SELECT domain_id, state FROM bulk_items ORDER BY id';
const STATES_RESTORED = [
  ['dom_none', 'failed'],
  ['dom_renew', 'waiting'],
  ['op_delete', 'failed'],
  ['op_register', 'uncertain'],
  ['op_renew', 'uncertain'],
  ['op_restore', 'uncertain'],
  ['op_set_nameservers', 'failed'],
  ['op_set_registrant', 'failed'],
  ['op_set_transfer_lock', 'failed'],
];

describe('a backup of SQLite', () => {
  let folder: string;
  let file: string;
  let backup: string;
  const url = () => `sqlite:${file}`;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-backup-'));
    [file, backup] = [join(folder, 'data', 'service.db'), join(folder, 'backup')];
    await addAccount(url(), 'first');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is one moment of a database that is written meanwhile, and tells when it was made', async () => {
    const writer = new Sqlite(file, { timeout: 5_000 });
    const add = writer.prepare("INSERT INTO write_checks (id, checked_at, filler) VALUES (?, 0, '')");
    const addPair = writer.transaction((id: number) => [add.run(id), add.run(id + 1)]);
    let id = 10;
    const timer = setInterval(() => addPair((id += 2)), 1);
    const manifest = await createBackup(configFor(url()), backup, { withKey: false });
    clearInterval(timer);
    const [row] = writer.prepare<[], { succeeded_at: number; bytes: number }>('SELECT * FROM last_backup').all();
    writer.close();

    await expect(verifyBackup(backup)).resolves.toEqual(manifest);
    expect((manifest.rows['write_checks'] ?? 0) % 2).toBe(0);
    expect(manifest).toMatchObject({ database: 'sqlite', position: null, rows: { accounts: 1 } });
    expect(row?.succeeded_at).toBe(Date.parse(manifest.taken_at));
    expect(readdirSync(backup).toSorted()).toEqual([MANIFEST, 'namewright-registry.db', 'namewright.db']);
    for (const name of readdirSync(backup)) expect(statSync(join(backup, name)).mode & 0o077).toBe(0);
    expect(readFileSync(join(backup, MANIFEST), 'utf8')).not.toContain(KEY);
  });

  it('is refused if a file is damaged or missing, or if it is incomplete', async () => {
    await createBackup(configFor(url()), backup, { withKey: false });
    const copy = join(backup, 'namewright.db');
    const octets = readFileSync(copy);

    octets[5_000] = (octets[5_000] ?? 0) ^ 1;
    writeFileSync(copy, octets);
    await expect(verifyBackup(backup)).rejects.toMatchObject({ details: expect.stringContaining('differs from its') });
    truncateSync(copy, 100);
    await expect(restoreBackup(configFor(url()), backup, PLAIN)).rejects.toMatchObject({
      details: expect.stringContaining('namewright.db differs from its checksum'),
    });
    rmSync(copy);
    await expect(verifyBackup(backup)).rejects.toMatchObject({ details: expect.stringContaining('is missing') });
    rmSync(join(backup, MANIFEST));
    await expect(verifyBackup(backup)).rejects.toMatchObject({
      details: expect.stringContaining('no complete backup'),
    });
    await expect(createBackup(configFor(url()), backup, { withKey: false })).rejects.toMatchObject({
      details: expect.stringContaining('must be empty'),
    });
  });

  it('replaces a database only if that is requested, keeps the former one, and raises all serials', async () => {
    await createBackup(configFor(url()), backup, { withKey: false });
    await addAccount(url(), 'second');

    await expect(restoreBackup(configFor(url()), backup, PLAIN)).rejects.toMatchObject({
      details: expect.stringContaining('--replace'),
    });
    expect(accountsIn(file)).toEqual(['first', 'second']);
    chmodSync(join(backup, 'namewright.db'), 0o444);
    const { former = '' } = await restoreBackup(configFor(url()), backup, { ...PLAIN, replace: true });

    expect(accountsIn(file)).toEqual(['first']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(accountsIn(former)).toEqual(['first', 'second']);
    const restored = new Sqlite(file, { readonly: true });
    expect(restored.prepare('SELECT version FROM dns_catalog').pluck().get()).toBeGreaterThanOrEqual(2 ** 20);
    restored.close();
    expect(readdirSync(join(folder, 'data')).filter((name) => name.includes('.restore'))).toEqual([]);
  });

  it('fails what was unfinished, except purchases, which stay to be checked and get new numbers in each restore', async () => {
    const writer = new Sqlite(file);
    writer.pragma('foreign_keys = OFF');
    for (const statement of UNFINISHED) writer.exec(statement);
    writer.close();
    await createBackup(configFor(url()), backup, { withKey: false });
    const restoredStates = async (): Promise<readonly [unknown[], number]> => {
      await restoreBackup(configFor(url()), backup, { ...PLAIN, replace: true, fix: true });
      const restored = new Sqlite(file, { readonly: true });
      const states = restored.prepare(STATES).raw().all();
      const attempts = restored
        .prepare("SELECT attempts FROM operations WHERE id = 'op_renew'")
        .pluck()
        .get() as number;
      restored.close();
      return [states, attempts];
    };

    const [first, firstAttempts] = await restoredStates();
    await nextSecond();
    const [second, secondAttempts] = await restoredStates();

    expect(first).toEqual(STATES_RESTORED);
    expect(second).toEqual(STATES_RESTORED);
    expect(secondAttempts).toBeGreaterThan(firstAttempts);
  });

  it('is kept if its time cannot be stored for monitoring, and says so', async () => {
    const writer = new Sqlite(file);
    writer.exec("CREATE TRIGGER no_time BEFORE INSERT ON last_backup BEGIN SELECT RAISE(ABORT, 'denied'); END");
    writer.close();
    const warnings: string[] = [];

    const manifest = await createBackup(configFor(url()), backup, {
      withKey: false,
      warn: (text) => warnings.push(text),
    });

    await expect(verifyBackup(backup)).resolves.toEqual(manifest);
    expect(warnings).toEqual([expect.stringContaining('denied')]);
  });

  it('is refused with another key than the database is encrypted with', async () => {
    await expect(createBackup(configFor(url(), OTHER_KEY), backup, { withKey: false })).rejects.toMatchObject({
      details: expect.stringContaining('is not the key that this database is encrypted with'),
    });
    expect(existsSync(backup)).toBe(false);
  });

  it('restores over a missing or damaged database whose files beside it would be replayed', async () => {
    await createBackup(configFor(url()), backup, { withKey: false });
    const writer = new Sqlite(file);
    writer.exec("INSERT INTO accounts (id, name, created_at) VALUES ('acc_2', 'later', 0)");
    copyFileSync(`${file}-wal`, join(folder, 'left-wal'));
    writer.close();
    rmSync(file);
    copyFileSync(join(folder, 'left-wal'), `${file}-wal`);

    await restoreBackup(configFor(url()), backup, PLAIN);
    expect(accountsIn(file)).toEqual(['first']);

    writeFileSync(file, 'damaged'.repeat(1_000));
    const { former = '' } = await restoreBackup(configFor(url()), backup, { ...PLAIN, replace: true });
    expect(accountsIn(file)).toEqual(['first']);
    expect(readFileSync(former, 'utf8')).toContain('damaged');
  });

  it('leaves the folder of the database and the key as they were if the restore fails', async () => {
    await createBackup(configFor(url()), backup, { withKey: true });
    const target = join(folder, 'new', 'service.db');
    mkdirSync(join(folder, 'new'));
    writeFileSync(target, 'another database');

    for (const options of [PLAIN, { ...PLAIN, replace: true, accountId: 'acc_unknown' }])
      await expect(
        restoreBackup(loadConfig({ DATABASE_URL: `sqlite:${target}` }), backup, options),
      ).rejects.toMatchObject({ details: expect.stringMatching(/--replace|account/) });

    expect(readdirSync(join(folder, 'new'))).toEqual(['service.db', 'service.db.lock']);
    const used = join(folder, 'used', 'service.db');
    mkdirSync(join(folder, 'used'));
    const user = new Sqlite(used);
    user.pragma('journal_mode = WAL');
    user.exec('CREATE TABLE other (id INTEGER)');
    await expect(
      restoreBackup(loadConfig({ DATABASE_URL: `sqlite:${used}` }), backup, { ...PLAIN, replace: true }),
    ).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    user.close();
    const noKeyFile = { DATABASE_URL: `sqlite:${used}`, SECRET_KEY_FILE: join(backup, MANIFEST, 'key') };
    await expect(restoreBackup(loadConfig(noKeyFile), backup, { ...PLAIN, replace: true })).rejects.toThrow('EEXIST');
    expect(readdirSync(join(folder, 'used'))).toEqual(['service.db', 'service.db.lock']);
  });

  it('restores with its own key only, and brings the key if it has a copy', async () => {
    await createBackup(configFor(url()), backup, { withKey: true });
    const target = `sqlite:${join(folder, 'new', 'service.db')}`;

    await expect(restoreBackup(configFor(target, OTHER_KEY), backup, PLAIN)).rejects.toMatchObject({
      details: expect.stringContaining('is not the key of this backup'),
    });
    await restoreBackup(loadConfig({ DATABASE_URL: target }), backup, PLAIN);

    expect(accountsIn(join(folder, 'new', 'service.db'))).toEqual(['first']);
    expect(readFileSync(join(folder, 'new', 'secret.key'), 'utf8').trim()).toBe(KEY);
  });
});

/** Those of docs/operations.md, and the database of the service. */
function grantsOf(name: string): readonly string[] {
  const grants = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^GRANT (.+) TO namewright;/gm)];
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
