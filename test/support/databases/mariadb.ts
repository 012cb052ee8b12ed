import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { freePort } from '../free-port';

export const SERVER = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd'].find((path) => existsSync(path));
/** Only for a server that never answers: recovery after a kill takes long on a busy machine. */
const START_TIMEOUT_MS = 120_000;
/** Without fsync, which takes most of the time of a new schema. Files written are still there after a kill of the process. */
export const NO_SYNC = ['--innodb-flush-log-at-trx-commit=2', '--innodb-flush-method=nosync', '--debug-no-sync'];

/** Why tests that need MySQL or MariaDB are skipped; undefined if they can run. */
export const MYSQL_MISSING: string | undefined =
  process.env['MYSQL_TEST_URL'] || SERVER ? undefined : 'no mariadbd is installed and MYSQL_TEST_URL is not set';

/** Why tests that kill or freeze the server are skipped; undefined if they can run. */
export const PRIVATE_MYSQL_MISSING: string | undefined = SERVER ? undefined : 'no mariadbd is installed';

export interface MysqlServer {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export interface PrivateMysqlServer extends MysqlServer {
  /** Its system database, as root. */
  readonly url: string;
  kill(): Promise<void>;
  /** Starts the server after `kill`, with the same port and data. */
  restart(): Promise<void>;
  /** Suspends the server: connections stay open and new ones are accepted, but nothing is answered. */
  freeze(): void;
  thaw(): void;
}

/**
 * Uses the server of MYSQL_TEST_URL, where `stop` drops the databases, or starts a private one. For tests that change
 * nothing but their databases, because other test files use that server at the same time.
 */
export async function startMysql(): Promise<MysqlServer> {
  const given = process.env['MYSQL_TEST_URL'];
  if (!given) return startPrivateMysql();
  const created: string[] = [];
  return {
    createDatabase: async () => {
      const url = await createDatabase(given);
      created.push(new URL(url).pathname.slice(1));
      return url;
    },
    stop: () => dropDatabases(given, created),
  };
}

/** Starts a server in a temporary folder on a free loopback port. Commits survive a kill of the process. */
export async function startPrivateMysql(options: readonly string[] = []): Promise<PrivateMysqlServer> {
  if (!SERVER) throw new Error(PRIVATE_MYSQL_MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-mariadb-'));
  const data = join(folder, 'data');
  // A starting server deletes all temporary tables in TMPDIR, including those of other servers.
  const env = { ...process.env, TMPDIR: folder };
  const port = await freePort();
  cpSync(newDataFolder(SERVER), data, { recursive: true });
  const base = `mysql://root@127.0.0.1:${port}/mysql`;
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(
      SERVER,
      [
        '--no-defaults',
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(folder, 'sock')}`,
        '--user=root',
        ...NO_SYNC,
        '--innodb-buffer-pool-size=64M',
        `--log-error=${join(folder, 'log')}`,
        ...options,
      ],
      { env, stdio: 'ignore' },
    );
    await waitUntilReady(base, started, join(folder, 'log'));
    return started;
  };
  let server = await start();
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  return {
    url: base,
    createDatabase: () => createDatabase(base),
    kill,
    restart: async () => {
      server = await start();
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The data folder of a server that never ran, to be copied: installing one takes seconds, most of them in fsync. */
export function newDataFolder(server: string): string {
  const { size, mtimeMs } = statSync(server);
  const folder = join(tmpdir(), `namewright-mariadb-new-${process.getuid?.()}-${size}-${Math.floor(mtimeMs)}`);
  if (existsSync(folder)) return folder;
  const own = mkdtempSync(`${folder}-`);
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--user=root'];
  execFileSync('mariadb-install-db', ['--no-defaults', `--datadir=${own}`, '--innodb-log-file-size=8M', ...options], {
    env: { ...process.env, TMPDIR: own },
    stdio: 'ignore',
  });
  try {
    renameSync(own, folder);
  } catch {
    // Another process was faster.
    rmSync(own, { recursive: true });
  }
  return folder;
}

async function createDatabase(base: string): Promise<string> {
  const name = `namewright_test_${randomBytes(6).toString('hex')}`;
  const connection = await createConnection(base);
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.end();
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.toString();
}

/** Also drops the databases that restores of them have made, whose names begin with theirs. */
async function dropDatabases(base: string, names: readonly string[]): Promise<void> {
  const connection = await createConnection(base);
  const [rows] = await connection.query('SHOW DATABASES');
  const existing = (rows as { Database: string }[]).map(({ Database }) => Database);
  // Without a limit, a transaction that a test has left open would block it for a day.
  await connection.query('SET lock_wait_timeout = 60');
  for (const name of existing.filter((candidate) => names.some((created) => candidate.startsWith(created))))
    await connection.query(`DROP DATABASE ${name}`);
  await connection.end();
}

async function waitUntilReady(url: string, server: ChildProcess, log: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await (await createConnection(url)).end();
      return;
    } catch (error) {
      if (server.exitCode !== null || server.signalCode !== null || Date.now() > deadline)
        throw new Error(`mariadbd does not answer: ${readFileSync(log, 'utf8').slice(-2000)}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
