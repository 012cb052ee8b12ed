import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { addDays } from '../../../src/domain/shared/time/calendar';
import { Domain } from '../../../src/domain/registration/domain';
import { openAccount } from '../../../src/domain/access/account';
import type { Stores } from '../../../src/application/ports/storage/unit-of-work';
import { SqlExpiredRows } from '../../../src/infrastructure/persistence/retention/sql-expired-rows';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { SeededRandom } from '../../crash/random';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';

const UNITS = 400;
const AT_ONCE = 8;
/** Few, so that units meet at the same names. */
const NAMES = 12;

class RolledBack extends Error {}
/** What MySQL says; the engine repeats the unit. */
class Deadlock extends Error {
  readonly code = 'ER_LOCK_DEADLOCK';
}

onEachDatabase('the counts of zones that are created, verified, withdrawn, deleted and erased at once', (database) => {
  it('are those of the rows at every moment, with units that are repeated or rolled back', async () => {
    const random = new SeededRandom(1);
    const ids = new RandomIds();
    const clock = new MovableClock();
    const unitOfWork = new SqlUnitOfWork(database(), ids, clock, clock);
    const accountId = ids.next('acc');
    await unitOfWork.run(({ accounts }) => accounts.add(openAccount(accountId, 'An account', clock.now())));
    const living: string[] = [];
    const by = { actor: { kind: 'service' }, at: clock.now() } as const;

    const create = async ({ accounts, domains, zones }: Stores, id: string) => {
      await accounts.lock(accountId);
      const name = `zone-${random.between(1, NAMES)}.example`;
      const isVerified = random.next() < 0.3;
      const domain = Domain.host({ id, accountId, name, nameservers: [], isVerified }, clock.now());
      await domains.add(domain);
      await zones.create(id, by);
    };
    const change = async ({ domains }: Stores, id: string) => {
      const domain = await domains.lock(accountId, id);
      if (!domain) return;
      if (random.next() < 0.3) domain.removeZone(clock.now());
      else if (domain.status === 'unverified') domain.verify(clock.now());
      else domain.withdraw(clock.now());
      await domains.save(domain);
    };
    const unit = async (): Promise<void> => {
      const drawn = random.next();
      if (drawn < 0.1)
        return void (await new SqlExpiredRows(database()).remove('personal data', addDays(clock.now(), 1), 100));
      const isCreation = drawn < 0.5 || living.length === 0;
      const id = isCreation ? ids.next('dom') : (living[random.between(0, living.length - 1)] ?? '');
      const [isRolledBack, isRepeated] = [random.next() < 0.2, random.next() < 0.2];
      let runs = 0;
      const running = unitOfWork.run(async (stores) => {
        runs += 1;
        await (isCreation ? create(stores, id) : change(stores, id));
        if (isRepeated && runs === 1) throw new Deadlock();
        if (isRolledBack) throw new RolledBack();
      });
      // A name that is taken, and SQLite, which knows no deadlocks, end a unit, too.
      const isCommitted = await running.then(
        () => true,
        () => false,
      );
      if (isCreation && isCommitted) living.push(id);
    };
    const differing = async () =>
      database().query<object>(
        `SELECT * FROM (SELECT s.status,
          (SELECT COALESCE(SUM(amount), 0) FROM domain_counts WHERE account_id = ? AND status = s.status) AS counted,
          (SELECT COUNT(*) FROM domains WHERE account_id = ? AND status = s.status) AS stored
          FROM (SELECT 'unverified' AS status UNION ALL SELECT 'hosted') s) compared WHERE counted <> stored`,
        [accountId, accountId],
      );

    const state = { left: UNITS };
    const found: object[] = [];
    const work = async (): Promise<void> => {
      while (state.left > 0) {
        state.left -= 1;
        await unit();
      }
    };
    const watch = async (): Promise<void> => {
      for (; state.left > 0; await yieldToEventLoop()) found.push(...(await differing()));
    };
    await Promise.all([watch(), ...Array.from({ length: AT_ONCE }, work)]);

    expect([...found, ...(await differing())]).toEqual([]);
    const [{ ended } = { ended: 0 }] = await database().query<{ ended: number }>(
      "SELECT COUNT(*) AS ended FROM domains WHERE account_id = ? AND status = 'gone'",
      [accountId],
    );
    expect(living.length - ended).toBeGreaterThan(0);
    expect(ended).toBeGreaterThan(10);
  });
});
