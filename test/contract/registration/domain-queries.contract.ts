import {
  STATUSES_OF,
  type SortedList,
  type SortedPosition,
  type DomainFilter,
} from '../../../src/application/ports/registration/domain-repository';
import { DELEGATION_STATES, type DelegationState } from '../../../src/domain/dns/delegation/delegation';
import { checkOf, type HealthState } from '../../../src/domain/health/health-check';
import { reportOf } from '../../../src/domain/health/health-report';
import type { DomainState } from '../../../src/domain/registration/domain';
import { DOMAIN_STATUSES, type DomainStatus } from '../../../src/domain/registration/domain-status';
import { DAY_MS } from '../../../src/domain/shared/time/calendar';
import { toAsciiName } from '../../../src/domain/shared/idna';
import { after, allOf, anAccountWith, fresh, freshDomain, T0, type StorageUnderTest } from '../storage-under-test';

const BY_NAME: SortedList = { order: 'name', descending: false };
const BY_EXPIRY: SortedList = { order: 'expiry', descending: false };

const having = (...terms: readonly string[]) => ({ terms: terms.map((term) => ({ anyOf: [term] })) });

/** What every survey of domains must do. */
export function domainQueriesContract(storage: () => StorageUnderTest): void {
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
      const accountId = await anAccountWith(storage(), ...names.map((name) => ({ name })), {
        name: names[0]!,
        status: 'transferred_out',
      });
      const sorted = [names[1], names[0], names[0], names[2], names[3]];

      expect(await namesByTwos(accountId, BY_NAME)).toEqual(sorted);
      expect(await namesByTwos(accountId, { ...BY_NAME, descending: true })).toEqual(sorted.toReversed());
    });

    it('lists what a list shows of the domains of a page, with the same end', async () => {
      const accountId = await anAccountWith(
        storage(),
        ...(['active', 'expired', 'hosted', 'active'] as const).map((status, index) => ({
          name: `${fresh(`${index}-`)}.com`,
          status,
          tags: ['shop'],
        })),
      );
      const lists: readonly Partial<SortedList>[] = [
        {},
        { statuses: ['active', 'hosted'] },
        { statuses: ['hosted', 'pending', 'active', 'redemption', 'pending_delete'] },
        { nameContains: '-' },
        having('tag:shop'),
      ];
      for (const filter of lists) {
        const list = { ...BY_NAME, of: 'zones', ...filter } as const;
        const [whole, listed] = await Promise.all([
          storage().domainQueries.page(accountId, list, 2),
          storage().domainQueries.listed(accountId, list, 2),
        ]);

        expect(listed.items).toHaveLength(2);
        expect(whole).toMatchObject(listed);
      }
    });

    it('pages by expiry in both directions, even if many expire at the same instant', async () => {
      const tag = fresh('n');
      const moments = [3, 1, 2, 2, 2];
      const accountId = await anAccountWith(
        storage(),
        ...moments.map((at, index) => ({ name: `${index}-${tag}.com`, expiresAt: after(at) })),
      );
      const sorted = [1, 2, 3, 4, 0].map((index) => `${index}-${tag}.com`);

      expect(await namesByTwos(accountId, BY_EXPIRY)).toEqual(sorted);
      expect(await namesByTwos(accountId, { ...BY_EXPIRY, descending: true })).toEqual(sorted.toReversed());
    });

    it('pages by expiry within a period in both directions, with and without other filters', async () => {
      const tags = ['shop'];
      const accountId = await anAccountWith(
        storage(),
        ...[0, 1, 2, 3, 4, 5].map((at) => ({ name: `${fresh(`${at}-`)}.com`, expiresAt: after(at), tags })),
      );
      const period = { expiresFrom: after(1), expiresBefore: after(5) };
      const expiries = async (filter: Partial<SortedList>) =>
        (await namesByTwos(accountId, { ...BY_EXPIRY, ...period, ...filter }))
          .map((name) => name.split('-')[0])
          .join('');

      expect(await expiries({})).toBe('1234');
      expect(await expiries({ descending: true })).toBe('4321');
      expect(await expiries({ status: 'active' })).toBe('1234');
      expect(await expiries({ ...having('tag:shop'), descending: true })).toBe('4321');
      expect(await expiries({ expiresBefore: undefined, nameContains: '-' })).toBe('12345');
      expect(await expiries({ expiresFrom: undefined, nameContains: '.com' })).toBe('01234');
    });

    it('filters by status and by part of a name, taken literally', async () => {
      const tag = fresh('x');
      const accountId = await anAccountWith(
        storage(),
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

    it('filters zones by what the parent says, or by the nameservers of a domain at the registry', async () => {
      const tag = fresh('x');
      const [one, two, other] = ['ns1.ours.example', 'ns2.ours.example', 'ns1.other.example'];
      const accountId = await anAccountWith(
        storage(),
        { name: `ours-${tag}.com`, nameservers: [two, one] },
        { name: `partly-${tag}.com`, nameservers: [one, other] },
        { name: `elsewhere-${tag}.com`, nameservers: [other, 'ns2.other.example'], tags: ['shop'] },
        { name: `asked-${tag}.com`, status: 'hosted', nameservers: [one, two] },
        { name: `unasked-${tag}.com`, status: 'hosted', nameservers: [one, two] },
      );
      const { items: zones } = await storage().domainQueries.page(accountId, { ...BY_NAME, of: 'zones' }, 10);
      const asked = zones.find(({ name }) => name.startsWith('asked'))?.id ?? '';
      const found = async (state: DelegationState, ours: readonly string[], filter: DomainFilter = {}) => {
        const list = { ...BY_NAME, of: 'zones', delegation: { state, ours }, ...filter } as const;
        const { items } = await storage().domainQueries.page(accountId, list, 10);
        return items.map(({ name }) => name.split('-')[0]).join();
      };

      for (const state of DELEGATION_STATES) {
        const delegation = { domainId: asked, accountId, state, nameservers: [], askedAt: T0 };
        await storage().unitOfWork.run(({ zoneDelegations }) => zoneDelegations.save(delegation));
        const hosted = state === 'unknown' ? ['asked', 'unasked'] : ['asked'];
        const registered = state === 'none' || state === 'unknown' ? [] : [state];

        expect(await found(state, [one, two])).toBe([...hosted, ...registered].toSorted().join());
        expect(await found(state, [one, two], { statuses: ['active'] })).toBe(registered.join());
      }
      expect(await found('elsewhere', [])).toBe(`elsewhere,ours,partly`);
      expect(await found('ours', [])).toBe('');
      expect(await found('elsewhere', [one, two], having('tag:shop'))).toBe('elsewhere');
      expect(await found('elsewhere', [one, two], { nameContains: 'where' })).toBe('elsewhere');
    });

    it('filters by terms that combine, by their absence and by expiry, and counts the matches', async () => {
      const tag = fresh('x');
      const accountId = await anAccountWith(
        storage(),
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
      const domain = freshDomain(await anAccountWith(storage()), { tags: ['old'] });
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
        storage(),
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
      const accountId = await anAccountWith(storage(), {}, {}, {}, {});
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
        storage(),
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
        storage(),
        { name: toAsciiName(`bücher-${tag}.com`)! },
        { name: `shop-3-65-${tag}.com` },
      );
      const names = async (nameContains: string) =>
        (await storage().domainQueries.page(accountId, { ...BY_NAME, nameContains }, 10)).items.map(({ name }) => name);

      expect(await names('büch')).toEqual([toAsciiName(`bücher-${tag}.com`)]);
      expect(await names('xn--bch')).toEqual([toAsciiName(`bücher-${tag}.com`)]);
      // No tag has a hyphen.
      expect(await names('3-65')).toEqual([`shop-3-65-${tag}.com`]);
    });

    it('lists names that are not registered with zones and with all names only, however they are read', async () => {
      const tag = fresh('x');
      const nameOf = (status: DomainStatus) => `${tag}-${status.replaceAll('_', '-')}.example`;
      const account = await anAccountWith(
        storage(),
        ...DOMAIN_STATUSES.map((status) => ({ name: nameOf(status), status })),
      );
      const listed = async (filter: DomainFilter) =>
        (await storage().domainQueries.page(account, { ...BY_NAME, ...filter }, 20)).items.map(({ name }) => name);

      const names = DOMAIN_STATUSES.map(nameOf);
      for (const filter of [{}, { nameContains: tag }, { names }, { terms: [{ anyOf: ['tag:none'], not: true }] }])
        for (const kind of ['domains', 'zones', 'names'] as const) {
          const wanted = STATUSES_OF[kind].map(nameOf).toSorted();
          expect(await listed({ ...filter, of: kind })).toEqual(wanted);
          expect(await storage().domainQueries.count(account, { ...filter, of: kind }, 20)).toBe(wanted.length);
        }
      expect(await listed({})).toEqual(STATUSES_OF.domains.map(nameOf).toSorted());
      expect(await listed({ of: 'zones', status: 'hosted' })).toEqual([nameOf('hosted')]);
    });

    it('never returns a deleted domain to any account', async () => {
      const accountId = await anAccountWith(storage(), { status: 'gone', autoRenew: false, expiresAt: after(1) });

      expect((await storage().domainQueries.page(accountId, BY_NAME, 10)).items).toEqual([]);
      expect((await storage().domainQueries.page(accountId, { ...BY_NAME, status: 'gone' }, 10)).items).toEqual([]);
      expect(await storage().domainQueries.countByStatus(accountId)).toEqual(new Map());
      expect(await storage().domainQueries.ending(accountId, after(10), 10)).toEqual([]);
    });

    it('shows an account its own domains only', async () => {
      const accountId = await anAccountWith(storage(), { autoRenew: false, expiresAt: after(1) });
      const stranger = await anAccountWith(storage());

      expect((await storage().domainQueries.page(accountId, BY_NAME, 10)).items).toHaveLength(1);
      expect((await storage().domainQueries.page(stranger, BY_NAME, 10)).items).toEqual([]);
      expect(await storage().domainQueries.expiring(stranger, T0, after(10 * DAY_MS), 5)).toEqual([]);
      expect(await storage().domainQueries.ending(stranger, after(10), 10)).toEqual([]);
    });
  });
}
