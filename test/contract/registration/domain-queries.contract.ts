import type { SortedList, SortedPosition } from '../../../src/application/ports/registration/domain-queries';
import type { DomainFilter } from '../../../src/application/ports/registration/domain-repository';
import { checkOf, type HealthState } from '../../../src/domain/health/health-check';
import { reportOf } from '../../../src/domain/health/health-report';
import { Domain, type DomainState } from '../../../src/domain/registration/domain';
import { DAY_MS } from '../../../src/domain/shared/calendar';
import { groupedBy } from '../../../src/domain/shared/grouped-by';
import { toAsciiName } from '../../../src/domain/shared/idna';
import { SeededRandom } from '../../crash/random';
import { SEED } from '../../support/seeded';
import { after, allOf, anAccount, fresh, freshDomain, T0, type StorageUnderTest } from '../storage-under-test';

const BY_NAME: SortedList = { order: 'name', descending: false };
const BY_EXPIRY: SortedList = { order: 'expiry', descending: false };

const at = (ms: number, autoRenew = true): Partial<DomainState> => ({ expiresAt: after(ms), autoRenew });

const having = (...terms: readonly string[]) => ({ terms: terms.map((term) => ({ anyOf: [term] })) });

/** What every survey of domains must do. */
export function domainQueriesContract(storage: () => StorageUnderTest): void {
  /** Domains of a new account, whose id is answered. */
  async function anAccountWith(...domains: readonly Partial<DomainState>[]): Promise<string> {
    const accountId = await anAccount(storage());
    await storage().unitOfWork.run(async (stores) => {
      for (const overrides of domains) await stores.domains.add(freshDomain(accountId, overrides));
    });
    return accountId;
  }
  async function namesByTwos(accountId: string, list: SortedList): Promise<string[]> {
    const domains = await allOf<DomainState>(async (last) => {
      const after = last && { value: list.order === 'name' ? last.name : last.expiresAt.getTime(), id: last.id };
      return (await storage().domainQueries.page(accountId, list, 2, after)).items;
    });
    return domains.map(({ name }) => name);
  }

  describe('domain queries', () => {
    it('pages by name in both directions without duplicates or gaps, including earlier domains of a name', async () => {
      const tag = fresh('n');
      const names = ['b', 'a', 'c', 'd'].map((first) => `${first}-${tag}.com`);
      const accountId = await anAccountWith(...names.map((name) => ({ name })), {
        name: names[0]!,
        status: 'transferred_out',
      });
      const sorted = [names[1], names[0], names[0], names[2], names[3]];

      expect(await namesByTwos(accountId, BY_NAME)).toEqual(sorted);
      expect(await namesByTwos(accountId, { ...BY_NAME, descending: true })).toEqual(sorted.toReversed());
    });

    it('pages by expiry in both directions, even if many expire at the same instant', async () => {
      const tag = fresh('n');
      const moments = [3, 1, 2, 2, 2];
      const accountId = await anAccountWith(
        ...moments.map((at, index) => ({ name: `${index}-${tag}.com`, expiresAt: after(at) })),
      );
      const sorted = [1, 2, 3, 4, 0].map((index) => `${index}-${tag}.com`);

      expect(await namesByTwos(accountId, BY_EXPIRY)).toEqual(sorted);
      expect(await namesByTwos(accountId, { ...BY_EXPIRY, descending: true })).toEqual(sorted.toReversed());
    });

    it('filters by status and by part of a name, taken literally', async () => {
      const tag = fresh('x');
      const accountId = await anAccountWith(
        { name: `${tag}-shop.com` },
        { name: `${tag}-shop.net`, status: 'expired' },
        { name: `${tag}-blog.net`, status: 'expired' },
      );
      const names = async (filter: Partial<SortedList>) =>
        (await storage().domainQueries.page(accountId, { ...BY_NAME, ...filter }, 10)).items.map(({ name }) => name);

      expect(await names({ status: 'expired' })).toEqual([`${tag}-blog.net`, `${tag}-shop.net`]);
      expect(await names({ nameContains: 'shop' })).toEqual([`${tag}-shop.com`, `${tag}-shop.net`]);
      expect(await names({ status: 'expired', nameContains: 'shop' })).toEqual([`${tag}-shop.net`]);
      expect(await names({ nameContains: '%' })).toEqual([]);
      expect(await names({ nameContains: '_' })).toEqual([]);
    });

    it('filters by terms that combine, by their absence and by expiry, and counts the matches', async () => {
      const tag = fresh('x');
      const accountId = await anAccountWith(
        { name: `one-${tag}.com`, tags: ['shop'], autoRenew: false, expiresAt: after(1) },
        { name: `two-${tag}.com`, tags: ['shop', 'old'], nameservers: ['ns1.a.example', 'ns2.a.example'] },
        { name: `three-${tag}.net`, transferLocked: false },
        { name: `gone-${tag}.com`, tags: ['shop'], status: 'gone' },
      );
      const found = async (filter: DomainFilter) => {
        const { items } = await storage().domainQueries.page(accountId, { ...BY_NAME, ...filter }, 10);
        expect(await storage().domainQueries.count(accountId, filter, 10)).toBe(items.length);
        return items.map(({ name }) => name.split('-')[0]).join();
      };

      expect(await found(having('tag:shop'))).toBe('one,two');
      expect(await found(having('tag:shop', 'renew:off'))).toBe('one');
      expect(await found({ ...having('tag:shop'), status: 'expired' })).toBe('');
      expect(await found({ ...having('tag:shop'), nameContains: 'two' })).toBe('two');
      expect(await found({ terms: [{ anyOf: ['tag:old', 'lock:off'] }] })).toBe('three,two');
      expect(await found({ terms: [{ anyOf: ['ns:ns1.a.example'], not: true }] })).toBe('one,three');
      expect(await found({ expiresBefore: after(2) })).toBe('one');
      expect(await found({ expiresFrom: after(2) })).toBe('three,two');
      expect(await found({ expiresFrom: after(1), expiresBefore: after(2) })).toBe('one');
      expect(await found({ expiresFrom: after(0), expiresBefore: after(1) })).toBe('');
      expect(await storage().domainQueries.terms(accountId, 'tag:', 10)).toEqual(['tag:old', 'tag:shop']);
      expect(await storage().domainQueries.terms(accountId, 'tag:', 1)).toEqual(['tag:old']);
      expect(await storage().domainQueries.count(accountId, having('tld:com'), 1)).toBeUndefined();
    });

    it('follows a change of tags, nameservers and switches, and forgets a deleted domain', async () => {
      const domain = freshDomain(await anAccountWith(), { tags: ['old'] });
      const { id, accountId } = domain.toState();
      await storage().unitOfWork.run(({ domains }) => domains.add(domain));
      const change = (apply: (changed: typeof domain) => void) =>
        storage().unitOfWork.run(async ({ domains }) => {
          const locked = (await domains.lock(accountId, id))!;
          apply(locked);
          await domains.save(locked);
        });
      const terms = () => storage().domainQueries.terms(accountId, '', 20);

      await change((each) => {
        each.setTags(['new'], after(1));
        each.delegateTo(['ns9.a.example'], after(1));
        each.setAutoRenew(false, after(1));
      });
      expect(await terms()).toEqual(expect.arrayContaining(['ns:ns9.a.example', 'renew:off', 'tag:new']));
      expect(await terms()).not.toContain('tag:old');
      await change((each) => each.markDeleted(after(2)));
      expect(await terms()).toEqual([]);
    });

    it('sorts by the first nameserver and the first tag, and follows their changes', async () => {
      const tag = fresh('n');
      const accountId = await anAccountWith(
        { name: `a-${tag}.com`, nameservers: ['b.example', 'a.example'], tags: ['x', 'y'] },
        { name: `b-${tag}.com`, nameservers: ['a.example', 'b.example'], tags: [] },
        { name: `c-${tag}.com`, nameservers: ['c.example', 'a.example'], tags: ['a', 'z'] },
      );
      const sorted = async (order: SortedList['order']) => {
        const { items } = await storage().domainQueries.page(accountId, { order, descending: false }, 5);
        return items.map(({ name }) => name[0]).join('');
      };
      expect([await sorted('nameservers'), await sorted('tags')]).toEqual(['bac', 'bca']);

      const { items } = await storage().domainQueries.page(accountId, BY_NAME, 1);
      await storage().unitOfWork.run(async ({ domains }) => {
        const first = (await domains.lock(accountId, items[0]!.id))!;
        first.delegateTo(['d.example', 'a.example'], after(1));
        first.setTags([], after(1));
        await domains.save(first);
      });
      expect([await sorted('nameservers'), (await sorted('tags')).at(-1)]).toEqual(['bca', 'c']);
    });

    it('sorts by health, problems first and unchecked domains last', async () => {
      const accountId = await anAccountWith({}, {}, {}, {});
      const { items } = await storage().domainQueries.page(accountId, BY_NAME, 5);
      const [ok, unchecked, warning, problem] = items.map(({ id }) => id) as [string, string, string, string];
      const states: readonly [string, HealthState][] = [
        [warning, 'warning'],
        [ok, 'ok'],
        [problem, 'problem'],
      ];
      const checked = states.map(([domainId, state]) => ({
        domainId,
        report: reportOf(T0, [checkOf('spf', { state, summary: '' })], []),
      }));
      await storage().unitOfWork.run(({ health }) => health.save(checked));

      const sorted = await storage().domainQueries.page(accountId, { order: 'health', descending: false }, 5);
      expect(sorted.items.map(({ id }) => id)).toEqual([problem, warning, ok, unchecked]);
    });

    it('pages in the order of status and of switches without duplicates or gaps', async () => {
      const tag = fresh('n');
      const accountId = await anAccountWith(
        ...[0, 1, 2, 3, 4].map((index) => ({
          name: `${index}-${tag}.com`,
          autoRenew: index % 2 === 0,
          transferLocked: index > 2,
          status: index === 1 ? ('expired' as const) : ('active' as const),
        })),
      );
      for (const order of ['status', 'auto_renewal', 'transfer_lock'] as const)
        for (const descending of [false, true])
          for (const status of [undefined, 'active' as const]) {
            const names: string[] = [];
            let next: SortedPosition | undefined;
            do {
              const page = await storage().domainQueries.page(accountId, { order, descending, status }, 2, next);
              names.push(...page.items.map(({ name }) => name));
              next = page.next;
            } while (next);
            expect(new Set(names).size).toBe(names.length);
            expect(names).toHaveLength(status ? 4 : 5);
          }
    });

    it('finds internationalized names by part of their Unicode or ASCII form, and digits literally', async () => {
      const tag = fresh('x');
      const accountId = await anAccountWith(
        { name: toAsciiName(`bücher-${tag}.com`)! },
        { name: `shop-365-${tag}.com` },
      );
      const names = async (nameContains: string) =>
        (await storage().domainQueries.page(accountId, { ...BY_NAME, nameContains }, 10)).items.map(({ name }) => name);

      expect(await names('büch')).toEqual([toAsciiName(`bücher-${tag}.com`)]);
      expect(await names('xn--bch')).toEqual([toAsciiName(`bücher-${tag}.com`)]);
      expect(await names('365')).toEqual([`shop-365-${tag}.com`]);
    });

    it('never returns a deleted domain to any account', async () => {
      const accountId = await anAccountWith({ status: 'gone', autoRenew: false, expiresAt: after(1) });

      expect((await storage().domainQueries.page(accountId, BY_NAME, 10)).items).toEqual([]);
      expect((await storage().domainQueries.page(accountId, { ...BY_NAME, status: 'gone' }, 10)).items).toEqual([]);
      expect(await storage().domainQueries.countByStatus(accountId)).toEqual(new Map());
      expect(await storage().domainQueries.ending(accountId, after(10), 10)).toEqual([]);
    });

    it('shows an account its own domains only', async () => {
      const accountId = await anAccountWith({ autoRenew: false, expiresAt: after(1) });
      const stranger = await anAccountWith();

      expect((await storage().domainQueries.page(accountId, BY_NAME, 10)).items).toHaveLength(1);
      expect((await storage().domainQueries.page(stranger, BY_NAME, 10)).items).toEqual([]);
      expect(await storage().domainQueries.expiring(stranger, T0, after(10 * DAY_MS), 5)).toEqual([]);
      expect(await storage().domainQueries.ending(stranger, after(10), 10)).toEqual([]);
    });

    it('counts by status and omits empty ones', async () => {
      const accountId = await anAccountWith({}, {}, { status: 'pending' }, { status: 'transferred_out' });

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

      const { items: all } = await storage().domainQueries.page(accountId, BY_NAME, 100);
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

    it('finds the active domains that are renewed automatically and expire in a period, the next first', async () => {
      const tag = fresh('n');
      const renewing = (name: string, days: number, overrides: Partial<DomainState> = {}): Partial<DomainState> => ({
        name: `${name}-${tag}.com`,
        expiresAt: after(days),
        ...overrides,
      });
      const accountId = await anAccountWith(
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
        leaving('late', after(9)),
        leaving('unknown', null),
        leaving('soon', after(1)),
        { name: `stays-${tag}.com` },
      );
      await anAccountWith({ ...leaving('stranger', after(1)) });

      const names = async (limit: number) =>
        (await storage().domainQueries.leaving(accountId, limit)).map(({ name }) => name.split('-')[0]);

      expect(await names(10)).toEqual(['unknown', 'soon', 'late']);
      expect(await names(1)).toEqual(['unknown']);
    });

    it('selects the domains that the account still has', async () => {
      const accountId = await anAccountWith({ id: fresh('dom_'), name: `${fresh('n')}.com` });
      const [held] = (await storage().domainQueries.page(accountId, BY_NAME, 1)).items;
      const gone = fresh('dom_');
      await storage().unitOfWork.run(({ domains }) =>
        domains.add(freshDomain(accountId, { id: gone, status: 'gone' })),
      );
      const stranger = await anAccountWith({});

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
      const accountId = await anAccountWith(shop, blog, other, { name: `plain-${tag}.com` });
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
