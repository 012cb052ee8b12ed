import { FeedReader } from '../../../src/application/events/feed-reader';
import type { FeedCursor } from '../../../src/application/ports/access/audit-and-events';
import type { EventFact } from '../../../src/domain/access/events/account-event';
import { anAccount, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const EVENT: Omit<EventFact, 'accountId' | 'data'> = {
  at: T0,
  actor: { kind: 'service' },
  type: 'domain.renewed',
  domain: null,
};

/** What every feed and every store of cursors must do for the readers of feeds. */
export function feedReaderContract(storage: () => StorageUnderTest): void {
  const feedReader = () => new FeedReader(storage().eventFeed, storage().unitOfWork);
  const append = (accountId: string, ...numbers: readonly number[]) =>
    storage().unitOfWork.run(({ events }) =>
      events.append(...numbers.map((number) => ({ ...EVENT, accountId, data: { number } }))),
    );
  const aReader = async (accountId: string): Promise<FeedCursor> => {
    const position = await feedReader().latest(accountId);
    const cursor = { kind: 'mail', readerId: fresh('reader_'), accountId, position } as const;
    await storage().unitOfWork.run(({ feedCursors }) => feedCursors.add(cursor));
    return cursor;
  };
  const present = async (cursor: FeedCursor) => (await storage().feedCursors.find(cursor)) ?? cursor;
  const isBehind = async (cursor: FeedCursor) =>
    (await storage().feedCursors.withNews('mail', 100)).some(({ readerId }) => readerId === cursor.readerId);
  const readOn = async (cursor: FeedCursor, { limit = 100, failing = false, refused = false } = {}) => {
    const read: unknown[] = [];
    const more = await feedReader().readOn(cursor, {}, limit, async (_stores, { events }) => {
      read.push(...events.map(({ data }) => data['number']));
      if (failing) throw new Error('the store failed');
      return !refused;
    });
    return { read, more };
  };

  describe('a reader of a feed', () => {
    it('reads events again that were refused', async () => {
      const accountId = await anAccount(storage());
      const cursor = await aReader(accountId);
      await append(accountId, 1, 2);

      expect(await readOn(cursor, { limit: 1, refused: true })).toEqual({ read: [1], more: false });
      expect(await readOn(await present(cursor))).toMatchObject({ read: [1, 2] });
    });

    it('reads what is committed after its cursor, in parts, each event once', async () => {
      const accountId = await anAccount(storage());
      await append(accountId, 1, 2);
      const cursor = await aReader(accountId);
      expect(await isBehind(cursor)).toBe(false);

      await append(accountId, 3, 4, 5);

      expect(await isBehind(cursor)).toBe(true);
      expect(await readOn(cursor, { limit: 2 })).toEqual({ read: [3, 4], more: true });
      expect(await readOn(await present(cursor), { limit: 2 })).toEqual({ read: [5], more: false });
      expect(await isBehind(cursor)).toBe(false);
    });

    it('reads events again that could not be stored', async () => {
      const accountId = await anAccount(storage());
      const cursor = await aReader(accountId);
      await append(accountId, 1);

      await expect(readOn(cursor, { failing: true })).rejects.toThrow('the store failed');

      expect(await readOn(await present(cursor))).toMatchObject({ read: [1] });
    });

    it('stores nothing if another process has moved its cursor, or it was removed', async () => {
      const accountId = await anAccount(storage());
      const cursor = await aReader(accountId);
      await append(accountId, 1);
      await readOn(cursor);

      expect(await readOn(cursor)).toMatchObject({ read: [] });
      await storage().unitOfWork.run(({ feedCursors }) => feedCursors.remove(cursor));
      expect(await readOn(cursor)).toMatchObject({ read: [] });
      expect(await storage().feedCursors.find(cursor)).toBeUndefined();
    });
  });
}
