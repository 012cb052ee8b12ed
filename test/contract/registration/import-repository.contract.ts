import type { Difference } from '../../../src/domain/registrar/reconciliation';
import type { NameImport } from '../../../src/domain/registrar/name-import';
import { after, anAccount, fresh, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

const anImport = (accountId: string, part: Partial<NameImport> = {}): NameImport => ({
  id: fresh('imp_'),
  accountId,
  actor: { kind: 'key', id: 'AbC-dEf_0123' },
  registry: 'simulated',
  status: 'running',
  cursor: null,
  error: null,
  createdAt: T0,
  updatedAt: T0,
  finishedAt: null,
  ...part,
});

const onDay = (day: number) => ({ createdAt: new Date(Date.UTC(1990, 0, day)) });

/** What every store of imports must do. */
export function importRepositoryContract(storage: () => StorageUnderTest): void {
  const add = (added: NameImport, names: readonly string[] = []) =>
    storage().unitOfWork.run(async ({ imports }) => {
      await imports.add(added);
      await imports.addNames(added.id, names);
    });

  describe('imports', () => {
    it('return an import as it was added and saved, to its own account only', async () => {
      const account = await anAccount(storage());
      const added = anImport(account, { status: 'listing', cursor: 'page 2' });
      await add(added);
      const saved: NameImport = { ...added, status: 'failed', cursor: null, error: 'No list', finishedAt: after(1) };

      expect(await storage().imports.find(account, added.id)).toEqual(added);
      expect(await storage().imports.find(await anAccount(storage()), added.id)).toBeUndefined();
      await storage().unitOfWork.run(({ imports }) => imports.save(saved));
      expect(await storage().imports.find(account, added.id)).toEqual(saved);
    });

    it('count names by state, and list those that wait by attempts and those that failed by name', async () => {
      const added = anImport(await anAccount(storage()));
      await add(added, ['c.com', 'b.com', 'a.com', 'd.com', 'c.com']);
      const settle = (name: string, state: 'waiting' | 'imported' | 'failed', attempts: number) =>
        storage().unitOfWork.run(({ imports }) =>
          imports.settle(added.id, { name, state, attempts, reason: state === 'failed' ? 'Not held' : null }),
        );

      expect([await settle('a.com', 'waiting', 1), await settle('b.com', 'imported', 0)]).toEqual([true, true]);
      expect([await settle('d.com', 'failed', 2), await settle('d.com', 'imported', 0)]).toEqual([true, false]);

      expect(await storage().imports.counts(added.id)).toEqual({ waiting: 2, imported: 1, present: 0, failed: 1 });
      expect(await storage().imports.waiting(added.id, 10)).toEqual([
        { name: 'c.com', state: 'waiting', attempts: 0, reason: null },
        { name: 'a.com', state: 'waiting', attempts: 1, reason: null },
      ]);
      expect(await storage().imports.waiting(added.id, 1)).toHaveLength(1);
      expect(await storage().imports.failures(added.id, 10)).toEqual([
        { name: 'd.com', state: 'failed', attempts: 2, reason: 'Not held' },
      ]);
    });

    it('keep what became of a name that is added again', async () => {
      const added = anImport(await anAccount(storage()));
      await add(added, ['a.com']);

      await storage().unitOfWork.run(async ({ imports }) => {
        await imports.settle(added.id, { name: 'a.com', state: 'imported', attempts: 0, reason: null });
        await imports.addNames(added.id, ['a.com', 'b.com']);
      });

      expect(await storage().imports.counts(added.id)).toMatchObject({ imported: 1, waiting: 1 });
    });

    it('take turns by account and registry while they are not finished, and the latest of an account come newest first', async () => {
      const [one, other] = [await anAccount(storage()), await anAccount(storage())];
      const first = anImport(one, onDay(1));
      const second = anImport(one, onDay(2));
      const third = anImport(one, onDay(3));
      const elsewhere = anImport(one, { ...onDay(4), registry: 'another' });
      const ofOther = anImport(other, onDay(5));
      const finished = anImport(one, { ...onDay(6), finishedAt: after(5) });
      for (const each of [ofOther, finished, elsewhere, third, second, first]) await add(each);

      const unfinished = (await storage().imports.unfinished(1_000)).filter(({ accountId }) =>
        [one, other].includes(accountId),
      );

      expect(unfinished.map(({ id }) => id)).toEqual([first.id, elsewhere.id, ofOther.id, second.id, third.id]);
      expect((await storage().imports.unfinished(2)).map(({ id }) => id)).toEqual([first.id, elsewhere.id]);
      expect((await storage().imports.latest(one, 2)).map(({ id }) => id)).toEqual([finished.id, elsewhere.id]);
    });
  });

  describe('live domains', () => {
    it('are found by name among those of all accounts', async () => {
      const [one, other] = [await anAccount(storage()), await anAccount(storage())];
      const [first, second] = [await storedDomain(storage(), one), await storedDomain(storage(), other)];
      const gone = await storedDomain(storage(), one, { status: 'gone' });
      const names = [first, second, gone].map((domain) => domain.toState().name);

      const found = await storage().domains.liveAmong([...names, 'unknown.example']);

      expect(found.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
      expect(await storage().domains.liveAmong([])).toEqual([]);
    });

    it('show over all accounts which hosts are their nameservers', async () => {
      const [one, other] = [await anAccount(storage()), await anAccount(storage())];
      const [host, theirs, former] = [fresh('ns'), fresh('ns'), fresh('ns')].map((label) => `${label}.example.net`);
      await storedDomain(storage(), one, { nameservers: [host!, theirs!] });
      await storedDomain(storage(), other, { nameservers: [theirs!] });
      await storedDomain(storage(), other, { nameservers: [former!], status: 'gone' });
      const hosts = [host!, theirs!, former!, 'ns.unknown.example'];

      const within = await storage().unitOfWork.run(({ domains }) => domains.nameserversAmong(hosts));

      expect(within.toSorted()).toEqual([host!, theirs!].toSorted());
      expect((await storage().domains.nameserversAmong(hosts)).toSorted()).toEqual([host!, theirs!].toSorted());
      expect(await storage().domains.nameserversAmong([])).toEqual([]);
    });
  });
}

/** What every store of reconciliations must do. */
export function reconciliationRepositoryContract(storage: () => StorageUnderTest): void {
  describe('reconciliations', () => {
    it('replace the latest of their registry with its differences, shown to the account and to those that may import', async () => {
      const [registry, account] = [fresh('registry-'), await anAccount(storage())];
      const replace = (differences: readonly Difference[]) =>
        storage().unitOfWork.run(({ reconciliations }) =>
          reconciliations.replace(
            { registry, finishedAt: T0, compared: 9, listed: true, differences: differences.length },
            differences,
          ),
        );
      const difference = (part: Partial<Difference>): Difference => ({
        name: 'b.com',
        kind: 'expiry',
        accountId: account,
        domainId: 'dom_1',
        ours: '2027',
        theirs: '2028',
        ...part,
      });
      const missing = difference({ name: 'a.com', kind: 'missing here', accountId: null, domainId: null });
      await replace([difference({ kind: 'lock' })]);

      expect(await replace([difference({}), missing])).toEqual([difference({}), missing]);
      expect(await replace([difference({ theirs: '2029' }), missing, difference({ kind: 'lock' })])).toEqual([
        difference({ kind: 'lock' }),
      ]);
      await replace([difference({}), missing]);

      const latest = await storage().reconciliations.latest();
      expect(latest.filter((each) => each.registry === registry)).toEqual([
        { registry, finishedAt: T0, compared: 9, listed: true, differences: 2 },
      ]);
      const { reconciliations } = storage();
      expect(await reconciliations.differences(account, [], 9)).toEqual([{ registry, ...difference({}) }]);
      expect(await reconciliations.differences(account, [registry], 9)).toEqual([
        { registry, ...missing },
        { registry, ...difference({}) },
      ]);
      expect(await reconciliations.differences(await anAccount(storage()), [], 9)).toEqual([]);
    });

    it('page through the live domains of all accounts in order of their ids', async () => {
      const first = await storedDomain(storage(), await anAccount(storage()));
      const gone = await storedDomain(storage(), await anAccount(storage()), { status: 'gone' });
      const second = await storedDomain(storage(), await anAccount(storage()));

      const page = await storage().domains.livePage(2, first.id);

      expect(page.map(({ id }) => id)).toContain(second.id);
      expect(page.map(({ id }) => id)).not.toContain(gone.id);
      expect(page.map(({ id }) => id)).not.toContain(first.id);
      expect(await storage().domains.livePage(1, first.id)).toHaveLength(1);
    });
  });
}
