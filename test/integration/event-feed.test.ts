import type { EventPage } from '../../src/application/ports/access/event-log';
import { SqlEventFeed } from '../../src/infrastructure/persistence/events/sql-event-feed';
import { SqlEventLog } from '../../src/infrastructure/persistence/events/sql-event-log';
import { RandomIds } from '../../src/infrastructure/system/random-ids';
import { onEachDatabase } from '../support/databases/each-database';
import { MovableClock } from '../support/fakes/movable-clock';

onEachDatabase('the feed of an account that was never read', (database) => {
  it('finds its last position in several steps if there are many events, and its oldest events nevertheless', async () => {
    const accountId = new RandomIds().next('acc');
    const feed = new SqlEventFeed(database());
    await database().transaction((manager) =>
      new SqlEventLog(manager, new MovableClock()).append({
        accountId,
        at: new Date(0),
        actor: { kind: 'service' },
        type: 'domain.changed',
        domain: null,
        data: {},
      }),
    );
    for (let events = 1; events < 16_384; events *= 2)
      await database().transaction((manager) =>
        manager.query(
          'INSERT INTO events (account_id, happened_at, actor, type, data, retained_from) SELECT account_id, happened_at, actor, type, data, retained_from FROM events WHERE account_id = ?',
          [accountId],
        ),
      );
    const read = async (after?: 'latest') => (await feed.read(accountId, {}, 2, after)) as EventPage;

    const [first, second] = [await read('latest'), await read('latest')];

    expect([first, second]).toMatchObject([
      { events: [], more: true },
      { events: [], readTo: 16_384, more: false },
    ]);
    expect((await read()).events.map(({ position }) => position)).toEqual([1, 2]);
  });
});

onEachDatabase('the feed of an account', (database) => {
  it.each([
    [{}, true],
    [{ types: ['records.changed', 'zone.published'] }, true],
    [{ types: ['records.changed'] }, false],
    [{ types: [] }, false],
    [{ withoutTypes: ['zone.published'] }, false],
  ] as const)('read with %j has zone.published written from then on: %s', async (filter, isWritten) => {
    const accountId = new RandomIds().next('acc');

    await new SqlEventFeed(database()).read(accountId, filter, 1, 'latest');

    const [{ publications_from: from } = { publications_from: null }] = await database().query<{
      publications_from: number | null;
    }>('SELECT publications_from FROM event_feeds WHERE account_id = ?', [accountId]);
    expect(from !== null).toBe(isWritten);
  });
});
