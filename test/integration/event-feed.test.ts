import { openAccount } from '../../src/domain/access/account';
import { addDays } from '../../src/domain/shared/time/calendar';
import type { EventPage } from '../../src/application/ports/access/audit-and-events';
import { SqlEventFeed } from '../../src/infrastructure/persistence/events/sql-event-feed';
import { SqlEventLog } from '../../src/infrastructure/persistence/events/sql-event-log';
import { SqlExpiredRows } from '../../src/infrastructure/persistence/retention/sql-expired-rows';
import { SqlUnitOfWork } from '../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../src/infrastructure/system/random/random-ids';
import { onEachDatabase } from '../support/databases/each-database';
import { MovableClock } from '../support/fakes/movable-clock';
import { aWebhook } from '../support/webhooks/a-webhook';

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
  const ids = new RandomIds();
  const asked = async (accountId: string) => {
    const [row] = await database().query<{ publications_from: number | null }>(
      'SELECT publications_from FROM event_feeds WHERE account_id = ?',
      [accountId],
    );
    return row?.publications_from ?? null;
  };

  it.each([
    [{}, true],
    [{ types: ['records.changed', 'zone.published'] }, true],
    [{ types: ['records.changed'] }, false],
    [{ types: [] }, false],
    [{ withoutTypes: ['zone.published'] }, false],
  ] as const)('read with %j has zone.published written from then on: %s', async (filter, isWritten) => {
    const accountId = ids.next('acc');

    await new SqlEventFeed(database()).read(accountId, filter, 1, 'latest');

    expect((await asked(accountId)) !== null).toBe(isWritten);
  });

  it.each([
    ['no webhook', undefined, false],
    ['a webhook of other events', ['domain.*', 'zone.created'], false],
    ['a webhook of its zones', ['zone.*'], true],
    ['a webhook of all events', null, true],
  ])(
    'with %s that was last read with zone.published 30 days ago has it written: %s',
    async (_with, types, isWritten) => {
      const [accountId, clock] = [ids.next('acc'), new MovableClock()];
      const feed = new SqlEventFeed(database(), undefined, clock);
      const read = () => feed.read(accountId, {}, 1, 'latest');
      const endUnread = () =>
        new SqlExpiredRows(database()).remove('unread publications', addDays(clock.now(), -30), 100);
      await new SqlUnitOfWork(database(), ids, clock, clock).run(async ({ accounts, webhooks }) => {
        await accounts.add(openAccount(accountId, 'An account', clock.now()));
        if (types !== undefined)
          await webhooks.add(aWebhook({ id: `whk_${accountId.slice(4)}`, accountId, types, createdAt: new Date(0) }));
      });
      await read();
      const first = await asked(accountId);
      clock.advance({ days: 29 });
      await read();
      await endUnread();
      expect(await asked(accountId)).toBe(first);

      clock.advance({ days: 30 });
      await endUnread();

      expect((await asked(accountId)) !== null).toBe(isWritten);
      await read();
      expect(await asked(accountId)).not.toBeNull();
    },
  );
});
