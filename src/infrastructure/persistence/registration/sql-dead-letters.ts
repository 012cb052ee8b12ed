import { createHash } from 'node:crypto';
import { LessThanOrEqual, type EntityManager } from 'typeorm';
import {
  MAX_DEAD_LETTERS,
  type DeadLetter,
  type DeadLetterReader,
  type DeadLetters,
} from '../../../application/ports/registry/registries';
import type { Queries } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { DeadLetterTable, type DeadLetterRow } from './registrar-tables';

const COLUMNS = columnsOf(DeadLetterTable);

export class SqlDeadLetters implements DeadLetters {
  constructor(private readonly manager: EntityManager) {}

  async keep(letter: DeadLetter): Promise<boolean> {
    const { registry, messageId } = letter;
    try {
      const row = rowOf(DeadLetterTable, letter, { message_digest: digestOf(messageId) });
      await this.manager.insert(DeadLetterTable, row);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
    const [oldest] = await this.manager.query<{ readonly received_at: number }[]>(
      'SELECT received_at FROM dead_letters WHERE registry = ? ORDER BY received_at DESC LIMIT 1 OFFSET ?',
      [registry, MAX_DEAD_LETTERS],
    );
    if (oldest)
      await this.manager.delete(DeadLetterTable, { registry, received_at: LessThanOrEqual(oldest.received_at) });
    return true;
  }
}

export class SqlDeadLetterReader implements DeadLetterReader {
  constructor(private readonly database: Queries) {}

  async latest(limit: number): Promise<readonly DeadLetter[]> {
    return (
      await this.database.query<DeadLetterRow>(
        `SELECT ${COLUMNS} FROM dead_letters ORDER BY received_at DESC, registry, message_digest LIMIT ?`,
        [limit],
      )
    ).map(toMessage);
  }

  async find(registry: string, messageId: string): Promise<DeadLetter | undefined> {
    const rows = await this.database.query<DeadLetterRow>(
      `SELECT ${COLUMNS} FROM dead_letters WHERE registry = ? AND message_digest = ?`,
      [registry, digestOf(messageId)],
    );
    return rows.map(toMessage)[0];
  }
}

/** Ids are of any length, a key is not. */
function digestOf(messageId: string): string {
  return createHash('sha256').update(messageId).digest('hex');
}

function toMessage(row: DeadLetterRow): DeadLetter {
  const { id: messageId } = JSON.parse(row.message) as { readonly id: string };
  return { messageId, ...stateOf(DeadLetterTable, row) };
}
