import { token } from '../inject';

/** What reads feeds: each kind names its readers by separate ids, such as those of webhooks or accounts. */
export type FeedReaderKind = 'webhook' | 'mail';

export interface FeedReaderName {
  readonly kind: FeedReaderKind;
  readonly readerId: string;
}

/** How far a reader has read the feed of an account. */
export interface FeedCursor extends FeedReaderName {
  readonly accountId: string;
  /** Of the last event that it has read. */
  readonly position: number;
}

/** Within a unit of work. */
export interface FeedCursorRepository {
  add(cursor: FeedCursor): Promise<void>;
  /** Until the end of the unit of work, no one else moves it. */
  lock(name: FeedReaderName): Promise<FeedCursor | undefined>;
  save(cursor: FeedCursor): Promise<void>;
  remove(name: FeedReaderName): Promise<void>;
}

export interface FeedCursorReader {
  find(name: FeedReaderName): Promise<FeedCursor | undefined>;
  /** Those of a kind whose account has later events, in one query; by their ids, after `after`. */
  withNews(kind: FeedReaderKind, limit: number, after?: string): Promise<readonly FeedCursor[]>;
}
export const FeedCursorReader = token<FeedCursorReader>('FeedCursorReader');
