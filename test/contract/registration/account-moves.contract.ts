import { AccountMove, type AccountMoveState } from '../../../src/domain/registration/account-move';
import { tagTerm } from '../../../src/domain/portfolio/domain-terms';
import { DnsRecord } from '../../../src/domain/dns/records/dns-record';
import { Operation } from '../../../src/domain/registration/operations/operation';
import { after, anAccount, BY, fresh, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

const NOTHING = { added: [], changed: [], removed: [] };

const aMove = (overrides: Partial<AccountMoveState> = {}, at = T0): AccountMove =>
  AccountMove.propose(
    {
      id: fresh('move_'),
      accountId: 'acc_from',
      toAccountId: 'acc_to',
      domainId: fresh('dom_'),
      name: 'example.com',
      zones: ['sub.example.com'],
      effects: { ends: ['Its tags end: shop'], comes: [] },
      proposer: { kind: 'key', id: 'k1' },
      reason: 'Sold',
      ...overrides,
    },
    at,
  );

/** Contract of what stores moves of names to other accounts, and moves them. */
export function accountMovesContract(storage: () => StorageUnderTest): void {
  const add = (...moves: readonly AccountMove[]) =>
    storage().unitOfWork.run(async ({ accountMoves }) => {
      for (const move of moves) await accountMoves.add(move);
    });

  describe('moves to other accounts', () => {
    it('are found by both accounts as they were stored, and by no other', async () => {
      const [from, to, other] = [fresh('acc_'), fresh('acc_'), fresh('acc_')];
      const move = aMove({ accountId: from, toAccountId: to });
      await add(move);

      for (const account of [from, to])
        expect((await storage().accountMoves.find(account, move.id))?.toState()).toEqual(move.toState());
      expect(await storage().accountMoves.find(other, move.id)).toBeUndefined();
      await storage().unitOfWork.run(async ({ accountMoves }) => {
        expect(await accountMoves.lock(other, move.id)).toBeUndefined();
        expect((await accountMoves.lock(to, move.id))?.id).toBe(move.id);
      });
    });

    it('keep their decision, and are open for their domain until then', async () => {
      const move = aMove();
      const { domainId, toAccountId, accountId } = move.toState();
      await add(move);
      const openOf = (now: Date) => storage().unitOfWork.run(({ accountMoves }) => accountMoves.openOf(domainId, now));

      expect((await openOf(after(1)))?.id).toBe(move.id);
      expect(await openOf(after(7 * 86_400_000))).toBeUndefined();
      move.reject(toAccountId, { actor: { kind: 'user', id: 'usr_1' }, comment: 'No', at: after(5) });
      await storage().unitOfWork.run(({ accountMoves }) => accountMoves.save(move));

      expect(await openOf(after(6))).toBeUndefined();
      expect((await storage().accountMoves.find(accountId, move.id))?.toState()).toEqual(move.toState());
    });

    it('are listed newest first, in pages, by their direction and as long as they wait', async () => {
      const [one, other] = [fresh('acc_'), fresh('acc_')];
      const first = aMove({ accountId: one, toAccountId: other }, after(1));
      const second = aMove({ accountId: other, toAccountId: one }, after(2));
      const third = aMove({ accountId: one, toAccountId: other }, after(3));
      third.withdraw(one, { actor: { kind: 'key', id: 'k1' }, comment: null, at: after(4) });
      await add(first, second, third);
      const page = async (...given: Parameters<StorageUnderTest['accountMoves']['page']>) =>
        (await storage().accountMoves.page(...given)).map(({ id }) => id);

      expect(await page(one, {}, 2)).toEqual([third.id, second.id]);
      expect(await page(one, {}, 2, second.toState())).toEqual([first.id]);
      expect(await page(one, { direction: 'out' }, 5)).toEqual([third.id, first.id]);
      expect(await page(one, { direction: 'in' }, 5)).toEqual([second.id]);
      expect(await page(one, { openAt: after(5) }, 5)).toEqual([second.id, first.id]);
      expect(await storage().accountMoves.countIncoming(other, after(5))).toBe(1);
      expect(await storage().accountMoves.countIncoming(one, after(5))).toBe(1);
    });
  });

  describe('a domain that has moved', () => {
    it('is the new account’s, in every list and count, and no longer the former one’s', async () => {
      const { from, to, id, name } = await movedDomain(storage());
      const listOf = async (account: string, filter = {}) =>
        (await storage().domains.page(account, filter, 10)).items.map((each) => each.id);

      expect((await storage().domains.find(to, id))?.toState()).toMatchObject({ accountId: to, tags: [] });
      expect(await storage().domains.find(from, id)).toBeUndefined();
      const part = name.slice(0, 6);
      expect([await listOf(to), await listOf(from)]).toEqual([[id], []]);
      expect([await listOf(to, { nameContains: part }), await listOf(from, { nameContains: part })]).toEqual([
        [id],
        [],
      ]);
      const terms = [{ anyOf: ['tld:com'] }];
      expect([await listOf(to, { terms }), await listOf(from, { terms })]).toEqual([[id], []]);
      expect(await storage().domainQueries.terms(from, '', 10)).toEqual([]);
      expect(await storage().domainQueries.terms(to, '', 10)).not.toContain(tagTerm('shop'));
      const counts = await Promise.all([to, from].map((account) => storage().domainQueries.countByStatus(account)));
      expect(counts.map((each) => [...each.values()].filter((amount) => amount > 0))).toEqual([[1], []]);
    });

    it('is remembered as gone by its former account only, also if it ends with the new one or comes back', async () => {
      const { from, to, id, name } = await movedDomain(storage());
      const gone = () => Promise.all([from, to].map((account) => storage().desiredStates.hasGone(account, name)));
      const afterMove = await gone();

      await storage().unitOfWork.run(async ({ domains }) => {
        const domain = await domains.lock(to, id);
        domain?.moveTo(from, after(10));
        if (domain) await domains.saveMoved(domain);
      });

      expect(afterMove).toEqual([true, false]);
      expect(await gone()).toEqual([true, true]);
    });

    it('shows its new account no operation and no version of the former one, and remembers them for caches', async () => {
      const { from, to, id, record } = await movedDomain(storage());

      expect(await storage().operations.page({ accountId: to, domainId: id }, 10)).toEqual([]);
      expect(await storage().operations.page({ accountId: from, domainId: id }, 10)).toHaveLength(1);
      expect((await storage().zoneHistory.page(id, 10)).map(({ version }) => version)).toEqual([3]);
      expect((await storage().zoneHistory.wholePage(id, 10)).map(({ version }) => version)).toEqual([3, 2, 1]);
      expect(await storage().zoneHistory.lastChanges(id, [record.id])).toEqual(new Map());
      const past = await storage().zoneHistory.withPast({ accountId: to, domainId: id }, async (zone) => ({
        oldest: zone.oldestVersion,
        found: await zone.find(2),
        records: (await zone.records()).map((each) => each.id),
      }));
      expect(past).toEqual({ oldest: 3, found: undefined, records: [record.id] });
    });
  });
}

/** A domain with its zone, moved from one account to another. */
async function movedDomain(storage: StorageUnderTest) {
  const [from, to] = [await anAccount(storage), await anAccount(storage)];
  const domain = await storedDomain(storage, from, { tags: ['shop'] });
  const { id, name } = domain.toState();
  const record = DnsRecord.create({ type: 'A', name: 'www', content: '192.0.2.1' }, name, fresh('rec_'), T0);
  const before = Operation.queue(
    {
      id: fresh('op_'),
      accountId: from,
      actor: { kind: 'key', id: 'k1' },
      domainId: id,
      request: { kind: 'issue_auth_code' },
    },
    T0,
  );
  await storage.unitOfWork.run(async ({ operations, zones, zoneDelegations }) => {
    await zones.create(id, BY);
    const zone = await zones.lock(id);
    if (zone) await zones.apply([{ zone, change: { ...NOTHING, added: [record] }, by: BY }]);
    await operations.add(before);
    await zoneDelegations.save({ domainId: id, accountId: from, state: 'ours', nameservers: [], askedAt: T0 });
  });
  await storage.unitOfWork.run(async ({ domains, zones }) => {
    const found = await domains.lock(from, id);
    const zone = await zones.lock(id);
    if (!found || !zone) throw new Error('it is not stored');
    const by = { actor: { kind: 'user', id: 'usr_2' }, at: after(9) } as const;
    await zones.apply([{ zone, change: NOTHING, by }]);
    found.moveTo(to, after(9));
    await domains.saveMoved(found);
  });
  return { from, to, id, name, record };
}
