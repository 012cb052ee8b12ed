import type { EntityManager } from 'typeorm';
import type {
  FeedCursor,
  FeedCursorReader,
  FeedCursorRepository,
  FeedReaderKind,
  FeedReaderName,
} from '../../../application/ports/access/audit-and-events';
import type { Queries } from '../database/database';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { FeedCursorTable, type FeedCursorRow } from './event-tables';
import { pendingOf } from './sql-event-feed';

const COLUMNS = columnsOf(FeedCursorTable);

/** A condition: the account of the cursor `c` has events after it. */
export const HAS_NEWS = `(${pendingOf('c.account_id')} OR c.position < (SELECT f.position FROM event_feeds f WHERE f.account_id = c.account_id))`;

export class SqlFeedCursorReader implements FeedCursorReader {
  constructor(private readonly database: Queries) {}

  async find({ kind, readerId }: FeedReaderName): Promise<FeedCursor | undefined> {
    const [row] = await this.database.query<FeedCursorRow>(
      `SELECT ${COLUMNS} FROM feed_cursors WHERE kind = ? AND reader_id = ?`,
      [kind, readerId],
    );
    return row && stateOf(FeedCursorTable, row);
  }

  async withNews(kind: FeedReaderKind, limit: number, after = ''): Promise<readonly FeedCursor[]> {
    const rows = await this.database.query<FeedCursorRow>(
      `SELECT ${columnsOf(FeedCursorTable, { prefix: 'c.' })} FROM feed_cursors c WHERE c.kind = ? AND c.reader_id > ? AND ${HAS_NEWS} ORDER BY c.reader_id LIMIT ?`,
      [kind, after, limit],
    );
    return rows.map((row) => stateOf(FeedCursorTable, row));
  }
}

export class SqlFeedCursorRepository implements FeedCursorRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async add(cursor: FeedCursor): Promise<void> {
    await this.manager.insert(FeedCursorTable, rowOf(FeedCursorTable, cursor));
  }

  async lock({ kind, readerId }: FeedReaderName): Promise<FeedCursor | undefined> {
    const [row] = await this.manager.query<FeedCursorRow[]>(
      `SELECT ${COLUMNS} FROM feed_cursors WHERE kind = ? AND reader_id = ?${this.forUpdate}`,
      [kind, readerId],
    );
    return row && stateOf(FeedCursorTable, row);
  }

  async save({ kind, readerId, position }: FeedCursor): Promise<void> {
    await this.manager.query('UPDATE feed_cursors SET position = ? WHERE kind = ? AND reader_id = ?', [
      position,
      kind,
      readerId,
    ]);
  }

  async remove({ kind, readerId }: FeedReaderName): Promise<void> {
    await this.manager.delete(FeedCursorTable, { kind, reader_id: readerId });
  }
}
