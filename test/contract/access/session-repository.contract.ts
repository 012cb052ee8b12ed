import type { StoredSession } from '../../../src/application/ports/access/users';
import { User } from '../../../src/domain/access/people/user';
import { after, anAccount, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const aSession = (userId: string, overrides: Partial<StoredSession> = {}): StoredSession => ({
  digest: fresh('digest-').padEnd(64, '0'),
  id: fresh('ses_'),
  userId,
  clientAddress: '2001:db8::1',
  userAgent: 'Ünïcode 🦆/1.0',
  data: '{}',
  createdAt: T0,
  lastSeenAt: T0,
  authenticatedAt: T0,
  secondFactorAt: null,
  ...overrides,
});

/** What every store of sessions must do. */
export function sessionRepositoryContract(storage: () => StorageUnderTest): void {
  async function aUser(accountId?: string): Promise<string> {
    const user = User.invite(
      {
        id: fresh('usr_'),
        accountId: accountId ?? (await anAccount(storage())),
        email: `${fresh('seen-')}@example.com`,
        role: 'owner',
      },
      T0,
    );
    await storage().unitOfWork.run(({ users }) => users.add(user));
    return user.id;
  }
  const change = (work: Parameters<StorageUnderTest['unitOfWork']['run']>[0]) => storage().unitOfWork.run(work);
  const stored = async (...sessions: readonly StoredSession[]) => {
    await change(async (stores) => {
      for (const session of sessions) await stores.sessions.add(session);
    });
  };
  const idsOf = async (userId: string) => (await storage().sessions.ofUser(userId)).map(({ id }) => id);

  describe('sessions', () => {
    it('store when the person last entered the password, if known', async () => {
      const [session, other] = [aSession(await aUser(), { authenticatedAt: null }), aSession(await aUser())];
      await stored(session, other);
      expect((await storage().sessions.find(session.digest))?.authenticatedAt).toBeNull();

      await change(({ sessions }) => sessions.recordAuthentication(session.digest, after(5)));

      expect(await storage().sessions.find(session.digest)).toEqual({ ...session, authenticatedAt: after(5) });
      expect(await storage().sessions.find(other.digest)).toEqual(other);
    });

    it('are found as they were added, by the exact digest', async () => {
      const session = aSession(await aUser(), {
        data: '{"notice":"Grüße"}',
        createdAt: after(1),
        lastSeenAt: after(2),
      });

      await stored(session);

      expect(await storage().sessions.find(session.digest)).toEqual(session);
      expect(await storage().sessions.find(session.digest.toUpperCase())).toBeUndefined();
    });

    it('are found by a part of their data', async () => {
      const [part, userId] = [fresh('part-'), await aUser()];
      const session = aSession(userId, { data: `{"at":"${part}"}` });
      await stored(session, aSession(userId, { data: '{}' }));

      expect(await storage().sessions.containing(part)).toEqual([session]);
    });

    it('are listed by person, last seen first', async () => {
      const accountId = await anAccount(storage());
      const [one, other] = [await aUser(accountId), await aUser(accountId)];
      const [early, late] = [aSession(one, { lastSeenAt: after(1) }), aSession(one, { lastSeenAt: after(3) })];
      await stored(early, late, aSession(other, { lastSeenAt: after(2) }));

      expect(await idsOf(one)).toEqual([late.id, early.id]);
    });

    it('store when they were last used, and their data', async () => {
      const session = aSession(await aUser());
      await stored(session);

      await change(async ({ sessions }) => {
        await sessions.recordSeen(session.digest, after(9));
        await sessions.saveData(session.digest, '{"a":1}');
      });

      expect(await storage().sessions.find(session.digest)).toEqual({
        ...session,
        lastSeenAt: after(9),
        data: '{"a":1}',
      });
    });

    it('are not restored by a later request after their end', async () => {
      const session = aSession(await aUser());
      await stored(session);
      await change(({ sessions }) => sessions.end(session.digest));

      await change(async ({ sessions }) => {
        await sessions.recordSeen(session.digest, after(9));
        await sessions.saveData(session.digest, '{"a":1}');
      });

      expect(await storage().sessions.find(session.digest)).toBeUndefined();
    });

    it('keep when a second factor was used', async () => {
      const session = aSession(await aUser());
      await stored(session);

      await change(({ sessions }) => sessions.recordSecondFactor(session.digest, after(5)));

      expect(await storage().sessions.find(session.digest)).toEqual({ ...session, secondFactorAt: after(5) });
    });

    it('end by their public id, for their own person only', async () => {
      const [userId, stranger] = [await aUser(), await aUser()];
      const session = aSession(userId);
      await stored(session);
      const endOf = (user: string) => storage().unitOfWork.run(({ sessions }) => sessions.endOne(user, session.id));

      expect([await endOf(stranger), await endOf(userId), await endOf(userId)]).toEqual([false, true, false]);
      expect(await storage().sessions.find(session.digest)).toBeUndefined();
    });

    it('are listed and ended together for a person in several accounts, and move between the accounts', async () => {
      const [first, second] = [await aUser(), await aUser()];
      await change(async ({ users }) => {
        const [one, other] = [await users.lock(first), await users.lock(second)];
        one!.link(T0);
        other!.joinPerson(one!.toState(), T0);
        await users.save(one!);
        await users.save(other!);
      });
      const [one, other] = [aSession(first, { lastSeenAt: after(2) }), aSession(second, { lastSeenAt: after(1) })];
      await stored(one, other, aSession(second));
      expect(await idsOf(second)).toEqual(await idsOf(first));

      const lastUsed = async () => (await storage().users.lastUsed(first))?.id;
      await change(({ sessions }) => sessions.moveTo(one.digest, second, after(3)));
      expect(await lastUsed()).toBe(second);
      expect((await storage().sessions.find(one.digest))?.userId).toBe(second);
      await change(({ sessions }) => sessions.moveTo(one.digest, first, after(4)));
      expect(await lastUsed()).toBe(first);
      await change(({ sessions }) => sessions.endAt(second));
      expect(await idsOf(second)).toEqual([one.id]);
      await change(({ sessions }) => sessions.endOthers(second));
      expect(await idsOf(first)).toEqual([]);
    });

    it('all end except a given one, or all of them, without affecting other people', async () => {
      const [userId, stranger] = [await aUser(), await aUser()];
      const kept = aSession(userId);
      await stored(kept, aSession(userId), aSession(userId), aSession(stranger));

      await change(({ sessions }) => sessions.endOthers(userId, kept.digest));
      const afterOthers = await idsOf(userId);
      await change(({ sessions }) => sessions.endOthers(userId));

      expect(afterOthers).toEqual([kept.id]);
      expect(await idsOf(userId)).toEqual([]);
      expect(await idsOf(stranger)).toHaveLength(1);
    });
  });
}
