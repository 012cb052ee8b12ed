import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MysqlLocation } from '../persistence/database/database-location';
import { openUnnamedFile } from './private-files';

/** The names that MariaDB prefers, and MySQL's, under which old versions of MariaDB have their own. */
const PROGRAMS = {
  client: ['mariadb', 'mysql'],
  dump: ['mariadb-dump', 'mysqldump'],
  binlog: ['mariadb-binlog', 'mysqlbinlog'],
} as const;
const MAX_MESSAGE = 2_000;

interface Run {
  readonly args: readonly string[];
  /** The last one is readable, and each reads the one before it. */
  readonly input?: readonly [Readable, ...Transform[]];
  readonly output?: Writable | ((output: Readable) => Promise<void>);
}

/** The server's own programs. They read the credentials from a file without a name, so that no process list shows them. */
export class MysqlPrograms {
  readonly isMariadb: boolean;
  readonly database: string;

  /** `version` is the server's. */
  constructor(
    private readonly location: MysqlLocation,
    version: string,
  ) {
    this.isMariadb = /mariadb/i.test(version);
    this.database = databaseOf(location);
  }

  /** @throws Error with what the program wrote to standard error */
  async run(kind: keyof typeof PROGRAMS, { args, input, output }: Run): Promise<void> {
    const path = this.pathOf(kind);
    const options = await openUnnamedFile(optionsOf(this.location, this.isMariadb));
    const child = spawn(path, ['--defaults-file=/dev/fd/3', ...args], {
      stdio: [input ? 'pipe' : 'ignore', output ? 'pipe' : 'ignore', 'pipe', options.fd],
      // Times in arguments are UTC.
      env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
    });
    let message = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (message = (message + text).slice(-MAX_MESSAGE)));
    const ended = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) =>
        code === 0 ? resolve() : reject(new Error(`${path} failed (${signal ?? code}): ${message.trim()}`)),
      );
    });
    // Of several failures, the first is reported: a failed output ends the program, and that ends its input.
    const streams: Promise<void>[] = [ended];
    if (output && child.stdout)
      streams.unshift(typeof output === 'function' ? output(child.stdout) : pipeline(child.stdout, output));
    if (input && child.stdin) streams.push(pipeline([...input, child.stdin]));
    const failure = (await Promise.allSettled(streams)).find((result) => result.status === 'rejected');
    await options.close();
    if (failure) throw failure.reason;
  }

  /** MariaDB's programs do not know all statements of MySQL, and the other way round. */
  private pathOf(kind: keyof typeof PROGRAMS): string {
    const path = PROGRAMS[kind].flatMap(pathsOf).find((each) => isProgramOfMariadb(each) === this.isMariadb);
    if (path !== undefined) return path;
    const [mariadb, mysql] = PROGRAMS[kind];
    throw new Error(
      this.isMariadb
        ? `${mariadb} is not installed: install MariaDB's client programs`
        : `the server is MySQL, and MySQL's own ${mysql} is not installed: install MySQL's client programs`,
    );
  }
}

/** MariaDB's binlog program has had the version 3 since MySQL 5, and does not name MariaDB. */
function isProgramOfMariadb(path: string): boolean {
  return /mariadb|\bVer 3\./i.test(execFileSync(path, ['--version'], { encoding: 'utf8' }));
}

export function databaseOf({ url }: MysqlLocation): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

export function withDatabase(location: MysqlLocation, name: string): MysqlLocation {
  const url = new URL(location.url);
  url.pathname = `/${encodeURIComponent(name)}`;
  return { ...location, url: url.toString() };
}

/** An option file: https://mariadb.com/kb/en/configuring-mariadb-with-option-files/ */
function optionsOf({ url, tls }: MysqlLocation, isMariadb: boolean): string {
  const { hostname, port, username, password } = new URL(url);
  const options = [
    ['protocol', 'tcp'],
    ['host', hostname.replace(/^\[|\]$/g, '')],
    ['port', port || '3306'],
    ['user', decodeURIComponent(username)],
    ['password', decodeURIComponent(password)],
    ...(tls ? tlsOptions(tls, isMariadb) : []),
  ];
  return `[client]\n${options.map(([name, value]) => `${name}=${quoted(value ?? '')}\n`).join('')}`;
}

/** MariaDB's programs cannot verify the certificate without the host name: they verify both. */
function tlsOptions({ mode, ca, cert, key }: NonNullable<MysqlLocation['tls']>, isMariadb: boolean): string[][] {
  return [
    ...(isMariadb
      ? [['ssl', '1'], ...(mode === 'REQUIRED' ? [] : [['ssl-verify-server-cert', '1']])]
      : [['ssl-mode', mode]]),
    ...(ca === undefined ? [] : [['ssl-ca', ca]]),
    ...(cert === undefined ? [] : [['ssl-cert', cert]]),
    ...(key === undefined ? [] : [['ssl-key', key]]),
  ];
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function pathsOf(name: string): readonly string[] {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path));
}
