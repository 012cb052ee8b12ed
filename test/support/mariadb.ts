import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { freePort } from './free-port';

const SERVER = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd'].find((path) => existsSync(path));
const START_WITHIN_MS = 30_000;

/** Why a test that needs MySQL or MariaDB cannot run here; undefined where it can. */
export const MYSQL_MISSING: string | undefined =
  process.env['MYSQL_TEST_URL'] || SERVER ? undefined : 'no mariadbd is installed and MYSQL_TEST_URL is not set';

export interface MysqlServer {
  /** Makes an empty database and answers its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** The server that MYSQL_TEST_URL names, or a private one in a temporary folder on a free port of the loopback. */
export async function startMysql(): Promise<MysqlServer> {
  const given = process.env['MYSQL_TEST_URL'];
  if (given) return { createDatabase: () => createDatabase(given), stop: async () => undefined };
  if (!SERVER) throw new Error(MYSQL_MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-mariadb-'));
  const data = join(folder, 'data');
  const port = await freePort();
  execFileSync('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', '--user=root'], { stdio: 'ignore' });
  const server = spawn(SERVER, [
    '--no-defaults', `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'sock')}`,
    '--user=root', '--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=64M', `--log-error=${join(folder, 'log')}`,
  ], { stdio: 'ignore' });
  const base = `mysql://root@127.0.0.1:${port}/mysql`;
  await answering(base, server, join(folder, 'log'));
  return {
    createDatabase: () => createDatabase(base),
    stop: async () => {
      server.kill('SIGKILL');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let databases = 0;

async function createDatabase(base: string): Promise<string> {
  databases += 1;
  const name = `namewright_test_${process.pid}_${databases}`;
  const connection = await createConnection(base);
  await connection.query(`DROP DATABASE IF EXISTS ${name}`);
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.end();
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.toString();
}

async function answering(url: string, server: ChildProcess, log: string): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    try {
      await (await createConnection(url)).end();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error(`mariadbd does not answer: ${readFileSync(log, 'utf8').slice(-2000)}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
