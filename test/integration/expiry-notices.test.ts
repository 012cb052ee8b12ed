import { ExpiryNotices } from '../../src/application/lifecycle/expiry-notices';
import { openAccount } from '../../src/domain/access/account';
import type { DomainState } from '../../src/domain/registration/domain';
import { addDays } from '../../src/domain/shared/time/calendar';
import { SqlEventFeed } from '../../src/infrastructure/persistence/events/sql-event-feed';
import { SqlUnitOfWork } from '../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../src/infrastructure/system/random/random-ids';
import { aDomain } from '../support/data/a-domain';
import { onEachDatabase } from '../support/databases/each-database';
import { MovableClock } from '../support/fakes/movable-clock';
import { RecordingLog } from '../support/fakes/recording-log';

onEachDatabase('notices of expiries', (database) => {
  const ids = new RandomIds();
  const clock = new MovableClock();
  let accountId: string;
  beforeEach(async () => {
    accountId = ids.next('acc');
    await unitOfWork().run(({ accounts }) => accounts.add(openAccount(accountId, 'An account', clock.now())));
    await notices().runDue();
  });

  const unitOfWork = () => new SqlUnitOfWork(database(), ids, clock, clock);
  const notices = () => new ExpiryNotices(unitOfWork(), clock, clock, new RecordingLog());
  const addDomain = async (daysLeft: number, overrides: Partial<DomainState> = {}) => {
    const id = ids.next('dom');
    const expiresAt = addDays(clock.now(), daysLeft);
    const domain = aDomain({ id, name: `${id.replace('_', '-')}.com`, accountId, expiresAt, ...overrides });
    await unitOfWork().run(({ domains }) => domains.add(domain));
  };
  const noticed = async () => {
    const page = await new SqlEventFeed(database()).read(accountId, { types: ['domain.expiring'] }, 100);
    return 'events' in page ? page.events.map(({ data }) => data['days']) : [];
  };
  const passDays = async (days: number) => {
    clock.advance({ days });
    await notices().runDue();
  };

  it('come 90, 30, 7 and 1 days before, each once', async () => {
    await addDomain(100);
    const counts: number[] = [];

    for (let day = 0; day < 101; day += 1) {
      await passDays(1);
      await notices().runDue();
      counts.push((await noticed()).length);
    }

    expect(await noticed()).toEqual([90, 30, 7, 1]);
    expect([1, 2, 3, 4].map((count) => counts.indexOf(count) + 1)).toEqual([10, 70, 93, 99]);
  });

  it('are written once by processes that write them at the same time', async () => {
    await addDomain(31);
    clock.advance({ days: 2 });

    await Promise.all(Array.from({ length: 5 }, () => notices().runDue()));

    expect(await noticed()).toEqual([30]);
  });

  it('are only the last one that was missed in an outage, and none of an expired domain', async () => {
    await addDomain(100);
    await addDomain(60);

    await passDays(95);

    expect(await noticed()).toEqual([7]);
  });

  it('are found up to a limit, so that a transaction can be kept short', async () => {
    await addDomain(31);
    await addDomain(31);
    const from = clock.now();
    const to = addDays(from, 2);
    const found = (limit: number) =>
      unitOfWork().run(({ expiryNotices }) => expiryNotices.reached({ from, to, now: to }, [30], limit));

    expect([(await found(1)).length, (await found(3)).length]).toEqual([1, 2]);
  });

  it('are for active domains only', async () => {
    await addDomain(31, { status: 'pending' });

    await passDays(2);

    expect(await noticed()).toEqual([]);
  });

  it('come again for the next term of a renewed domain', async () => {
    await addDomain(31);
    await passDays(2);
    await database().transaction((manager) =>
      manager.query('UPDATE domains SET expires_at = ? WHERE account_id = ?', [
        addDays(clock.now(), 394).getTime(),
        accountId,
      ]),
    );

    await passDays(366);

    expect(await noticed()).toEqual([30, 30]);
  });
});
