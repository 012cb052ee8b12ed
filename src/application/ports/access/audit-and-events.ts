import type { AuditAction, AuditEntry, AuditFact } from '../../../domain/access/audit-entry';
import type { ListPosition } from '../storage/page';
import { token } from '../inject';
import type { AccountEvent, EventFact, EventType } from '../../../domain/access/events/account-event';

/** Within a unit of work: an entry is committed with the change that it describes, or not at all. Only the clean-up of expired rows changes or removes entries. */
export interface AuditLog {
  append(...facts: readonly AuditFact[]): Promise<void>;
}

export interface AuditFilter {
  readonly domainId?: string | undefined;
  /** As `actorText` writes it. */
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly since?: Date | undefined;
  /** Only entries before it. */
  readonly before?: Date | undefined;
  /** By name, so that what became of earlier domains of that name is found, too. */
  readonly domainName?: string | undefined;
  /** Only entries about domains that have one of these tags now. */
  readonly tags?: readonly string[] | undefined;
}

export interface AuditSearch extends Omit<AuditFilter, 'domainName' | 'action'> {
  /** Only entries about domains of these names. */
  readonly domainNames?: readonly string[] | undefined;
  readonly actions?: readonly AuditAction[] | undefined;
  /** Only changes of records of this type. */
  readonly recordType?: string | undefined;
}

/** A part of what a search finds. */
export interface AuditFinds {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The search continues after this position; undefined at its end. */
  readonly searchedTo: ListPosition | undefined;
}

/** Reads committed state. */
export interface AuditReader {
  /** Newest first, starting after (older than) `after`, whose `createdAt` is an entry's `at`. */
  page(accountId: string, filter: AuditFilter, limit: number, after?: ListPosition): Promise<readonly AuditEntry[]>;
  /** As `page`, with several conditions. May return fewer entries, even none, with `searchedTo`, to bound what one call reads. */
  search(accountId: string, search: AuditSearch, limit: number, after?: ListPosition): Promise<AuditFinds>;
}
export const AuditReader = token<AuditReader>('AuditReader');

/** Within a unit of work. `AuditLog` appends the events of its entries itself; this is for what has no entry. */
export interface EventLog {
  append(...facts: readonly EventFact[]): Promise<void>;
}

export interface EventFilter {
  readonly types?: readonly EventType[] | undefined;
  /** All but these. */
  readonly withoutTypes?: readonly EventType[] | undefined;
  readonly domainId?: string | undefined;
  /** Only events about domains of these names. */
  readonly domainNames?: readonly string[] | undefined;
  /** Only events about domains that have one of these tags now. */
  readonly tags?: readonly string[] | undefined;
  /** Events of this type, too, whatever else they are. */
  readonly orType?: EventType | undefined;
  /** Only events about domains. */
  readonly ofDomains?: boolean | undefined;
}

/** A part of an account's feed. */
export interface EventPage {
  readonly feed: string;
  /** Oldest first. */
  readonly events: readonly AccountEvent[];
  /** What was read: all events up to this position that the filter finds are in the pages up to this one. */
  readonly readTo: number;
  /** Whether there are later events, of any kind. */
  readonly more: boolean;
}

/** A position from which the feed cannot be continued: events after it were removed, or the database was restored. */
export interface UnknownPosition {
  readonly feed: string;
  /** The last position that was removed; the feed continues after it. */
  readonly removedTo: number;
}

/**
 * Committed events in commit order: what was read once never has another event before it. The order is decided at the first
 * reading, on whichever replica that is: docs/decisions/0024. @throws StorageUnavailable
 */
export interface EventFeed {
  /**
   * At most `limit` events after a position, or the oldest ones. May return fewer, even none, with `more`, to bound what one call reads.
   * After `latest`, none: the page tells the position of the last event. With `more`, it did not get there, and the call is to be repeated.
   * Positions that are stored in this database need no feed.
   */
  read(
    accountId: string,
    filter: EventFilter,
    limit: number,
    after?: { readonly feed?: string; readonly position: number } | 'latest',
  ): Promise<EventPage | UnknownPosition>;
  /** Calls the listener after each commit of this process that has appended events. */
  onCommit(listener: (accountId: string) => void): void;
  /** Those of the accounts that have events after their position, in one query. */
  haveNews(positions: ReadonlyMap<string, number>): Promise<readonly string[]>;
}
export const EventFeed = token<EventFeed>('EventFeed');

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
