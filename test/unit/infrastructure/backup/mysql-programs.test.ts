import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { serverOf } from '../../../../src/infrastructure/backup/mysql-backup';
import { MysqlPrograms } from '../../../../src/infrastructure/backup/mysql-programs';

const LOCATION = { url: 'mysql://user:password@127.0.0.1/service' };
const MARIADB = '10.11.6-MariaDB';
const MYSQL = '8.4.3';

const dump = (server: string) => new MysqlPrograms(LOCATION, server).run('dump', { args: [] });
const clientOf = (server: string, input: Readable = Readable.from([])) =>
  new MysqlPrograms(LOCATION, server).run('client', { args: [], input: [input] });

describe('the client programs of MariaDB and MySQL', () => {
  const path = process.env['PATH'];
  let folder: string;
  const install = (name: string, version: string, work = 'true'): void =>
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nif [ "$1" = --version ]; then echo '${version}'; else ${work}; fi\n`,
      {
        mode: 0o755,
      },
    );
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-programs-'));
    process.env['PATH'] = `${folder}:/bin`;
  });
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  it('are those of the server, and those of the other vendor are refused', async () => {
    process.env['PATH'] = folder;
    install('mariadb-dump', 'mariadb-dump from 10.11.6-MariaDB, client 10.19');

    await expect(dump(MARIADB)).resolves.toBeUndefined();
    await expect(dump(MYSQL)).rejects.toThrow("MySQL's own mysqldump is not installed");
    install('mysqldump', 'mysqldump  Ver 10.19 Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)');
    await expect(dump(MYSQL)).rejects.toThrow("MySQL's own mysqldump is not installed");
    install('mysqldump', 'mysqldump  Ver 8.4.3 for Linux on x86_64 (MySQL Community Server - GPL)');
    await expect(dump(MYSQL)).resolves.toBeUndefined();
  });

  it('fail if their input ends early, even if they do not notice', async () => {
    install('mariadb', 'mariadb from 10.11.6-MariaDB, client 15.2', 'cat > /dev/null');
    const broken = Readable.from(
      (function* () {
        yield 'INSERT INTO accounts';
        throw new Error('the file is damaged');
      })(),
    );

    await expect(clientOf(MARIADB, broken)).rejects.toThrow('the file is damaged');
  });

  it('report their own error rather than that of the input that they stopped reading', async () => {
    install('mariadb', 'mariadb from 10.11.6-MariaDB, client 15.2', "echo 'access denied' >&2; exit 1");
    const endless = Readable.from(
      (function* () {
        for (;;) yield 'x'.repeat(100_000);
      })(),
    );

    await expect(clientOf(MARIADB, endless)).rejects.toThrow('access denied');
  });

  it('read the credentials from a file that no longer has a name', async () => {
    const work = `cat "\${1#*=}" > ${folder}/read; readlink /proc/$$/fd/3 >&2; exit 1`;
    install('mariadb', 'mariadb from 10.11.6-MariaDB, client 15.2', work);
    const temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;

    await expect(clientOf(MARIADB)).rejects.toThrow('(deleted)');

    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    expect(readFileSync(join(folder, 'read'), 'utf8')).toContain('password="password"');
    expect(readdirSync(folder).toSorted()).toEqual(['mariadb', 'read']);
  });
});

describe('the binary log of a server', () => {
  it.each([
    [{ log_bin: 'OFF' }, false],
    [{ log_bin: 'ON', wsrep_on: 'OFF', log_slave_updates: 'OFF' }, true],
    [{ log_bin: 'ON', wsrep_on: 'ON', log_slave_updates: 'OFF' }, false],
    [{ log_bin: 'ON', wsrep_on: 'ON', log_slave_updates: 'ON' }, true],
  ])('can be replayed with %j: %s', async (variables, hasLog) => {
    const rows = Object.entries(variables).map(([name, value]) => ({ Variable_name: name, Value: value }));

    expect(await serverOf({ query: async () => rows } as never)).toMatchObject({ hasLog });
  });
});
