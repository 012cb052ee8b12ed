import { openAccount } from '../../../src/domain/access/account';
import { addDays } from '../../../src/domain/shared/time/calendar';
import { DomainNotFound } from '../../../src/domain/shared/domain-errors';
import { StoredFigures } from '../../../src/infrastructure/monitoring/stored-figures';
import { SqlDomainQueries } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-queries';
import { SqlRenewalPrices } from '../../../src/infrastructure/persistence/registration/sql-renewal-prices';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { aDomain } from '../../support/data/a-domain';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';

const ACCOUNT = 'acc_counts';
const UNITS = 200;
const AT_ONCE = 10;

onEachDatabase('the counts of an account whose domains expire on the same day', (database) => {
  it('do not make concurrent registrations deadlock, half of which are rolled back', async () => {
    const ids = new RandomIds();
    const clock = new MovableClock();
    const unitOfWork = new SqlUnitOfWork(database(), ids, clock, clock);
    await unitOfWork.run(({ accounts }) => accounts.add(openAccount(ACCOUNT, 'An account', clock.now())));
    let runs = 0;
    const register = async (index: number): Promise<void> => {
      const unit = unitOfWork.run(async ({ domains, zones }) => {
        runs += 1;
        const domain = aDomain({
          id: ids.next('dom'),
          accountId: ACCOUNT,
          name: `name-${index}.com`,
          expiresAt: addDays(clock.now(), 1 + Math.floor(index / AT_ONCE)),
        });
        await domains.add(domain);
        await zones.create(domain.id, { actor: { kind: 'service' }, at: clock.now() });
        if (index % 2 === 0) throw new DomainNotFound();
      });
      if (index % 2 === 0) await expect(unit).rejects.toThrow(DomainNotFound);
      else await unit;
    };

    for (let from = 0; from < UNITS; from += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => register(from + offset)));

    expect(runs).toBe(UNITS);
    expect(await new SqlDomainQueries(database()).countByStatus(ACCOUNT)).toEqual(new Map([['active', UNITS / 2]]));
    const notRenewed = async (...selfRenewing: readonly string[]) =>
      (await new StoredFigures(database(), 'sqlite', selfRenewing).domains(clock.now())).notRenewed;
    expect(await notRenewed()).toBe(30);
    expect(await notRenewed('net', 'uk.com')).toBe(30);
    expect(await notRenewed('com')).toBe(0);
  });
});

onEachDatabase('renewal prices', (database) => {
  it('are found by domain, and replaced when they are saved again', async () => {
    const prices = new SqlRenewalPrices(database());
    const [first, second] = [new Date(1_000), new Date(2_000)];
    const price = { minor: 1_044, currency: 'USD' };
    await prices.save(ACCOUNT, [
      { domainId: 'dom_b', price: null, checkedAt: first },
      { domainId: 'dom_a', price, checkedAt: first },
    ]);
    await prices.save(ACCOUNT, [{ domainId: 'dom_b', price, checkedAt: second }]);

    const found = await prices.find(['dom_a', 'dom_b', 'dom_unknown']);

    expect(found.toSorted((one, other) => one.domainId.localeCompare(other.domainId))).toEqual([
      { domainId: 'dom_a', price, checkedAt: first },
      { domainId: 'dom_b', price, checkedAt: second },
    ]);
    expect(await prices.find([])).toEqual([]);
  });
});
