import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, constants } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { mysqlMigrationsDataSource } from '../persistence/database/data-source';
import type { MysqlLocation } from '../persistence/database/database-location';
import { connectingTo } from '../persistence/database/mysql/connecting-to';
import { DumpRows } from './dump-rows';
import type { BinlogPosition } from './manifest';
import { MysqlPrograms } from './mysql-programs';
import { syncPath } from './private-files';

export const MYSQL_DUMP = 'namewright.sql.gz';
const POSITION = /(?:MASTER|SOURCE)_LOG_FILE='([^']+)', (?:MASTER|SOURCE)_LOG_POS=(\d+);/;
/** The position is in the first lines of a dump. */
const HEADER_OCTETS = 4_096;

interface DumpFacts {
  readonly rows: Readonly<Record<string, number>>;
  /** Null if the server writes no binary log. */
  readonly position: BinlogPosition | null;
  readonly schemaVersion: string;
  readonly server: string;
  readonly databaseName: string;
  /** Undefined in a database that was never served. */
  readonly keyProof: string | undefined;
}

/** Dumps the database of one moment, while it is written. Locks nothing. */
export async function dumpMysql(location: MysqlLocation, folder: string): Promise<DumpFacts> {
  return withConnection(location, async (source) => {
    const server = await serverOf(source);
    const programs = new MysqlPrograms(location, server.version);
    const positionOption = programs.isMariadb ? '--master-data=2' : '--source-data=2';
    const file = join(folder, MYSQL_DUMP);
    const rows = new DumpRows();
    let header = '';
    const dumping = programs.run('dump', {
      args: [
        '--single-transaction',
        '--quick',
        '--skip-lock-tables',
        '--hex-blob',
        '--default-character-set=utf8mb4',
        ...(server.hasLog ? [positionOption] : []),
        // GTIDs of MySQL can only be set on an empty server; tablespaces need the privilege PROCESS.
        ...(programs.isMariadb ? [] : ['--set-gtid-purged=OFF', '--no-tablespaces']),
        programs.database,
      ],
      output: (output) =>
        pipeline(
          output,
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              if (header.length < HEADER_OCTETS) header += chunk.toString('latin1');
              rows.add(chunk);
              yield chunk;
            }
          },
          createGzip({ level: constants.Z_BEST_SPEED }),
          createWriteStream(file, { mode: 0o600 }),
        ),
    });
    await dumping.catch((error: unknown) => {
      throw explainFailedDump(error);
    });
    syncPath(file);
    const [, logFile, position] = POSITION.exec(header) ?? [];
    if (server.hasLog && logFile === undefined)
      throw new Error('the dump does not name its position in the binary log');
    return {
      rows: rows.rows,
      position:
        logFile === undefined
          ? null
          : { file: logFile, position: Number(position), gtid: await gtidAt(source, logFile, Number(position)) },
      schemaVersion: await newestMigration(source),
      server: server.version,
      databaseName: programs.database,
      keyProof: await keyProofOf(source),
    };
  });
}

/** ER_TABLE_DEF_CHANGED: a snapshot does not have the former definition of a table that a migration has changed since. */
export function explainFailedDump(error: unknown): unknown {
  if (!/\bError 1412\b/.test(String(error))) return error;
  return new Error(
    'a migration changed a table that was not read yet: back up again when the new version has started',
    {
      cause: error,
    },
  );
}

/** Counts the rows in a dump. */
export async function rowsOfDump(folder: string): Promise<Readonly<Record<string, number>>> {
  const rows = new DumpRows();
  const output = new PassThrough().on('data', (chunk: Buffer) => rows.add(chunk));
  await pipeline(createReadStream(join(folder, MYSQL_DUMP)), createGunzip(), output);
  return rows.rows;
}

export async function withConnection<T>(location: MysqlLocation, use: (source: DataSource) => Promise<T>): Promise<T> {
  const source = mysqlMigrationsDataSource(location, {});
  await connectingTo(location.url, source.initialize());
  try {
    return await use(source);
  } finally {
    await source.destroy();
  }
}

export interface MysqlServer {
  readonly version: string;
  /** Whether it writes a binary log of all changes. A node of Galera may leave out those of other nodes. */
  readonly hasLog: boolean;
}

export async function serverOf(source: DataSource): Promise<MysqlServer> {
  const rows = await source.query<{ Variable_name: string; Value: string }[]>(
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'log_bin', 'wsrep_on', 'log_slave_updates')",
  );
  const variables = new Map(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value]));
  const isOn = (name: string): boolean => variables.get(name) === 'ON';
  return {
    version: variables.get('version') ?? '',
    hasLog: isOn('log_bin') && (!isOn('wsrep_on') || isOn('log_slave_updates')),
  };
}

/** Null on MySQL, or if the server no longer has the log. */
export async function gtidAt(source: DataSource, file: string, position: number): Promise<string | null> {
  try {
    const [row] = await source.query<{ gtid: string | null }[]>('SELECT BINLOG_GTID_POS(?, ?) AS gtid', [
      file,
      position,
    ]);
    return row?.gtid ?? null;
  } catch {
    return null;
  }
}

async function keyProofOf(source: DataSource): Promise<string | undefined> {
  const [row] = await source.query<{ sealed: string }[]>('SELECT sealed FROM secret_key_proof');
  return row?.sealed;
}

async function newestMigration(source: DataSource): Promise<string> {
  const [row] = await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1');
  return row?.name ?? '';
}
