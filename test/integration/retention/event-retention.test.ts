import { addDays } from '../../../src/domain/shared/time/calendar';
import type { EventPlace } from '../../../src/domain/access/events/event-id';
import { SqlEventFeed } from '../../../src/infrastructure/persistence/events/sql-event-feed';
import { SqlEventLog } from '../../../src/infrastructure/persistence/events/sql-event-log';
import { prepareRestored } from '../../../src/infrastructure/backup/prepare-restored';
import { SqlExpiredRows } from '../../../src/infrastructure/persistence/retention/sql-expired-rows';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';

onEachDatabase('clean-up of events', (database) => {
  const ids = new RandomIds();
  let clock: MovableClock;
  let accountId: string;
  beforeEach(() => {
    clock = new MovableClock();
    accountId = ids.next('acc');
  });

  const append = () =>
    database().transaction((manager) =>
      new SqlEventLog(manager, clock).append({
        accountId,
        at: clock.now(),
        actor: { kind: 'service' },
        type: 'domain.changed',
        domain: null,
        data: {},
      }),
    );
  const removeOlderThan = async (days: number) => {
    const rows = new SqlExpiredRows(database());
    while ((await rows.remove('events', addDays(clock.now(), -days), 1)).more);
  };
  const read = (after?: EventPlace) => new SqlEventFeed(database()).read(accountId, {}, 100, after);
  const positions = async (after?: EventPlace) => {
    const page = await read(after);
    return 'events' in page ? page.events.map(({ position }) => position) : page;
  };

  it('removes those of the age, also those that were never read', async () => {
    await append();
    await append();
    clock.advance({ days: 1 });
    await append();

    clock.advance({ days: 29, ms: -1 });
    await removeOlderThan(30);
    const before = await positions();
    clock.advance({ ms: 1 });
    await removeOlderThan(30);

    expect(before).toEqual([1, 2, 3]);
    expect(await positions()).toEqual([3]);
  });

  it('tells a reader that comes too late after which position the feed continues', async () => {
    await append();
    await append();
    const { feed } = await read();
    clock.advance({ days: 30 });
    await removeOlderThan(30);
    await append();

    expect(await positions({ feed, position: 1 })).toEqual({ feed, removedTo: 2 });
    expect(await positions({ feed, position: 2 })).toEqual([3]);
    expect(await positions()).toEqual([3]);
  });

  it('are under other ids after a restore of the database, so that no lost id is given again', async () => {
    await append();
    const before = await read();

    await prepareRestored(database(), clock.now());
    await append();

    const after = await read();
    expect(after.feed).not.toBe(before.feed);
    expect(await positions()).toEqual([1, 2]);
    expect(await positions({ feed: before.feed, position: 1 })).toEqual({ feed: after.feed, removedTo: 0 });
  });

  it('never gives a position twice, even if all events were removed unread', async () => {
    await append();
    clock.advance({ days: 30 });
    await removeOlderThan(30);
    await append();

    expect(await positions()).toEqual([2]);
  });
});
