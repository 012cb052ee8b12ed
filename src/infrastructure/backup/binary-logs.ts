import { readdirSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ValidationError } from '../../domain/shared/validation-error';
import type { BinlogPosition } from './manifest';
import type { MysqlPrograms } from './mysql-programs';

const READ_AT_ONCE = 65_536;

/**
 * The copies of binary logs in a folder that continue a backup, in order. MySQL's are compared by their names only.
 * @throws ValidationError if one is missing, or if they are of another server
 */
export async function copiedLogs(
  programs: MysqlPrograms,
  folder: string,
  { file, position, gtid }: BinlogPosition,
): Promise<readonly string[]> {
  const names = new Set(readdirSync(folder));
  const base = file.replace(/\d+$/, '');
  const nameOf = (number: number): string => `${base}${String(number).padStart(file.length - base.length, '0')}`;
  const numbers = [...names]
    .filter((name) => name.startsWith(base) && /^\d+$/.test(name.slice(base.length)))
    .map((name) => Number(name.slice(base.length)));
  const first = Number(file.slice(base.length));
  const logs: string[] = [];
  for (let number = first; number <= Math.max(first, ...numbers); number += 1) {
    const name = nameOf(number);
    if (!names.has(name))
      throw ValidationError.of(
        'binlogs',
        `has no ${name}: it needs all binary logs from ${file} on, where this backup ends`,
      );
    logs.push(resolve(folder, name));
  }
  if (programs.isMariadb && (gtid === null || (await gtidIn(programs, logs[0] ?? '', position)) !== sorted(gtid)))
    throw ValidationError.of(
      'binlogs',
      `does not continue this backup: its ${file} does not have the GTID ${gtid} at the position ${position}`,
    );
  return logs;
}

/** The last GTID of each replication domain up to a position in a file of MariaDB. */
async function gtidIn(programs: MysqlPrograms, log: string, position: number): Promise<string> {
  const byDomain = new Map<string, string>();
  let isInList = false;
  await programs.run('binlog', {
    args: ['--base64-output=decode-rows', `--stop-position=${position}`, log],
    output: async (output) => {
      for await (const line of createInterface({ input: output })) {
        // The list, of what earlier files have, may have several lines.
        isInList ||= /^#\d{6} .*\tGtid list \[/.test(line);
        const text = isInList ? line : /^#\d{6} .*\tGTID ([\d-]+)/.exec(line)?.[1];
        for (const [gtid, domain = ''] of text?.matchAll(/\b(\d+)-\d+-\d+\b/g) ?? []) byDomain.set(domain, gtid);
        isInList &&= !line.includes(']');
      }
    },
  });
  return sorted([...byDomain.values()].join());
}

function sorted(gtids: string): string {
  return gtids.split(',').toSorted().join();
}

/** Without the log's own sequence numbers, which a server in strict GTID mode has used already. */
export async function* statementsOf(spool: FileHandle): AsyncGenerator<Buffer> {
  for await (const line of linesOf(spool)) if (!line.includes('@@session.gtid_seq_no')) yield line;
}

/** With their ends. Statements are octets. Read without a stream: one that is left early closes the descriptor, which its owner closes again. */
export async function* linesOf(file: FileHandle): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(READ_AT_ONCE), position });
    if (bytesRead === 0) break;
    position += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      yield rest.subarray(start, end + 1);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) yield rest;
}
