import type { FeedReaderKind } from '../../../application/ports/access/audit-and-events';
import type { EventData, EventType } from '../../../domain/access/events/account-event';
import { actor } from '../access/actor-column';
import {
  bigint,
  instant,
  integer,
  json,
  key,
  named,
  notInState,
  nullable,
  partOf,
  sequence,
  varchar,
} from '../database/columns';
import { table, type RowOf } from '../database/table';

/** Events outlive domains and keys, so no foreign key refers to those. */
export const EventTable = table(
  'events',
  {
    /** In the order of insertion, which is not the order of commits. */
    sequence: sequence(),
    account_id: varchar(40),
    /** In the account's feed; NULL until the feed is read. */
    position: notInState(nullable(bigint())),
    happened_at: named('at', instant()),
    actor: actor(),
    type: varchar<EventType>(40),
    domain_id: partOf('domain', 'id', nullable(varchar(40))),
    domain_name: partOf('domain', 'name', nullable(varchar(253))),
    data: json<EventData>(),
    /** Retention counts from it, in the time in which domains live. */
    retained_from: notInState(instant()),
  },
  { indices: { events_in_order: ['account_id', 'position'], events_by_retention: ['retained_from'] } },
);
export type EventRow = RowOf<typeof EventTable>;

/** How far the events of an account are numbered. Only readers lock it. */
export const EventFeedTable = table('event_feeds', {
  account_id: key(varchar(40)),
  /** Part of the ids of its events. */
  feed: varchar(10),
  /** The last that was given to an event. */
  position: bigint(),
  /** The last event that was removed. */
  removed_to: bigint(),
  /** Changes of zones since then have an event once they are published; NULL if no one reads such events. */
  publications_from: nullable(bigint()),
  /** When it was last read with such events, to a day. */
  publications_asked_at: nullable(bigint()),
});
/** One row. */
export const ExpiryNoticeTable = table('expiry_notices', {
  id: key(integer()),
  /** In the time in which domains live. */
  noticed_until: instant(),
});
export type EventFeedRow = RowOf<typeof EventFeedTable>;

/** How far the readers of feeds have read. */
export const FeedCursorTable = table('feed_cursors', {
  kind: key(varchar<FeedReaderKind>(20)),
  reader_id: key(varchar(40)),
  account_id: varchar(40),
  /** The last event that was read. */
  position: bigint(),
});
export type FeedCursorRow = RowOf<typeof FeedCursorTable>;
