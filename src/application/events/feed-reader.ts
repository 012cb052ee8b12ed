import { inject, injectable } from '../ports/inject';
import type { AccountEvent } from '../../domain/access/events/account-event';
import { EventFeed, type EventFilter, type FeedCursor } from '../ports/access/audit-and-events';
import { UnitOfWork, type StoreName, type Stores } from '../ports/storage/unit-of-work';

interface FeedPart {
  /** Part of the ids of the events. */
  readonly feed: string;
  /** Oldest first; may be empty. */
  readonly events: readonly AccountEvent[];
}

/**
 * Consumes the feed of an account, so that no event is lost or stored twice. A reader's cursor is stored, and moves on in the transaction
 * that stores what its events become (deliveries, mails). Killed before the commit, the events are read again; after it, never again.
 * Processes may read at once: the one that commits first moves the cursor, and the others store nothing. What was stored is then sent
 * from its own table.
 *
 * To use it: add a cursor (`stores.feedCursors.add`, from `latest` on), ask `FeedCursorReader.withNews` which cursors are behind,
 * at an interval and after `EventFeed.onCommit`, and call `readOn` for each until it returns false.
 */
@injectable()
export class FeedReader {
  constructor(
    @inject(EventFeed) private readonly feed: EventFeed,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<StoreName>,
  ) {}

  /** The position of the account's last event, from which a new reader reads on. It wants none of a type, so none is written for it. @throws StorageUnavailable */
  async latest(accountId: string): Promise<number> {
    const page = await this.feed.read(accountId, { types: [] }, 1, 'latest');
    if ('removedTo' in page) return page.removedTo;
    return page.more ? this.latest(accountId) : page.readTo;
  }

  /**
   * Reads at most `limit` events after the cursor, and stores them. Returns whether the feed has more. Events that were removed before
   * they were read are skipped. `store` may be run more than once; if it returns false, the cursor stays. @throws StorageUnavailable
   */
  async readOn(
    cursor: FeedCursor,
    filter: EventFilter,
    limit: number,
    store: (stores: Stores, read: FeedPart) => Promise<boolean>,
  ): Promise<boolean> {
    const { accountId, position } = cursor;
    const page = await this.feed.read(accountId, filter, limit, { position });
    if ('removedTo' in page) return this.readOn({ ...cursor, position: page.removedTo }, filter, limit, store);
    return this.unitOfWork.run(async (stores) => {
      const present = await stores.feedCursors.lock(cursor);
      // Another process has read on, or events were removed before they were read.
      if (!present || present.position > position) return page.more;
      if (!(await store(stores, page))) return false;
      await stores.feedCursors.save({ ...present, position: page.readTo });
      return page.more;
    }, accountId);
  }
}
