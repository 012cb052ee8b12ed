import type { Domain } from '../../../src/domain/registration/domain';
import { DomainUnavailable } from '../../../src/domain/registration/registration-errors';
import type { DomainStatus } from '../../../src/domain/registration/domain-status';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { anAccount, fresh, storedDomain, type StorageUnderTest } from '../storage-under-test';

/** Contract of what domain repositories know of the names around a zone. */
export function nameNeighborsContract(storage: () => StorageUnderTest): void {
  const stored = (accountId: string, name: string, status: DomainStatus) =>
    storedDomain(storage(), accountId, { name, status });

  describe('the names around a zone', () => {
    it('are the closest live one above, of any account, unless its registration is not confirmed', async () => {
      const [ours, others] = [await anAccount(storage()), await anAccount(storage())];
      const top = `${fresh('x')}.test`.replace('_', '-');
      const [far, close] = [await stored(ours, top, 'active'), await stored(others, `b.${top}`, 'hosted')];
      await stored(others, `a.b.${top}`, 'unverified');
      await stored(others, `c.${top}`, 'pending');
      const above = async (name: string) => (await storage().domains.neighbors(name, ours)).above;

      expect(await above(`z.a.b.${top}`)).toEqual({ id: close.id, accountId: others, name: `b.${top}` });
      expect(await above(`b.${top}`)).toEqual({ id: far.id, accountId: ours, name: top });
      expect(await above(`z.c.${top}`)).toEqual({ id: far.id, accountId: ours, name: top });
      expect(await above(top)).toBeUndefined();
      expect(await storage().unitOfWork.run(({ domains }) => domains.neighbors(`b.${top}`, ours))).toMatchObject({
        above: { id: far.id },
      });
    });

    it('are above while the registration of a name that is hosted already is not confirmed', async () => {
      const [ours, others] = [await anAccount(storage()), await anAccount(storage())];
      const top = `${fresh('x')}.test`.replace('_', '-');
      const { id } = await storedDomain(storage(), others, {
        name: top,
        status: 'pending',
        keptZone: { status: 'hosted', nameservers: null },
      });

      expect((await storage().domains.neighbors(`k8s.${top}`, ours)).above).toEqual({
        id,
        accountId: others,
        name: top,
      });
    });

    it('say whether the account hosts zones below, however far', async () => {
      const [ours, others] = [await anAccount(storage()), await anAccount(storage())];
      const top = `${fresh('x')}.test`.replace('_', '-');
      await stored(ours, `a.b.${top}`, 'hosted');
      await stored(others, `c.d.${top}`, 'hosted');
      await stored(ours, `e.f.${top}`, 'unverified');
      const hasOwnBelow = async (name: string) => (await storage().domains.neighbors(name, ours)).hasOwnBelow;

      expect(await Promise.all([top, `b.${top}`].map(hasOwnBelow))).toEqual([true, true]);
      expect(await Promise.all([`a.b.${top}`, `d.${top}`, `f.${top}`].map(hasOwnBelow))).toEqual([false, false, false]);
    });

    it.each<[string, string, DomainStatus, boolean]>([
      ['a zone of the same name', '', 'hosted', true],
      ['a domain of the same name', '', 'active', true],
      ['a domain below', 'a.', 'active', true],
      ['a zone below', 'a.', 'hosted', true],
      ['a zone far below', 'a.b.c.', 'hosted', true],
      ['an unverified zone of the same name', '', 'unverified', false],
      ['an unverified zone below', 'a.', 'unverified', false],
      ['a deleted domain', '', 'gone', false],
    ])('include %s of another account', async (_case, labels, status, isIncluded) => {
      const [ours, others] = [await anAccount(storage()), await anAccount(storage())];
      const name = `${fresh('x')}.test`.replace('_', '-');
      await stored(others, `${labels}${name}`, status);

      expect((await storage().domains.neighbors(name, ours)).hasOthers).toBe(isIncluded);
      expect((await storage().domains.neighbors(name, others)).hasOthers).toBe(false);
      expect((await storage().domains.neighbors(`x${name}`, ours)).hasOthers).toBe(false);
    });

    it('are locked by the account and the name, also unverified', async () => {
      const [ours, others] = [await anAccount(storage()), await anAccount(storage())];
      const name = `${fresh('x')}.test`.replace('_', '-');
      const zone = await stored(ours, name, 'unverified');
      const lockOwn = (accountId: string) =>
        storage().unitOfWork.run(({ domains }) => domains.lockOwn(accountId, DomainName.fromState(name)));

      expect((await lockOwn(ours))?.id).toBe(zone.id);
      expect(await lockOwn(others)).toBeUndefined();
    });

    it('are verified by one account only', async () => {
      const name = `${fresh('x')}.test`.replace('_', '-');
      const zones = [
        await stored(await anAccount(storage()), name, 'unverified'),
        await stored(await anAccount(storage()), name, 'unverified'),
      ] as const;
      const verify = (zone: Domain) =>
        storage().unitOfWork.run(async ({ domains }) => {
          const domain = await domains.lockAny(zone.id);
          domain?.verify(new Date());
          if (domain) await domains.save(domain);
        });

      await verify(zones[0]);
      await expect(verify(zones[1])).rejects.toThrow(DomainUnavailable);
    });

    it('are due if the account hosts them below a name', async () => {
      const [ours, others] = [await anAccount(storage()), await anAccount(storage())];
      const top = `${fresh('x')}.test`.replace('_', '-');
      const zones = [
        await stored(ours, `a.${top}`, 'hosted'),
        await stored(ours, `b.c.${top}`, 'hosted'),
        await stored(ours, `d.${top}`, 'unverified'),
        await stored(ours, `x${top}`, 'hosted'),
        await stored(others, `e.${top}`, 'hosted'),
      ];

      await storage().unitOfWork.run(({ domains }) =>
        domains.scheduleBelow({ accountId: ours, name: top }, longAgo(40)),
      );

      const dueAt = async (accountId: string, { id }: Domain) =>
        (await storage().domains.find(accountId, id))?.toState().dueAt?.getTime();
      const found = await Promise.all(zones.map((zone) => dueAt(zone === zones[4] ? others : ours, zone)));
      expect(found.map((each) => each === longAgo(40).getTime())).toEqual([true, true, false, false, false]);
    });

    it('are due while they have no registration, longest waiting first', async () => {
      const ours = await anAccount(storage());
      const due = (day: number, status: DomainStatus) =>
        storedDomain(storage(), ours, { name: `${fresh('x')}.test`.replace('_', '-'), status, dueAt: longAgo(day) });
      const [second, first] = [await due(2, 'unverified'), await due(1, 'hosted')];
      const third = await due(3, 'gone');
      await due(1, 'active');

      const found = await storage().domains.dueUnregistered(longAgo(3), 3);
      expect(found).toEqual(
        [first, second, third].map(({ id, status, name }) => ({ id, name: name.value, accountId: ours, status })),
      );
      expect(await storage().domains.dueUnregistered(longAgo(1), 3)).toHaveLength(1);
    });
  });
}

/** Before anything that another test has stored. */
function longAgo(day: number): Date {
  return new Date(Date.UTC(1980, 0, day));
}
