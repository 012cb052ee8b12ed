import { Domain, type DomainState } from '../../../src/domain/registration/domain';
import { DAY_MS } from '../../../src/domain/shared/time/calendar';
import { groupedBy } from '../../../src/domain/shared/grouped-by';
import { SeededRandom } from '../../crash/random';
import { SEED } from '../../support/seeded';
import { after, anAccount, anAccountWith, fresh, freshDomain, T0, type StorageUnderTest } from '../storage-under-test';

const day = (count: number) => after(count * DAY_MS);
const at = (ms: number, autoRenew = true): Partial<DomainState> => ({ expiresAt: after(ms), autoRenew });

/** What every store of domains must count and find for the overview and for forms. */
export function domainOverviewContract(storage: () => StorageUnderTest): void {
  describe('what the overview shows of domains', () => {
    it('counts by status and omits empty ones', async () => {
      const accountId = await anAccountWith(storage(), {}, {}, { status: 'pending' }, { status: 'transferred_out' });

      expect(await storage().domainQueries.countByStatus(accountId)).toEqual(
        new Map([
          ['active', 2],
          ['pending', 1],
          ['transferred_out', 1],
        ]),
      );
    });

    it('counts expiring domains by spans of days, excluding the end of the range', async () => {
      const accountId = await anAccountWith(
        storage(),
        at(-1),
        at(0),
        at(2 * DAY_MS - 1, false),
        at(2 * DAY_MS),
        at(4 * DAY_MS + 5, false),
        at(6 * DAY_MS - 1),
        at(6 * DAY_MS),
        { ...at(3 * DAY_MS), status: 'expired' },
      );

      expect(await storage().domainQueries.expiring(accountId, T0, after(6 * DAY_MS), 2)).toEqual([
        { from: after(0), renewing: 1, ending: 1 },
        { from: after(2 * DAY_MS), renewing: 1, ending: 0 },
        { from: after(4 * DAY_MS), renewing: 1, ending: 1 },
      ]);
    });

    it('keeps its counts equal to the number of domains under concurrent changes', async () => {
      const random = new SeededRandom(SEED);
      const accountId = await anAccount(storage());
      const ids = Array.from({ length: 8 }, () => fresh('dom_'));
      const randomFacts = (): Partial<DomainState> => ({
        status: random.oneOf(['pending', 'active', 'active', 'expired', 'transferred_out', 'gone']),
        autoRenew: random.oneOf([true, false]),
        expiresAt: after(random.between(-1, 3) * DAY_MS + random.between(0, 5)),
      });
      const change = (id: string, facts: Partial<DomainState>) =>
        storage().unitOfWork.run(async ({ domains }) => {
          const domain = await domains.lockAny(id);
          if (domain) await domains.save(Domain.fromState({ ...domain.toState(), ...facts }));
        });

      await Promise.all(
        ids.map((id) =>
          storage().unitOfWork.run(({ domains }) => domains.add(freshDomain(accountId, { id, ...randomFacts() }))),
        ),
      );
      for (let round = 0; round < 5; round += 1)
        await Promise.all(Array.from({ length: 8 }, () => change(random.oneOf(ids as [string]), randomFacts())));

      const { items: all } = await storage().domainQueries.page(accountId, { order: 'name', descending: false }, 100);
      const statuses = groupedBy(all, ({ status }) => status);
      expect(await storage().domainQueries.countByStatus(accountId)).toEqual(
        new Map([...statuses].map(([status, some]) => [status, some.length])),
      );
      const active = all.filter(({ status, expiresAt }) => status === 'active' && expiresAt >= T0);
      const days = groupedBy(active, ({ expiresAt }) => Math.floor((expiresAt.getTime() - T0.getTime()) / DAY_MS));
      const expected = [...days].map(([day, some]) => ({
        from: after(day * DAY_MS),
        renewing: some.filter(({ autoRenew }) => autoRenew).length,
        ending: some.filter(({ autoRenew }) => !autoRenew).length,
      }));
      expect(await storage().domainQueries.expiring(accountId, T0, after(5 * DAY_MS), 1)).toEqual(
        expected.toSorted((left, right) => left.from.getTime() - right.from.getTime()),
      );
    });

    it('lists the domains that will end, next first', async () => {
      const tag = fresh('n');
      const ending = (name: string, ms: number, overrides: Partial<DomainState> = {}) => ({
        name: `${name}-${tag}.com`,
        expiresAt: after(ms),
        autoRenew: false,
        ...overrides,
      });
      const accountId = await anAccountWith(
        storage(),
        ending('late', 9),
        ending('past', -5),
        ending('soon', 1),
        ending('renewed', 2, { autoRenew: true }),
        ending('expired', 3, { status: 'expired' }),
        ending('after', 10),
      );

      const names = async (limit: number) =>
        (await storage().domainQueries.ending(accountId, after(10), limit)).map(({ name }) => name.split('-')[0]);

      expect(await names(10)).toEqual(['past', 'soon', 'late']);
      expect(await names(2)).toEqual(['past', 'soon']);
    });

    it('lists the domains that the service deletes before their renewal, those of its suffixes and tags only', async () => {
      const tag = fresh('n');
      const deleted = (name: string, expiry: number, overrides: Partial<DomainState> = {}) => ({
        name: name.replace('.', `-${tag}.`),
        expiresAt: day(expiry),
        createdAt: day(-10),
        autoRenew: false,
        registrarRenews: true,
        ...overrides,
      });
      const accountId = await anAccountWith(
        storage(),
        deleted('late.com', 9, { tags: ['shop'] }),
        deleted('soon.co.uk', 1),
        deleted('uk.uk', 2),
        deleted('other.net', 2),
        deleted('renewed.com', 2, { autoRenew: true }),
        deleted('registry.com', 2, { registrarRenews: false }),
        deleted('tagged.com', 5, { tags: ['shop', 'x'] }),
        deleted('came-late.com', 3, { createdAt: day(-2) }),
        deleted('after.com', 10),
      );

      const names = async (limit: number, tags?: readonly string[]) =>
        (
          await storage().domainQueries.ending(accountId, day(10), limit, { days: 5, suffixes: ['com', 'co.uk'] }, tags)
        ).map(({ name }) => name.split(`-${tag}`)[0]);

      expect(await names(10)).toEqual(['soon', 'tagged', 'late']);
      expect(await names(2)).toEqual(['soon', 'tagged']);
      expect(await names(10, ['shop', 'none'])).toEqual(['tagged', 'late']);
    });

    it('finds the active domains that are renewed automatically and expire in a period, the next first', async () => {
      const tag = fresh('n');
      const renewing = (name: string, days: number, overrides: Partial<DomainState> = {}): Partial<DomainState> => ({
        name: `${name}-${tag}.com`,
        expiresAt: after(days),
        ...overrides,
      });
      const accountId = await anAccountWith(
        storage(),
        renewing('late', 9),
        renewing('before', -1),
        renewing('first', 0),
        renewing('off', 2, { autoRenew: false }),
        renewing('expired', 3, { status: 'expired' }),
        renewing('after', 10),
      );

      const found = await storage().domainQueries.renewing(accountId, after(0), after(10), 10);
      const [next] = await storage().domainQueries.renewing(accountId, after(0), after(10), 1);

      expect(found.map(({ name }) => name.split('-')[0])).toEqual(['first', 'late']);
      expect(next).toEqual({ id: found[0]?.id, name: `first-${tag}.com`, status: 'active', expiresAt: after(0) });
    });

    it('finds the domains that another registrar has requested, by deadline, unknown deadlines first', async () => {
      const tag = fresh('n');
      const leaving = (name: string, transferEndsAt: Date | null): Partial<DomainState> => ({
        name: `${name}-${tag}.com`,
        transferPending: true,
        transferRequestedAt: T0,
        transferEndsAt,
      });
      const accountId = await anAccountWith(
        storage(),
        leaving('late', after(9)),
        leaving('unknown', null),
        leaving('soon', after(1)),
        { name: `stays-${tag}.com` },
      );
      await anAccountWith(storage(), { ...leaving('stranger', after(1)) });

      const names = async (limit: number) =>
        (await storage().domainQueries.leaving(accountId, limit)).map(({ name }) => name.split('-')[0]);

      expect(await names(10)).toEqual(['unknown', 'soon', 'late']);
      expect(await names(1)).toEqual(['unknown']);
    });

    it('selects the domains that the account still has', async () => {
      const accountId = await anAccountWith(storage(), { id: fresh('dom_'), name: `${fresh('n')}.com` });
      const [held] = (await storage().domainQueries.page(accountId, { order: 'name', descending: false }, 1)).items;
      const gone = fresh('dom_');
      await storage().unitOfWork.run(({ domains }) =>
        domains.add(freshDomain(accountId, { id: gone, status: 'gone' })),
      );
      const stranger = await anAccountWith(storage(), {});

      expect(await storage().domainQueries.names(accountId, [held!.id, gone, 'dom_unknown'])).toEqual(
        new Map([[held!.id, held!.name]]),
      );
      expect(await storage().domainQueries.names(stranger, [held!.id])).toEqual(new Map());
      expect(await storage().domainQueries.names(accountId, [])).toEqual(new Map());
    });

    it('counts and finds with tags only the domains that have one of them', async () => {
      const tag = fresh('n');
      const [shop, blog, other] = ['shop', 'blog', 'other'].map((label) => ({
        id: fresh('dom_'),
        name: `${label}-${tag}.com`,
        tags: label === 'other' ? ['old'] : [label, 'our'],
        transferPending: true,
        ...at(2 * DAY_MS, label !== 'shop'),
      })) as [DomainState, DomainState, DomainState];
      const accountId = await anAccountWith(storage(), shop, blog, other, { name: `plain-${tag}.com` });
      const { domainQueries } = storage();

      expect(await domainQueries.countByStatus(accountId, ['shop', 'our'])).toEqual(new Map([['active', 2]]));
      expect(await domainQueries.countByStatus(accountId, ['none'])).toEqual(new Map());
      expect(await domainQueries.expiring(accountId, T0, after(5 * DAY_MS), 1, ['our', 'blog'])).toEqual([
        { from: after(2 * DAY_MS), renewing: 1, ending: 1 },
      ]);
      expect((await domainQueries.leaving(accountId, 5, ['our', 'blog'])).map(({ name }) => name).toSorted()).toEqual([
        blog.name,
        shop.name,
      ]);
      expect(await domainQueries.names(accountId, [shop.id, other.id], ['shop', 'blog'])).toEqual(
        new Map([[shop.id, shop.name]]),
      );
      expect(await domainQueries.terms(accountId, 'tag:', 9, ['shop'])).toEqual(['tag:our', 'tag:shop']);
    });

    it('returns the newest domains, except deleted ones', async () => {
      const tag = fresh('n');
      const accountId = await anAccountWith(
        storage(),
        { name: `first-${tag}.com`, createdAt: after(1) },
        { name: `last-${tag}.com`, createdAt: after(3) },
        { name: `gone-${tag}.com`, createdAt: after(4), status: 'gone' },
        { name: `second-${tag}.com`, createdAt: after(2) },
      );

      const newest = await storage().domainQueries.newest(accountId, 2);
      expect(newest.map(({ name }) => name)).toEqual([`last-${tag}.com`, `second-${tag}.com`]);
      expect(await storage().domainQueries.newest(await anAccount(storage()), 2)).toEqual([]);
    });
  });
}
