import { createReadStream } from 'node:fs';
import { writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { ValidationError } from '../../domain/shared/validation-error';
import type { MysqlLocation } from '../persistence/database/database-location';
import { copiedLogs, linesOf, statementsOf } from './binary-logs';
import { gtidAt, MYSQL_DUMP, serverOf, withConnection } from './mysql-backup';
import { databaseOf, MysqlPrograms, withDatabase } from './mysql-programs';
import type { BackupManifest, BinlogPosition } from './manifest';
import { openUnnamedFile } from './private-files';

/** Marks the statement that ends a restore, because a binary log cannot be replayed across it. */
const SWITCH_MARK = 'namewright backup restore';
const MAX_DATABASE_NAME = 64;

interface LogReplay {
  readonly until: Date;
  /** A folder with copies of the binary logs; the server's own if absent. */
  readonly binlogs?: string | undefined;
}

/** Prepares a restored database beside the target, and moves its tables there in one statement. */
export class MysqlRestore {
  readonly location: MysqlLocation;
  private readonly target: string;
  private readonly beside: string;
  private readonly replaced: string;

  constructor(
    private readonly targetLocation: MysqlLocation,
    suffix: string,
  ) {
    this.target = databaseOf(targetLocation);
    this.beside = `${this.target}_restore_${suffix}`;
    this.replaced = `${this.target}_replaced_${suffix}`;
    if (this.replaced.length > MAX_DATABASE_NAME)
      throw ValidationError.of('DATABASE_URL', 'must have a shorter database name, to restore beside it');
    this.location = withDatabase(targetLocation, this.beside);
  }

  async isTargetEmpty(): Promise<boolean> {
    return withConnection(this.targetLocation, async (source) => (await tablesOf(source, this.target)).length === 0);
  }

  /** @throws Error if a process uses the database; sees those of the same user, and all with the PROCESS privilege */
  async assertUnused(): Promise<void> {
    await withConnection(this.targetLocation, async (source) => {
      const [row] = await source.query<{ count: number | string }[]>(
        'SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = ? AND id <> CONNECTION_ID()',
        [this.target],
      );
      if (Number(row?.count) > 0)
        throw new Error(`${row?.count} connections use the database ${this.target}: stop every process of the service`);
    });
  }

  /** Loads the dump, and then what the binary logs have until a moment. */
  async prepare(backup: string, manifest: BackupManifest, replay: LogReplay | undefined): Promise<void> {
    const server = await withConnection(this.targetLocation, async (source) => {
      // First, so that a missing privilege costs no time.
      if ((await tablesOf(source, this.target)).length > 0) await source.query(`CREATE DATABASE \`${this.replaced}\``);
      await source.query(`CREATE DATABASE \`${this.beside}\``);
      return serverOf(source);
    });
    const programs = new MysqlPrograms(this.targetLocation, server.version);
    const spool = await openUnnamedFile();
    try {
      if (replay) await this.readLogs(programs, spool, manifest, replay);
      await programs.run('client', {
        args: ['--default-character-set=utf8mb4', this.beside],
        input: [createReadStream(join(backup, MYSQL_DUMP)), createGunzip()],
      });
      await this.assertLoaded(manifest);
      if (replay)
        await programs.run('client', {
          args: ['--binary-mode', this.beside],
          input: [Readable.from(statementsOf(spool))],
        });
    } finally {
      await spool.close();
    }
  }

  /** Calls `beforehand` when nothing is left to be checked. Returns where the former tables are now. */
  async switch(beforehand: () => void): Promise<string | undefined> {
    await this.assertUnused();
    beforehand();
    return withConnection(this.targetLocation, async (source) => {
      const [former, restored] = [await tablesOf(source, this.target), await tablesOf(source, this.beside)];
      const moves = [
        ...former.map((table) => `\`${this.target}\`.\`${table}\` TO \`${this.replaced}\`.\`${table}\``),
        ...restored.map((table) => `\`${this.beside}\`.\`${table}\` TO \`${this.target}\`.\`${table}\``),
      ];
      await source.query(`RENAME /* ${SWITCH_MARK} */ TABLE ${moves.join(', ')}`);
      // From here on the database is restored; what is left of the empty one beside it does no harm.
      await source.query(`DROP DATABASE \`${this.beside}\``).catch(() => undefined);
      return former.length > 0 ? this.replaced : undefined;
    });
  }

  /** The databases that killed restores have left beside the target: incomplete ones, and empty ones for former tables. */
  async leftovers(): Promise<readonly string[]> {
    return withConnection(this.targetLocation, async (source) => {
      const rows = await source.query<{ name: string; is_empty: number }[]>(
        'SELECT schema_name AS name, NOT EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = schema_name) AS is_empty FROM information_schema.schemata',
      );
      return rows
        .filter(
          ({ name, is_empty: isEmpty }) =>
            (name.startsWith(`${this.target}_restore_`) && name !== this.beside) ||
            (name.startsWith(`${this.target}_replaced_`) && isEmpty === 1),
        )
        .map(({ name }) => name)
        .toSorted();
    });
  }

  async discard(): Promise<void> {
    await withConnection(this.targetLocation, async (source) => {
      await source.query(`DROP DATABASE IF EXISTS \`${this.beside}\``);
      if ((await tablesOf(source, this.replaced)).length === 0)
        await source.query(`DROP DATABASE IF EXISTS \`${this.replaced}\``);
    });
  }

  /** Into a file first: a server that is restored to writes to the logs that are read. */
  private async readLogs(
    programs: MysqlPrograms,
    spool: FileHandle,
    { position, database_name: former, taken_at: takenAt }: BackupManifest,
    { until, binlogs }: LogReplay,
  ): Promise<void> {
    if (position === null)
      throw ValidationError.of(
        'at',
        'needs a backup of a server with a binary log of all changes (log_bin; with Galera also log_slave_updates)',
      );
    if (until.getTime() < Date.parse(takenAt))
      throw ValidationError.of('at', `must not be before the backup: ${takenAt}`);
    if (until.getTime() > Date.now()) throw ValidationError.of('at', 'must not be in the future');
    const from =
      binlogs === undefined
        ? await this.serverLogs(position, programs.isMariadb)
        : await copiedLogs(programs, binlogs, position);
    await programs.run('binlog', {
      args: [
        `--start-position=${position.position}`,
        `--stop-datetime=${until.toISOString().slice(0, 19).replace('T', ' ')}`,
        `--rewrite-db=${former}->${this.beside}`,
        // MariaDB's program selects by the name in the log, MySQL's by the rewritten one.
        ...(programs.isMariadb ? [`--database=${former}`] : [`--database=${this.beside}`, '--skip-gtids']),
        ...from,
      ],
      output: (statements) => writeFile(spool, statements),
    });
    for await (const line of linesOf(spool))
      if (line.includes(SWITCH_MARK))
        throw ValidationError.of('at', 'is after a later restore: use a backup that was made after that restore');
  }

  private async assertLoaded({ rows }: BackupManifest): Promise<void> {
    await withConnection(this.location, async (source) => {
      for (const [table, expected] of Object.entries(rows)) {
        const [row] = await source.query<{ count: number | string }[]>(`SELECT COUNT(*) AS count FROM \`${table}\``);
        if (Number(row?.count) !== expected)
          throw new Error(`the dump restored ${row?.count} rows of ${table}, and the backup had ${expected}`);
      }
    });
  }

  /** Another server, like another node of a cluster, has other logs of the same names. MySQL cannot tell. */
  private async serverLogs({ file, position, gtid }: BinlogPosition, isMariadb: boolean): Promise<readonly string[]> {
    await withConnection(this.targetLocation, async (source) => {
      if (isMariadb && (gtid === null || (await gtidAt(source, file, position)) !== gtid))
        throw ValidationError.of(
          'at',
          `needs the binary logs from ${file} on, which this server does not have: name a folder with copies by --binlogs`,
        );
    });
    return ['--read-from-remote-server', '--to-last-log', file];
  }
}

async function tablesOf(source: DataSource, database: string): Promise<readonly string[]> {
  const rows = await source.query<{ name: string }[]>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ? AND table_type = 'BASE TABLE' ORDER BY table_name",
    [database],
  );
  return rows.map(({ name }) => name);
}
