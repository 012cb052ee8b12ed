import { once } from 'node:events';
import type { EntityManager } from 'typeorm';
import type { EventPlace } from '../../../src/domain/access/events/event-id';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SqlEventFeed } from '../../../src/infrastructure/persistence/events/sql-event-feed';
import { SqlEventLog } from '../../../src/infrastructure/persistence/events/sql-event-log';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { describeOrSkip } from '../../support/describe-or-skip';
import { MovableClock } from '../../support/fakes/movable-clock';

const ACCOUNT = 'acc_1';

/** A transaction that is open until it is told to commit. */
interface OpenTransaction {
  readonly commit: () => Promise<void>;
}

describeOrSkip(MYSQL_MISSING)('events of transactions that commit in another order than they insert, on MySQL', () => {
  let mysql: MysqlServer;
  let database: Database;
  beforeAll(async () => {
    mysql = await startMysql();
  });
  beforeEach(async () => {
    database = new Database({ kind: 'mysql', url: await mysql.createDatabase() }, SERVICE_CONTENT);
    await database.open();
  });
  afterEach(() => database.close());
  afterAll(() => mysql.stop());

  /** Resolves when the event is inserted. */
  const begin = async (name: string): Promise<OpenTransaction> => {
    const end = new AbortController();
    const mayEnd = once(end.signal, 'abort');
    let committed: Promise<void> = Promise.resolve();
    await new Promise<void>((inserted) => {
      committed = database.transaction(async (manager) => {
        await insert(manager, name);
        inserted();
        await mayEnd;
      });
    });
    return {
      commit: async () => {
        end.abort();
        await committed;
      },
    };
  };

  const readAfter = (sequence: number) =>
    database.query<{ sequence: number; data: string }>('SELECT sequence, data FROM events WHERE sequence > ?', [
      sequence,
    ]);

  it('would be skipped by a reader that continues after the last AUTO_INCREMENT value that it saw', async () => {
    const [early, late] = [await begin('inserted first'), await begin('inserted second')];

    await late.commit();
    const first = await readAfter(0);
    await early.commit();
    const second = await readAfter(first.at(-1)?.sequence ?? 0);

    expect([...first, ...second].map(({ data }) => JSON.parse(data) as object)).toEqual([{ name: 'inserted second' }]);
  });

  it('are in the feed in commit order if it is read in between, and none is skipped', async () => {
    const feed = new SqlEventFeed(database);
    const [early, late] = [await begin('inserted first'), await begin('inserted second')];

    await late.commit();
    const first = await pageOf(feed);
    await early.commit();
    const second = await pageOf(feed, { feed: first.feed, position: first.readTo });

    expect([...first.events, ...second.events].map(({ position, data }) => [position, data['name']])).toEqual([
      [1, 'inserted second'],
      [2, 'inserted first'],
    ]);
  });

  it('are numbered without waiting for a transaction that is open', async () => {
    const feed = new SqlEventFeed(database);
    const open = await begin('open');

    const whileOpen = await pageOf(feed);
    await open.commit();

    expect(whileOpen.events).toEqual([]);
    expect((await pageOf(feed)).events).toHaveLength(1);
  });

  it('have the same positions for readers that number them at the same time', async () => {
    const transactions = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(begin));
    const feeds = transactions.map(() => new SqlEventFeed(database));

    const [, ...pages] = await Promise.all([
      Promise.all(transactions.map(({ commit }) => commit())),
      ...feeds.map((feed) => pageOf(feed)),
    ]);
    const all = await pageOf(feeds[0] as SqlEventFeed);

    expect(all.events.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    for (const { events } of pages) expect(all.events.slice(0, events.length)).toEqual(events);
  });

  it('are numbered in one transaction for readers of one process that ask at the same time', async () => {
    const feed = new SqlEventFeed(database);
    await (await begin('read by all')).commit();
    // Five connections, so that all readers see an event without a position.
    await Promise.all(Array.from({ length: 5 }, () => database.query('SELECT SLEEP(0.05)')));
    const transactions = jest.spyOn(database, 'transaction');

    const pages = await Promise.all(
      Array.from({ length: 5 }, () => feed.read(ACCOUNT, { types: ['domain.changed'] }, 100)),
    );

    expect(pages).toEqual(
      pages.map(() => expect.objectContaining({ events: [expect.objectContaining({ position: 1 })] })),
    );
    expect(transactions.mock.calls.length).toBeLessThan(pages.length);
  });
});

async function pageOf(feed: SqlEventFeed, after?: EventPlace) {
  const page = await feed.read(ACCOUNT, {}, 100, after);
  if ('removedTo' in page) throw new Error('the position is not in the feed');
  return page;
}

function insert(manager: EntityManager, name: string): Promise<void> {
  return new SqlEventLog(manager, new MovableClock()).append({
    accountId: ACCOUNT,
    at: new Date(0),
    actor: { kind: 'service' },
    type: 'domain.changed',
    domain: null,
    data: { name },
  });
}
