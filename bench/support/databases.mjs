// Creates empty databases for measurements, as DATABASE_URLs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { freePort } from './processes.mjs';

const SERVER = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd'].find((path) => existsSync(path));
let databases = 0;

/**
 * SQLite, and MySQL or MariaDB if available: `{ title, processes, createDatabase() }`, with the ids of its server if that is started here.
 * BENCH_DATABASE leaves out the other one.
 */
export async function databaseKinds(workspace) {
  const only = process.env.BENCH_DATABASE;
  return (await availableKinds(workspace)).filter(({ title }) => !only || title === only);
}

async function availableKinds(workspace) {
  const sqlite = {
    title: 'SQLite',
    processes: [],
    createDatabase: async () => `sqlite:${join(workspace.folder, `database-${(databases += 1)}`, 'service.db')}`,
  };
  const given = process.env.MYSQL_TEST_URL;
  const server = given ? { url: given, processes: [] } : SERVER && (await startMariadb(workspace));
  if (server)
    return [
      sqlite,
      { title: 'MySQL', processes: server.processes, createDatabase: () => createMysqlDatabase(server.url) },
    ];
  process.stdout.write('  SKIPPED on MySQL: no mariadbd is installed and MYSQL_TEST_URL is not set\n');
  return [sqlite];
}

/** With durable commits, as in production. */
async function startMariadb({ folder, start }) {
  const data = join(folder, 'mariadb');
  // A starting server deletes all temporary tables in TMPDIR, including those of other servers.
  const env = { TMPDIR: folder };
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', '--user=root'],
    { env: { ...process.env, ...env }, stdio: 'ignore' },
  );
  const port = await freePort();
  const url = `mysql://root@127.0.0.1:${port}/mysql`;
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'sock')}`,
    '--user=root',
    '--innodb-buffer-pool-size=256M',
  ];
  const { pid } = await start({ command: SERVER, args, env, isReady: () => answers(url) });
  return { url, processes: [pid] };
}

async function answers(url) {
  try {
    await (await createConnection(url)).end();
    return true;
  } catch {
    return false;
  }
}

async function createMysqlDatabase(server) {
  const name = `namewright_bench_${process.pid}_${(databases += 1)}`;
  const connection = await createConnection(server);
  await connection.query(`DROP DATABASE IF EXISTS ${name}`);
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}
