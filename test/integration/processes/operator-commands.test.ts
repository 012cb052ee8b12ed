import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { build, CODE_CACHE } from '../../support/service/service-process';

/** Runs the real process on a temporary database. */
describe('npm run admin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-cli-'));
  const database = { DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}` };
  beforeAll(build);
  afterAll(() => rmSync(folder, { recursive: true }));

  function admin(args: readonly string[], env: Record<string, string> = database) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...CODE_CACHE, 'dist/cli.js', ...args], {
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  /** All rows of all tables, as text. */
  function contents(): string {
    const opened = new Database(join(folder, 'namewright.db'), { readonly: true });
    const tables = opened
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[];
    const rows = tables.map((table) => [table, opened.prepare(`SELECT * FROM ${table}`).all()]);
    opened.close();
    return JSON.stringify(rows, null, 1);
  }

  it('creates an account, and issues, lists and revokes a key, with nothing but the result on standard output', () => {
    expect(admin(['migrate'])).toMatchObject({ status: 0, stderr: '' });
    const account = admin(['account', 'create', '--name', 'Acme']).stdout.trim();
    expect(account).toMatch(/^acc_[0-9a-z]{26}$/);

    const issued = admin(['key', 'create', '--account', account, '--name', 'deploy', '--scope', 'ADMIN']);
    expect(issued).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^nw_live_[A-Za-z0-9][\w-]{11}\.[\w-]{43}\n$/),
      stderr: '',
    });

    const keyId = issued.stdout.slice('nw_live_'.length, 'nw_live_'.length + 12);
    expect(admin(['key', 'revoke', keyId])).toMatchObject({ status: 0 });
    expect(JSON.parse(admin(['key', 'list', '--account', account, '--json']).stdout)).toMatchObject([
      { key_id: keyId, scope: 'ADMIN', state: 'revoked' },
    ]);
  });

  it('invites, lists and removes people, but not the last owner', () => {
    const account = admin(['account', 'create', '--name', 'People']).stdout.trim();
    const of = ['--account', account];
    for (const email of ['ada@example.com', 'bob@example.com'])
      expect(admin(['user', 'create', ...of, '--email', email, '--role', 'owner'])).toMatchObject({ status: 0 });

    expect(admin(['user', 'remove', ...of, '--email', 'ada@example.com'])).toEqual({
      status: 0,
      stdout: 'ada@example.com was removed\n',
      stderr: '',
    });
    expect(admin(['user', 'remove', ...of, '--email', 'bob@example.com'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'user must not be the last owner of the account\n',
    });
    expect(JSON.parse(admin(['user', 'list', ...of, '--json']).stdout)).toMatchObject([
      { email: 'bob@example.com', role: 'owner', state: 'invited' },
    ]);
  });

  it.each([
    [[], 'A command is missing'],
    [['frobnicate'], 'Unknown command: frobnicate'],
    [['account', 'list', '--frob'], "Unknown option '--frob'"],
    [['account', 'create', '--name', ''], 'name must be'],
    [
      ['key', 'create', '--account', 'acc_x', '--name', 'x', '--scope', 'ROOT'],
      '--scope must be one of READ, WRITE, ADMIN',
    ],
  ])('reports invalid arguments %j on standard error, exits with 2 and opens no database', (args, message) => {
    const file = join(folder, 'untouched', 'namewright.db');

    expect(admin(args, { DATABASE_URL: `sqlite:${file}` })).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });

    expect(existsSync(dirname(file))).toBe(false);
  });

  it('exits with 2 and changes nothing if an argument names an unknown account, key or person', () => {
    const account = admin(['account', 'create', '--name', 'Unchanged']).stdout.trim();
    const before = contents();

    const results = [
      [['key', 'create', '--account', 'acc_unknown', '--name', 'x', '--scope', 'READ'], 'account is not known'],
      [['key', 'list', '--account', 'acc_unknown'], 'account is not known'],
      [['key', 'revoke', 'unknownKey00'], 'key is not known'],
      [['user', 'create', '--account', account, '--email', 'unknown', '--role', 'manager'], 'email'],
      [['user', 'link', '--account', account, '--email', 'unknown@example.com'], 'email'],
      [['user', 'list', '--account', 'acc_unknown'], 'account is not known'],
      [['user', 'remove', '--account', account, '--email', 'unknown@example.com'], 'email'],
    ].map(([args, message]) => ({ ...admin(args as string[]), message }));

    expect(results).toEqual(
      results.map(({ message }) => ({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining(message as string) as string,
        message,
      })),
    );
    expect(contents()).toEqual(before);
  });

  it('passes its exit code through npm run', () => {
    const { status, stdout } = spawnSync('npm', ['run', '--silent', 'admin', '--', 'key', 'revoke'], {
      env: { ...process.env, ...database },
      encoding: 'utf8',
    });

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('reports all configuration errors, including those of the registries file, and opens no database', () => {
    const [file, registries] = [join(folder, 'none', 'namewright.db'), join(folder, 'registries.yaml')];
    writeFileSync(registries, 'registries: { a: { adapter: epp, tlds: [com] } }');
    const { status, stderr } = admin(['migrate'], {
      DATABASE_URL: `sqlite:${file}`,
      PORT: 'x',
      LOG_LEVEL: 'y',
      REGISTRIES_FILE: registries,
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/PORT .*\n {2}LOG_LEVEL .*\n {2}REGISTRIES_FILE registries\.a\.settings\.host is missing\n/);
    expect(existsSync(dirname(file))).toBe(false);
  });

  it('exits with 1 and names the host, but not user or password, if the database cannot be reached', () => {
    expect(admin(['account', 'list'], { DATABASE_URL: 'mysql://user:hunter2@127.0.0.1:1/none' })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'MySQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED): see DATABASE_URL\n',
    });
  });

  it('changes the secret key, works with no other afterwards, and takes a new one only if the command says that the former is lost', () => {
    const [present, next] = ['secret.key', 'new.key'].map((name) => join(folder, name)) as [string, string];
    const list = () => admin(['account', 'list']);
    const refusal = {
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(`SECRET_KEY_FILE (${present}) holds another key`) as string,
    };
    writeFileSync(next, randomBytes(32).toString('base64'), { mode: 0o600 });

    expect(admin(['secret-key', 'rotate', join(folder, 'nowhere.key')])).toMatchObject({ status: 2, stdout: '' });
    expect(list().status).toBe(0);
    expect(admin(['secret-key', 'rotate', next])).toEqual({
      status: 0,
      stdout:
        '0\ttsig_keys\n0\tapi_keys\n0\tzone_keys\n0\ttotp_secrets\n1\tmails\n0\toperations\n0\twebhooks\n0\tproposals\n0\ttransfers\n0\tbulk_items\n0\tidempotency_records\n0\tunreadable\n',
      stderr: '',
    });
    expect(list()).toEqual(refusal);
    renameSync(next, present);
    expect(list().status).toBe(0);
    rmSync(present);
    expect(list()).toEqual(refusal);
    expect(admin(['secret-key', 'replace-lost'])).toMatchObject({ status: 0 });
    expect(list().status).toBe(0);
  });
});
