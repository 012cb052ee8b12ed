import type {
  FeedCursor,
  FeedCursorReader,
  FeedCursorRepository,
  FeedReaderKind,
  FeedReaderName,
} from '../../../../../src/application/ports/access/audit-and-events';
import type { Tables } from '../tables';

const keyOf = ({ kind, readerId }: FeedReaderName) => `${kind} ${readerId}`;

export class InMemoryFeedCursorReader implements FeedCursorReader {
  constructor(private readonly committed: () => Tables) {}

  async find(name: FeedReaderName): Promise<FeedCursor | undefined> {
    return this.committed().feedCursors.get(keyOf(name));
  }

  async withNews(kind: FeedReaderKind, limit: number, after = ''): Promise<readonly FeedCursor[]> {
    const { feedCursors, events } = this.committed();
    return [...feedCursors.values()]
      .filter((cursor) => cursor.kind === kind && cursor.readerId > after)
      .filter(({ accountId, position }) => (events.get(accountId)?.length ?? 0) > position)
      .toSorted((one, other) => (one.readerId < other.readerId ? -1 : 1))
      .slice(0, limit);
  }
}

export class InMemoryFeedCursorRepository implements FeedCursorRepository {
  constructor(private readonly tables: Tables) {}

  async add(cursor: FeedCursor): Promise<void> {
    this.tables.feedCursors.set(keyOf(cursor), cursor);
  }

  async lock(name: FeedReaderName): Promise<FeedCursor | undefined> {
    return this.tables.feedCursors.get(keyOf(name));
  }

  async save(cursor: FeedCursor): Promise<void> {
    this.tables.feedCursors.set(keyOf(cursor), cursor);
  }

  async remove(name: FeedReaderName): Promise<void> {
    this.tables.feedCursors.delete(keyOf(name));
  }
}
