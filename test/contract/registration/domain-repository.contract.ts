import type { ListedDomain, WantedDomain } from '../../../src/application/ports/registration/domain-repository';
import type { Domain } from '../../../src/domain/registration/domain';
import type { DomainStatus } from '../../../src/domain/registration/domain-status';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { DomainUnavailable } from '../../../src/domain/registration/registration-errors';
import { toAsciiName } from '../../../src/domain/shared/idna';
import { A_REGISTRANT, inStatus } from '../../support/data/a-domain';
import {
  after,
  allOf,
  anAccount,
  fresh,
  freshDomain,
  storedDomain,
  T0,
  type StorageUnderTest,
} from '../storage-under-test';

/** Before anything that another test has stored. */
const longAgo = (day: number) => new Date(Date.UTC(1990, 0, day));

/** Contract of every domain repository. */
export function domainRepositoryContract(storage: () => StorageUnderTest): void {
  const findEach = (wanted: readonly WantedDomain[]) =>
    storage().unitOfWork.run(({ domains }) => domains.findEach(wanted));
  const save = (domain: Domain) =>
    storage().unitOfWork.run(async ({ domains }) => {
      if (!(await domains.lockAny(domain.id))) await domains.lockIfFree(domain.id);
      await domains.save(domain);
    });

  describe('domains', () => {
    it('returns a domain as it was added', async () => {
      const domain = freshDomain(await anAccount(storage()), {
        autoRenew: false,
        transferLocked: false,
        expiresAt: new Date('2036-02-29T12:34:56.789Z'),
        nameservers: ['ns2.example.net', 'ns1.example.net'],
        registrant: { ...A_REGISTRANT, firstName: 'Ζωή', address: { ...A_REGISTRANT.address, city: '東京 🗼' } },
      });

      await storage().unitOfWork.run(({ domains }) => domains.add(domain));

      expect((await storage().domains.find(domain.toState().accountId, domain.id))?.toState()).toEqual(
        domain.toState(),
      );
    });

    it('returns a domain whose registrant is unknown, and that the registrar renews', async () => {
      const domain = freshDomain(await anAccount(storage()), { registrant: null, registrarRenews: true });

      await storage().unitOfWork.run(({ domains }) => domains.add(domain));

      expect((await storage().domains.find(domain.toState().accountId, domain.id))?.toState()).toEqual(
        domain.toState(),
      );
    });

    it('shows a domain to its own account only', async () => {
      const [owner, stranger] = [await anAccount(storage()), await anAccount(storage())];
      const domain = await storedDomain(storage(), owner);
      const name = DomainName.fromState(domain.toState().name);

      expect(await storage().domains.find(stranger, domain.id)).toBeUndefined();
      expect(await findEach([{ accountId: stranger, domainId: domain.id }])).toEqual([undefined]);
      expect(await storage().domains.findByName(stranger, name)).toBeUndefined();
      expect((await storage().domains.page(stranger, {}, 10)).items).toEqual([]);
      expect(await storage().unitOfWork.run(({ domains }) => domains.lock(stranger, domain.id))).toBeUndefined();
      expect((await storage().unitOfWork.run(({ domains }) => domains.lock(owner, domain.id)))?.id).toBe(domain.id);
      expect((await storage().unitOfWork.run(({ domains }) => domains.lockAny(domain.id)))?.id).toBe(domain.id);
      expect((await storage().unitOfWork.run(({ domains }) => domains.lockIfFree(domain.id)))?.id).toBe(domain.id);
    });

    it('finds several at once, in the requested order', async () => {
      const [owner, other] = [await anAccount(storage()), await anAccount(storage())];
      const [first, second, gone] = [
        await storedDomain(storage(), owner),
        await storedDomain(storage(), other),
        await storedDomain(storage(), owner, { status: 'gone' }),
      ];
      const wanted = [
        { accountId: other, domainId: second.id },
        { accountId: owner, domainId: gone.id },
        { accountId: owner, domainId: 'dom_unknown' },
        { accountId: owner, domainId: first.id },
        { accountId: owner, domainId: `${first.id} ` },
      ];

      const found = await findEach(wanted);

      expect(found.map((domain) => domain?.toState())).toEqual([
        second.toState(),
        undefined,
        undefined,
        first.toState(),
        undefined,
      ]);
      expect(await findEach([])).toEqual([]);
    });

    it('lists due domains and the next due time, without deleted domains', async () => {
      const owner = await anAccount(storage());
      await storedDomain(storage(), owner, { status: 'gone', dueAt: longAgo(1) });
      const [second, first, later] = [
        await storedDomain(storage(), owner, { dueAt: longAgo(3) }),
        await storedDomain(storage(), owner, { dueAt: longAgo(2) }),
        await storedDomain(storage(), owner, { dueAt: longAgo(5) }),
      ];

      const due = await storage().domains.due(longAgo(4), 10);
      const next = await storage().domains.nextDueAt();
      for (const domain of [first, second, later]) {
        domain.schedule(null);
        await save(domain);
      }

      expect(due.map(({ id }) => id)).toEqual([first.id, second.id]);
      expect(next).toEqual(longAgo(2));
    });

    it('compares ids exactly', async () => {
      const owner = await anAccount(storage());
      const domain = await storedDomain(storage(), owner);

      expect(await storage().domains.find(owner, domain.id.toUpperCase())).toBeUndefined();
      expect(await storage().domains.find(owner, `${domain.id} `)).toBeUndefined();
    });

    it.each<DomainStatus>(['pending', 'active', 'expired', 'redemption', 'pending_delete'])(
      'refuses a second domain of a name that is %s',
      async (status) => {
        const [owner, rival] = [await anAccount(storage()), await anAccount(storage())];
        const { name } = (await storedDomain(storage(), owner, { status })).toState();

        const second = storedDomain(storage(), rival, { name, ...(status === 'pending' && { status }) });
        await expect(second).rejects.toThrow(DomainUnavailable);

        expect((await storage().domains.findByName(owner, DomainName.fromState(name)))?.status).toBe(status);
        expect((await storage().domains.page(rival, {}, 10)).items).toEqual([]);
      },
    );

    it('has a pending registration beside the zone that another account hosts, and finds the registration first', async () => {
      const [host, owner] = [await anAccount(storage()), await anAccount(storage())];
      const hosted = await storedDomain(storage(), host, { status: 'hosted' });
      const name = hosted.name;
      const ordered = await storedDomain(storage(), owner, { name: name.value, status: 'pending' });

      const found = await storage().unitOfWork.run(async ({ domains }) => ({
        byName: (await domains.lockByName(name))?.id,
        hosted: (await domains.lockHosted(name))?.id,
        ofHost: (await domains.lockHosted(name, host))?.id,
        ofOwner: (await domains.lockHosted(name, owner))?.id,
      }));

      expect(found).toEqual({ byName: ordered.id, hosted: hosted.id, ofHost: hosted.id, ofOwner: undefined });
    });

    it('stores what a name becomes when its registration ends', async () => {
      const owner = await anAccount(storage());
      const keptZone = { status: 'hosted', nameservers: ['ns1.example.net'] } as const;
      const { id } = await storedDomain(storage(), owner, { keptZone });

      expect((await storage().domains.find(owner, id))?.toState().keptZone).toEqual(keptZone);
    });

    it.each<DomainStatus>(['transferred_out', 'gone'])('frees the name of a domain that is %s', async (status) => {
      const owner = await anAccount(storage());
      const former = await storedDomain(storage(), owner);
      await save(inStatus(former, status));

      const { name } = former.toState();
      const successor = await storedDomain(storage(), owner, { name, createdAt: after(2) });

      expect((await storage().domains.findByName(owner, DomainName.fromState(name)))?.id).toBe(successor.id);
    });

    it('lets one of many simultaneous registrations of a name win', async () => {
      const owner = await anAccount(storage());
      const name = `${fresh('race-')}.com`;

      const attempts = await Promise.allSettled(
        Array.from({ length: 10 }, () => storedDomain(storage(), owner, { name })),
      );

      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(
        attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [(attempt.reason as Error).name] : [])),
      ).toEqual(Array(9).fill('DomainUnavailable'));
    });

    it('finds by name the domain that was transferred out last if no live one has the name', async () => {
      const owner = await anAccount(storage());
      const name = `${fresh('left-')}.com`;
      await storedDomain(storage(), owner, { name, status: 'transferred_out', createdAt: after(1) });
      const last = await storedDomain(storage(), owner, { name, status: 'transferred_out', createdAt: after(2) });

      expect((await storage().domains.findByName(owner, DomainName.fromState(name)))?.id).toBe(last.id);
    });

    it('finds by name the live domain before any that was transferred out', async () => {
      const owner = await anAccount(storage());
      const name = `${fresh('back-')}.com`;
      const living = await storedDomain(storage(), owner, { name, createdAt: after(1) });
      await storedDomain(storage(), owner, { name, status: 'transferred_out', createdAt: after(2) });

      expect((await storage().domains.findByName(owner, DomainName.fromState(name)))?.id).toBe(living.id);
    });

    it('never returns a deleted domain', async () => {
      const owner = await anAccount(storage());
      const domain = await storedDomain(storage(), owner, { status: 'gone' });

      expect(await storage().domains.find(owner, domain.id)).toBeUndefined();
      expect(await storage().domains.findByName(owner, DomainName.fromState(domain.toState().name))).toBeUndefined();
      expect((await storage().domains.page(owner, {}, 10)).items).toEqual([]);
      expect(await storage().unitOfWork.run(({ domains }) => domains.lockAny(domain.id))).toBeUndefined();
    });

    it('saves a change that is reverted within the unit of work', async () => {
      const accountId = await anAccount(storage());
      const { id } = await storedDomain(storage(), accountId, { autoRenew: true });

      await storage().unitOfWork.run(async ({ domains }) => {
        const domain = await domains.lock(accountId, id);
        for (const autoRenew of [false, true]) {
          domain?.setAutoRenew(autoRenew, after(1));
          await domains.save(domain!);
        }
      });

      expect((await storage().domains.find(accountId, id))?.toState()).toMatchObject({
        autoRenew: true,
        updatedAt: after(1),
      });
    });

    it('saves every change', async () => {
      const owner = await anAccount(storage());
      const domain = await storedDomain(storage(), owner);
      domain.delegateTo(['a.example.org', 'b.example.org', 'c.example.org'], after(1));
      domain.changeRegistrant({ ...A_REGISTRANT, email: 'grace@example.org' }, after(2));
      domain.setTransferLock(false, after(3));
      domain.setAutoRenew(false, after(4));
      domain.extendTo(new Date('2030-01-01T00:00:00.000Z'), after(5));

      await save(domain);

      expect((await storage().domains.find(owner, domain.id))?.toState()).toEqual(domain.toState());
    });

    it('pages through a list, oldest first, without duplicates or gaps', async () => {
      const owner = await anAccount(storage());
      const stored = [];
      for (const at of [5, 1, 3, 3, 3, 2])
        stored.push((await storedDomain(storage(), owner, { createdAt: after(at) })).toState());
      const inOrder = stored
        .toSorted(
          (left, right) => left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1),
        )
        .map(({ id }) => id);

      const read = await allOf<ListedDomain>(async (last) => (await storage().domains.page(owner, {}, 2, last)).items);

      expect(read.map(({ id }) => id)).toEqual(inOrder);
    });

    it('lists the listed fields of a domain', async () => {
      const domain = freshDomain(await anAccount(storage()), {
        autoRenew: false,
        transferLocked: true,
        nameservers: ['ns2.example.net', 'ns1.example.net'],
      });
      await storage().unitOfWork.run(({ domains }) => domains.add(domain));
      const { accountId, ...state } = domain.toState();
      const { id, name, status, expiresAt, autoRenew, transferLocked, nameservers, tags, createdAt, updatedAt } = state;

      expect((await storage().domains.page(accountId, {}, 2)).items).toMatchObject([
        { id, name, status, expiresAt, autoRenew, transferLocked, nameservers, tags, createdAt, updatedAt },
      ]);
    });

    it('filters a list by status and by part of a name, taken literally', async () => {
      const owner = await anAccount(storage());
      const tag = fresh('x');
      await storedDomain(storage(), owner, { name: `${tag}-shop.com`, status: 'expired', createdAt: T0 });
      await storedDomain(storage(), owner, { name: `${tag}-shop.net`, createdAt: after(1) });
      await storedDomain(storage(), owner, { name: `${tag}-blog.net`, createdAt: after(2) });

      const names = async (filter: Parameters<StorageUnderTest['domains']['page']>[1]) =>
        (await storage().domains.page(owner, filter, 10)).items.map(({ name }) => name);

      expect(await names({ nameContains: 'shop' })).toEqual([`${tag}-shop.com`, `${tag}-shop.net`]);
      expect(await names({ nameContains: 'shop', status: 'active' })).toEqual([`${tag}-shop.net`]);
      expect(await names({ status: 'expired' })).toEqual([`${tag}-shop.com`]);
      expect(await names({ nameContains: '%' })).toEqual([]);
      expect(await names({ nameContains: '_' })).toEqual([]);
    });

    it('finds an internationalized name by part of its Unicode or ASCII form', async () => {
      const owner = await anAccount(storage());
      const name = toAsciiName(`bücher-${fresh('x')}.com`)!;
      await storage().unitOfWork.run(({ domains }) => domains.add(freshDomain(owner, { name })));

      const found = async (nameContains: string) =>
        (await storage().domains.page(owner, { nameContains }, 10)).items.length;

      expect(await found('ücher-')).toBe(1);
      expect(await found('xn--bch')).toBe(1);
      expect(await found('büchse')).toBe(0);
    });
  });
}
