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
import Sqlite from 'better-sqlite3';
import { loadConfig } from '../../src/config';
import { restoreBackup } from '../../src/container/restore-backup';
import { createBackup, verifyBackup } from '../../src/infrastructure/backup/create-backup';
import { MANIFEST } from '../../src/infrastructure/backup/manifest';
import {
  KEY,
  PLAIN,
  STATES,
  STATES_RESTORED,
  UNFINISHED,
  addAccount,
  configFor,
  nextSecond,
} from '../support/databases/backups';

const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');

function accountsIn(file: string): readonly unknown[] {
  const database = new Sqlite(file, { readonly: true });
  const names = database.prepare('SELECT name FROM accounts ORDER BY name').pluck().all();
  database.close();
  return names;
}

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

  it('is one snapshot of a database that is being written, with the time when it was made', async () => {
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

  it('fails unfinished operations, except purchases, which stay to be checked and get new numbers in each restore', async () => {
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
