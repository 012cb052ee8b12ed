import { SERVICE } from '../../../src/domain/access/actor';
import { openAccount } from '../../../src/domain/access/account';
import type { Domain } from '../../../src/domain/registration/domain';
import { removeEndedDomains } from '../../../src/infrastructure/persistence/retention/ended-domains';
import { SqlDesiredStateReader } from '../../../src/infrastructure/persistence/portfolio/sql-desired-states';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { aDomain } from '../../support/data/a-domain';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';

onEachDatabase('the memory of names that are gone', (database) => {
  const [ids, clock] = [new RandomIds(), new MovableClock()];
  const at = clock.now();
  const states = () => new SqlDesiredStateReader(database());
  const storage = () => new SqlUnitOfWork(database(), ids, clock, clock);

  async function anAccount(): Promise<string> {
    const accountId = ids.next('acc');
    await storage().run(({ accounts }) => accounts.add(openAccount(accountId, 'An account', at)));
    return accountId;
  }

  /** A domain with a state, if wanted, and what happens to it. */
  async function aName(
    accountId: string,
    end: (domain: Domain) => void,
    { isPending = false, hasState = true } = {},
  ): Promise<{ readonly domainId: string; readonly name: string }> {
    const domainId = ids.next('dom');
    const name = `${domainId.slice(4).toLowerCase()}.com`;
    const status = isPending ? ('pending' as const) : ('active' as const);
    await storage().run(async ({ domains, zones, desiredStates }) => {
      await domains.add(aDomain({ id: domainId, accountId, name, status, registeredAt: isPending ? null : at }));
      await zones.create(domainId, { actor: SERVICE, at });
      const applied = { zoneVersion: 1, actor: SERVICE, appliedAt: at, driftedAt: null };
      const state = { settings: { tags: ['shop'] } };
      if (hasState) await desiredStates.put({ domainId, accountId, name, state, ...applied });
    });
    await storage().run(async ({ domains }) => {
      const domain = await domains.lockAny(domainId);
      if (!domain) throw new Error('was not stored');
      end(domain);
      await domains.save(domain);
    });
    return { domainId, name };
  }

  const keepZone = (domain: Domain) => {
    domain.setKeepZone(true, at);
    domain.markDeleted(at);
  };

  const remove = (accountId: string) =>
    database().transaction(async (manager) => {
      await manager.query('UPDATE domains SET registrant_erased = 1 WHERE account_id = ?', [accountId]);
      await removeEndedDomains(manager, database(), new Date(at.getTime() + 1), 100);
    });

  it('outlives the domain and its state, and has no name that was never registered', async () => {
    const accountId = await anAccount();
    const registered = await aName(accountId, (domain) => domain.markDeleted(at));
    const refused = await aName(accountId, (domain) => domain.markDeleted(at), { isPending: true });

    await remove(accountId);

    expect(await states().find(accountId, registered.domainId)).toBeUndefined();
    expect(await states().hasGone(accountId, registered.name)).toBe(true);
    expect(await states().hasGone(await anAccount(), registered.name)).toBe(false);
    expect(await states().find(accountId, refused.domainId)).toBeUndefined();
    expect(await states().hasGone(accountId, refused.name)).toBe(false);
  });

  it('has a name whose zone is kept, of which no operation is left', async () => {
    const accountId = await anAccount();
    const { name } = await aName(accountId, keepZone);

    expect(await states().hasGone(accountId, name)).toBe(true);
  });

  it('has a name that never had a state', async () => {
    const accountId = await anAccount();
    const { name } = await aName(accountId, (domain) => domain.markTransferredOut(at), { hasState: false });

    expect(await states().hasGone(accountId, name)).toBe(true);
  });
});
