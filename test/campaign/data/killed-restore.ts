import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { SeededRandom } from '../../crash/random';
import { startProcess } from '../../support/service/service-process';

const KILLER = './test/crash/child/kill-at-restore-step.cjs';
/** Statements of binary logs have more. */
const MAX_LOG_OCTETS = 20_000;

interface RestoreToKill {
  readonly settings: Record<string, string>;
  /** The folder of the backup. */
  readonly folder: string;
  /** `backup restore` with its arguments. */
  readonly command: readonly string[];
  readonly withLogs: boolean;
}

/** Kills a restore at a random octet of what it imports. Returns where. @throws Error if it ended otherwise */
export async function killDuringImport(
  { settings, folder, command, withLogs }: RestoreToKill,
  random: SeededRandom,
): Promise<string> {
  const dump = join(folder, 'namewright.sql.gz');
  const runs = existsSync(dump)
    ? [`client 1:${random.between(0, gunzipSync(readFileSync(dump)).length - 1)}`]
    : [`copy 1:${random.between(0, readFileSync(join(folder, 'namewright.db')).length - 1)}`];
  if (withLogs) runs.push(`client 2:${random.between(0, MAX_LOG_OCTETS)}`);
  const killAt = random.oneOf(runs as [string, ...string[]]);
  const { code, stdout, stderr } = await startProcess({ ...settings, KILL_AT: killAt }, [
    process.execPath,
    '--require',
    KILLER,
    'dist/cli.js',
    ...command,
  ]).ended;
  if (code !== null)
    throw new Error(`a restore was to be killed at ${killAt}, and ended with ${code}: ${stdout}${stderr}`);
  return killAt;
}

/** What a killed restore has left although the next one named it, and it was dropped as it says; or what was not named. */
export async function dropLeftovers(
  databaseUrl: string,
  leftovers: readonly string[],
  wasKilled: boolean,
): Promise<readonly string[]> {
  if (databaseUrl.startsWith('sqlite:')) {
    const folder = `${databaseUrl.slice('sqlite:'.length)}.restore`;
    return existsSync(folder) ? [`${folder} is left`] : [];
  }
  const connection = await createConnection(databaseUrl);
  try {
    for (const name of leftovers) await connection.query(`DROP DATABASE \`${name}\``);
    const [rows] = await connection.query<RowDataPacket[]>(
      "SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE CONCAT(DATABASE(), '\\_restore\\_%')",
    );
    return [
      ...rows.map(({ name }) => `the database ${String(name)} is left, and not named`),
      ...(wasKilled && leftovers.length === 0 ? ['the database of a killed restore is not named'] : []),
    ];
  } finally {
    await connection.end();
  }
}
