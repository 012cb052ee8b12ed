import { OPERATOR, type Actor } from '../../../src/domain/access/actor';
import { openAccount } from '../../../src/domain/access/account';
import { addDays } from '../../../src/domain/shared/time/calendar';
import { ApiKey, ApiKeyToken } from '../../../src/domain/access/api-key';
import type { ApiKeyFilter } from '../../../src/application/ports/access/accounts-and-api-keys';
import { after, allOf, anAccount, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const idOf = (key: ApiKey) => key.toState().keyId;
const token = (keyId = fresh('k').padEnd(12, '-')) => new ApiKeyToken(keyId, 's'.repeat(43));

/** What every store of accounts and keys must do. */
export function accessRepositoriesContract(storage: () => StorageUnderTest): void {
  describe('accounts and keys', () => {
    it('returns an account as it was added, by its exact id only', async () => {
      const account = openAccount(fresh('acc_'), 'Ünïcode & Söhne 🦆', after(1));

      await storage().unitOfWork.run(({ accounts }) => accounts.add(account));

      expect(await storage().accounts.find(account.id)).toEqual(account);
      expect(await storage().accounts.find(account.id.toUpperCase())).toBeUndefined();
      expect(await storage().accounts.find(`${account.id} `)).toBeUndefined();
    });

    it('saves the settings of an account', async () => {
      const account = openAccount(fresh('acc_'), 'An account', T0);
      await storage().unitOfWork.run(({ accounts }) => accounts.add(account));
      const changed = { ...account, membersMayTransfer: true, controlsSandbox: true };

      await storage().unitOfWork.run(({ accounts }) => accounts.save(changed));

      expect(await storage().accounts.find(account.id)).toEqual(changed);
      expect(await storage().unitOfWork.run(({ accounts }) => accounts.lock(account.id))).toEqual(changed);
    });

    it('lists accounts, oldest first', async () => {
      const [late, early] = [fresh('acc_'), fresh('acc_')];
      await storage().unitOfWork.run(async ({ accounts }) => {
        await accounts.add(openAccount(late, 'late', after(-1000)));
        await accounts.add(openAccount(early, 'early', after(-2000)));
      });

      const ids = (await storage().accounts.all()).map(({ id }) => id);

      expect(ids.filter((id) => id === late || id === early)).toEqual([early, late]);
    });

    it('returns a key as it was added, by its exact id only', async () => {
      const accountId = await anAccount(storage());
      const key = ApiKey.issue(token('AbC-dEf_0123'), { accountId, name: 'A key', scope: 'WRITE' }, T0);

      await storage().unitOfWork.run(({ apiKeys }) => apiKeys.add(key));

      expect((await storage().apiKeys.find('AbC-dEf_0123'))?.toState()).toEqual(key.toState());
      expect(await storage().apiKeys.find('abc-def_0123')).toBeUndefined();
      expect(await storage().apiKeys.find('AbC-dEf_0123 ')).toBeUndefined();
    });

    it('returns a TSIG key with its sealed secret and its limits', async () => {
      const limits = { domains: ['example.com'], names: ['_acme-challenge'], types: ['TXT'] };
      const tsig = { sealedSecret: 'v1.sealed', limits };
      const key = ApiKey.issue(token(), { accountId: await anAccount(storage()), name: 'A', scope: 'WRITE', tsig }, T0);
      const { keyId } = key.toState();

      await storage().unitOfWork.run(({ apiKeys }) => apiKeys.add(key));

      expect((await storage().apiKeys.find(keyId))?.toState()).toEqual(key.toState());
      expect((await storage().apiKeys.find(keyId))?.isTsigKey).toBe(true);
    });

    it('gives simultaneous look-ups of a key separate copies that are no older than the look-ups', async () => {
      const key = ApiKey.issue(token(), { accountId: await anAccount(storage()), name: 'A key', scope: 'READ' }, T0);
      const { keyId } = key.toState();
      await storage().unitOfWork.run(({ apiKeys }) => apiKeys.add(key));

      const [first, second, unknown] = await Promise.all([
        storage().apiKeys.find(keyId),
        storage().apiKeys.find(keyId),
        storage().apiKeys.find(fresh('k')),
      ]);
      first?.revoke(after(1));
      await storage().unitOfWork.run(async ({ apiKeys }) => first && apiKeys.save(first));
      const [third] = await Promise.all([storage().apiKeys.find(keyId), storage().apiKeys.find(keyId)]);

      expect([second, unknown, third].map((found) => found?.toState().revokedAt)).toEqual([null, undefined, after(1)]);
    });

    it('lists the keys of one account, oldest first', async () => {
      const [accountId, other] = [await anAccount(storage()), await anAccount(storage())];
      const keys = [after(3), after(1), after(2)].map((at) =>
        ApiKey.issue(token(), { accountId, name: at.toISOString(), scope: 'READ' }, at),
      );
      await storage().unitOfWork.run(async ({ apiKeys }) => {
        for (const key of keys) await apiKeys.add(key);
        await apiKeys.add(ApiKey.issue(token(), { accountId: other, name: 'another', scope: 'READ' }, T0));
      });

      const names = (await storage().apiKeys.ofAccount(accountId)).map((key) => key.toState().name);

      expect(names).toEqual([after(1), after(2), after(3)].map((at) => at.toISOString()));
    });

    it('lists all keys of an account, however many, also those that were created at the same time', async () => {
      const accountId = await anAccount(storage());
      const keys = Array.from({ length: 1_100 }, (_, number) =>
        ApiKey.issue(token(), { accountId, name: 'A key', scope: 'READ' }, after(number > 900 ? 2 : 1)),
      );
      await storage().unitOfWork.run(async ({ apiKeys }) => {
        for (const key of keys) await apiKeys.add(key);
      });

      const ids = (await storage().apiKeys.ofAccount(accountId)).map(idOf);

      expect(ids.toSorted()).toEqual(keys.map(idOf).toSorted());
    });

    it('finds all keys that expire within a time, however many do', async () => {
      const accountId = await anAccount(storage());
      const [from, until] = [addDays(T0, 400), addDays(T0, 407)];
      const key = (name: string, expiresAt: Date) =>
        ApiKey.issue(token(), { accountId, name, scope: 'READ', expiresAt }, T0);
      const expiring = Array.from({ length: 1_001 }, () => key('expires', until));
      await storage().unitOfWork.run(async ({ apiKeys }) => {
        for (const each of [key('earlier', from), ...expiring, key('later', addDays(until, 1))])
          await apiKeys.add(each);
      });

      const found: string[] = [];
      for await (const keys of storage().apiKeys.expiring(from, until)) found.push(...keys.map(idOf));

      expect(found.toSorted()).toEqual(expiring.map(idOf).toSorted());
    });

    it('locks the keys that one person created, also with these keys, and that are not revoked, oldest first', async () => {
      const [accountId, other] = [await anAccount(storage()), await anAccount(storage())];
      const creator = { kind: 'user', id: fresh('usr_') } as const;
      const issue = (at: Date, of = accountId, createdBy?: Actor) =>
        ApiKey.issue(token(), { accountId: of, name: 'A key', scope: 'READ', ...(createdBy && { createdBy }) }, at);
      const [late, early, revoked] = [
        issue(after(2), accountId, creator),
        issue(after(1), accountId, creator),
        issue(T0, accountId, creator),
      ];
      revoked.revoke(after(3));
      const [withRevoked, operators] = [
        issue(after(3), accountId, { kind: 'key', id: idOf(revoked) }),
        issue(T0, accountId, OPERATOR),
      ];
      const withThat = issue(after(4), accountId, { kind: 'key', id: idOf(withRevoked) });
      const others = [issue(T0), operators, issue(T0, accountId, { kind: 'key', id: idOf(operators) })];
      const elsewhere = [issue(T0, other, creator), issue(T0, other, { kind: 'key', id: idOf(revoked) })];
      await storage().unitOfWork.run(async ({ apiKeys }) => {
        for (const key of [withThat, late, withRevoked, early, revoked, ...others, ...elsewhere])
          await apiKeys.add(key);
      });

      const locked = await storage().unitOfWork.run(({ apiKeys }) => apiKeys.lockCreatedBy(accountId, creator));

      expect(locked.map((key) => key.toState())).toEqual(
        [early, late, withRevoked, withThat].map((key) => key.toState()),
      );
    });

    it('lets units of work lock an account one after another', async () => {
      const accountId = await anAccount(storage());
      const addOneOfTwo = () =>
        storage().unitOfWork.run(async ({ accounts, apiKeys }) => {
          const account = await accounts.lock(accountId);
          if ((await apiKeys.lockCreatedBy(accountId, OPERATOR)).length < 1)
            await apiKeys.add(
              ApiKey.issue(token(), { accountId, name: account?.name ?? '', scope: 'READ', createdBy: OPERATOR }, T0),
            );
        });

      await Promise.all([addOneOfTwo(), addOneOfTwo(), addOneOfTwo()]);

      expect((await storage().apiKeys.ofAccount(accountId)).map((key) => key.toState().name)).toEqual(['An account']);
      expect(await storage().unitOfWork.run(({ accounts }) => accounts.lock(fresh('acc_')))).toBeUndefined();
    });

    it('counts and pages the keys of one account, newest first, by whether they are active', async () => {
      const [accountId, other] = [await anAccount(storage()), await anAccount(storage())];
      const issue = (at: Date, rest: Partial<{ accountId: string; expiresAt: Date }> = {}) =>
        ApiKey.issue(token(), { accountId, name: 'A key', scope: 'READ', ...rest }, at);
      const [first, twin, expired, revoked, last] = [
        issue(T0),
        issue(T0),
        issue(after(1), { expiresAt: after(5) }),
        issue(after(2)),
        issue(after(3)),
      ];
      revoked.revoke(after(4));
      await storage().unitOfWork.run(async ({ apiKeys }) => {
        for (const key of [last, expired, twin, first, revoked, issue(after(9), { accountId: other })])
          await apiKeys.add(key);
      });
      const paged = (filter: ApiKeyFilter) =>
        allOf(async (lastOne: ApiKey | undefined) =>
          storage().apiKeys.page(
            accountId,
            filter,
            2,
            lastOne && { createdAt: lastOne.toState().createdAt, id: idOf(lastOne) },
          ),
        );
      const ids = async (filter: ApiKeyFilter) => (await paged(filter)).map(idOf);

      expect(await ids({})).toEqual([last, revoked, expired, twin, first].map(idOf));
      expect(await ids({ activeAt: after(5) })).toEqual([last, twin, first].map(idOf));
      expect(await ids({ inactiveAt: after(5) })).toEqual([revoked, expired].map(idOf));
      const counts = await storage().unitOfWork.run(async ({ apiKeys }) => [
        await apiKeys.countActive(accountId, after(4)),
        await apiKeys.countActive(accountId, after(5)),
        await apiKeys.countActive(fresh('acc_'), T0),
      ]);
      expect(counts).toEqual([4, 3, 0]);
    });

    it('takes a key that was not used for long enough as expired, in counts and pages', async () => {
      const accountId = await anAccount(storage());
      const limits = { unusedAfterDays: 2 };
      const issue = (more: object) => ApiKey.issue(token(), { accountId, name: 'A key', scope: 'READ', ...more }, T0);
      const [unused, used, other] = [issue({ limits }), issue({ limits }), issue({ limits: { names: ['www'] } })];
      await storage().unitOfWork.run(async ({ apiKeys }) => {
        for (const key of [unused, used, other]) await apiKeys.add(key);
        await apiKeys.markUsed(new Map([[idOf(used), addDays(T0, 1)]]));
      });
      const ids = async (filter: ApiKeyFilter) => (await storage().apiKeys.page(accountId, filter, 5)).map(idOf);
      const active = (at: Date) => storage().unitOfWork.run(({ apiKeys }) => apiKeys.countActive(accountId, at));

      expect(await ids({ inactiveAt: new Date(addDays(T0, 2).getTime() - 1) })).toEqual([]);
      expect(await ids({ inactiveAt: addDays(T0, 2) })).toEqual([idOf(unused)]);
      expect((await ids({ activeAt: addDays(T0, 2) })).toSorted()).toEqual([used, other].map(idOf).toSorted());
      expect([await active(T0), await active(addDays(T0, 2)), await active(addDays(T0, 3))]).toEqual([3, 2, 1]);
    });

    it('saves a revocation', async () => {
      const accountId = await anAccount(storage());
      const key = ApiKey.issue(token(), { accountId, name: 'A key', scope: 'READ' }, T0);
      const { keyId } = key.toState();
      await storage().unitOfWork.run(({ apiKeys }) => apiKeys.add(key));

      await storage().unitOfWork.run(async ({ apiKeys }) => {
        const locked = await apiKeys.lock(keyId);
        locked?.revoke(after(5));
        if (locked) await apiKeys.save(locked);
      });

      expect((await storage().apiKeys.find(keyId))?.toState()).toEqual({ ...key.toState(), revokedAt: after(5) });
    });

    it('stores when a key expires', async () => {
      const accountId = await anAccount(storage());
      const key = ApiKey.issue(token(), { accountId, name: 'A key', scope: 'READ', expiresAt: after(60_000) }, T0);

      await storage().unitOfWork.run(({ apiKeys }) => apiKeys.add(key));

      expect((await storage().apiKeys.find(key.toState().keyId))?.toState()).toEqual(key.toState());
    });

    it('marks the last use of keys; neither an earlier use nor saving the key overwrites it', async () => {
      const accountId = await anAccount(storage());
      const [key, unused] = [
        ApiKey.issue(token(), { accountId, name: 'A key', scope: 'READ' }, T0),
        ApiKey.issue(token(), { accountId, name: 'Another', scope: 'READ' }, T0),
      ];
      const { keyId } = key.toState();
      const lastUse = async (id: string) => (await storage().apiKeys.find(id))?.toState().lastUsedAt;
      const mark = (...uses: readonly (readonly [string, Date])[]) =>
        storage().unitOfWork.run(({ apiKeys }) => apiKeys.markUsed(new Map(uses)));
      await storage().unitOfWork.run(async ({ apiKeys }) => {
        await apiKeys.add(key);
        await apiKeys.add(unused);
      });

      await mark([keyId, after(5)], ['unknown-key-', after(5)]);
      await mark([keyId, after(3)]);
      key.revoke(after(6));
      await storage().unitOfWork.run(({ apiKeys }) => apiKeys.save(key));

      expect(await lastUse(keyId)).toEqual(after(5));
      expect(await lastUse(unused.toState().keyId)).toBeNull();
    });

    it('locks nothing under an unknown key id', async () => {
      expect(await storage().unitOfWork.run(({ apiKeys }) => apiKeys.lock('unknown-key-'))).toBeUndefined();
    });
  });
}
