import { OPERATOR, type Actor } from '../../../src/domain/access/actor';
import { ROLES } from '../../../src/domain/access/people/role';
import { setupLink } from '../../../src/domain/access/people/setup-link';
import { User } from '../../../src/domain/access/people/user';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { after, anAccount, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const someone = (accountId: string, email = `${fresh('person-')}@example.com`, at = T0) =>
  User.invite({ id: fresh('usr_'), accountId, email, role: 'manager' }, at);

/** What every store of people and their set-up links must do. */
export function userRepositoryContract(storage: () => StorageUnderTest): void {
  const add = (...users: readonly User[]) =>
    storage().unitOfWork.run(async (stores) => {
      for (const user of users) await stores.users.add(user);
    });
  const stored = async (at = T0): Promise<User> => {
    const user = someone(await anAccount(storage()), undefined, at);
    await add(user);
    return user;
  };
  const take = (digest: string) => storage().unitOfWork.run(({ setupLinks }) => setupLinks.take(digest));

  describe('people', () => {
    it('are found as they were added, by id and by e-mail', async () => {
      const user = User.invite(
        { id: fresh('usr_'), accountId: await anAccount(storage()), email: 'Zoë.Öz@Bücher.example', role: 'owner' },
        after(5),
      );

      await add(user);

      expect((await storage().users.find(user.id))?.toState()).toEqual(user.toState());
      expect((await storage().users.ofEmail('zoë.öz@bücher.example')).map((each) => each.toState())).toEqual([
        user.toState(),
      ]);
    });

    it('keep every role, also when it changes', async () => {
      const user = await stored();
      for (const role of [...ROLES, ...ROLES.toReversed()]) {
        user.changeRights({ role, tags: role === 'billing' ? ['blog', 'shop'] : null }, after(1));
        await storage().unitOfWork.run(({ users }) => users.save(user));

        expect((await storage().users.find(user.id))?.toState()).toMatchObject({
          role,
          tags: role === 'billing' ? ['blog', 'shop'] : null,
        });
      }
    });

    it('are found by their exact id and e-mail only', async () => {
      const user = await stored();

      expect(await storage().users.find(user.id.toUpperCase())).toBeUndefined();
      expect(await storage().users.find(`${user.id} `)).toBeUndefined();
      expect(await storage().users.ofEmail(`${user.email} `)).toEqual([]);
      expect(await storage().users.ofEmail(user.email.replace('e', 'é'))).toEqual([]);
    });

    it('have an e-mail that no other person of the account has', async () => {
      const user = await stored();
      const { accountId } = user.toState();

      await expect(add(someone(accountId, user.email))).rejects.toThrow(ValidationError);

      expect(await storage().users.ofAccount(accountId)).toHaveLength(1);
    });

    it('may have one e-mail in several accounts, each with a password of its account', async () => {
      const [first, second] = [await stored(), await anAccount(storage())];
      const other = someone(second, first.email, after(1));
      await add(other);
      for (const [user, letter] of [
        [first, 'a'],
        [other, 'b'],
      ] as const) {
        user.setPasswordHash(`$2b$12$${letter.repeat(53)}`, after(2));
        await storage().unitOfWork.run(({ users }) => users.save(user));
      }

      expect((await storage().users.ofEmail(first.email)).map((user) => user.toState())).toEqual([
        first.toState(),
        other.toState(),
      ]);
      expect(await storage().unitOfWork.run(({ users }) => users.hashesOf(first.email))).toEqual([
        first.toState().passwordHash,
        other.toState().passwordHash,
      ]);
      await expect(storage().unitOfWork.run(({ users }) => users.save(first))).resolves.toBeUndefined();
    });

    it('are added as the first of a service once for an e-mail, in any account', async () => {
      const [one, other] = [someone(await anAccount(storage())), await anAccount(storage())];
      await storage().unitOfWork.run(({ users }) => users.addFirst(one));

      await expect(storage().unitOfWork.run(({ users }) => users.addFirst(someone(other, one.email)))).rejects.toThrow(
        ValidationError,
      );

      expect(await storage().users.ofAccount(other)).toEqual([]);
    });

    it('are listed by account, oldest first', async () => {
      const [accountId, other] = [await anAccount(storage()), await anAccount(storage())];
      const users = [3, 1, 2].map((at) => someone(accountId, undefined, after(at)));
      await add(...users, someone(other));

      expect((await storage().users.ofAccount(accountId)).map(({ id }) => id)).toEqual(
        [users[1], users[2], users[0]].map((user) => user?.id),
      );
    });

    it('are saved with their password', async () => {
      const user = await stored();
      user.setPasswordHash(`$2b$12$${'x'.repeat(53)}`, after(7));

      await storage().unitOfWork.run(({ users }) => users.save(user));

      expect((await storage().users.find(user.id))?.toState()).toEqual(user.toState());
      expect((await storage().unitOfWork.run(({ users }) => users.lock(user.id)))?.toState()).toEqual(user.toState());
    });

    it('share a password with the users that they have in other accounts', async () => {
      const [first, joined, stranger] = [await stored(T0), await stored(after(1)), await stored(after(2))];
      first.setPasswordHash(`$2b$12$${'a'.repeat(53)}`, after(3));
      first.link(after(3));
      joined.joinPerson(first.toState(), after(3));
      await storage().unitOfWork.run(async ({ users }) => {
        for (const user of [first, joined]) await users.save(user);
      });
      const { personId } = first.toState();
      const ids = async () => [
        (await storage().users.ofPerson(personId)).map(({ id }) => id),
        (await storage().unitOfWork.run(({ users }) => users.lockPerson(personId))).map(({ id }) => id),
      ];

      expect((await storage().users.find(joined.id))?.toState()).toEqual(joined.toState());
      expect(await ids()).toEqual([
        [first.id, joined.id],
        [first.id, joined.id],
      ]);
      expect((await storage().users.ofPerson(stranger.id)).map(({ id }) => id)).toEqual([stranger.id]);

      first.separate(fresh('per_'), after(4));
      await storage().unitOfWork.run(({ users }) => users.save(first));

      expect((await storage().users.find(first.id))?.toState()).toEqual(first.toState());
      expect(await ids()).toEqual([[joined.id], [joined.id]]);
    });

    it('are removed with their sessions and their set-up link, and no other person is removed', async () => {
      const [leaving, staying] = [await stored(), await stored()];
      const links = [leaving, staying].map(({ id }) =>
        setupLink(fresh('token-'), { userId: id, issuedBy: OPERATOR }, T0),
      );
      const sessions = [leaving, staying].map(({ id }) => ({
        digest: fresh('digest-').padEnd(64, '0'),
        id: fresh('ses_'),
        userId: id,
        clientAddress: '192.0.2.1',
        userAgent: 'a browser',
        data: '{}',
        createdAt: T0,
        lastSeenAt: T0,
        authenticatedAt: null,
        secondFactorAt: null,
      }));
      await storage().unitOfWork.run(async (stores) => {
        for (const link of links) await stores.setupLinks.put(link);
        for (const session of sessions) await stores.sessions.add(session);
      });

      await storage().unitOfWork.run(({ users }) => users.remove(leaving));

      expect(await storage().users.find(leaving.id)).toBeUndefined();
      expect(await storage().sessions.ofUser(leaving.id)).toEqual([]);
      expect(await take(links[0]!.tokenDigest)).toBeUndefined();
      expect(await storage().users.find(staying.id)).toBeDefined();
      expect(await storage().sessions.ofUser(staying.id)).toHaveLength(1);
      expect(await take(links[1]!.tokenDigest)).toEqual(links[1]);
    });

    it('are locked by account, oldest first', async () => {
      const [accountId, other] = [await anAccount(storage()), await anAccount(storage())];
      const [second, first] = [2, 1].map((at) => someone(accountId, undefined, after(at)));
      await add(second!, first!, someone(other));

      const locked = await storage().unitOfWork.run(({ users }) => users.lockAll(accountId));

      expect(locked.map((user) => user.toState())).toEqual([first!.toState(), second!.toState()]);
    });

    it('wait for the transaction that has locked all of them', async () => {
      const accountId = await anAccount(storage());
      const people = [someone(accountId), someone(accountId)];
      await add(...people);
      const removeOneOfTwo = (user: User) =>
        storage().unitOfWork.run(async ({ users }) => {
          if ((await users.lockAll(accountId)).length === 2) await users.remove(user);
        });

      await Promise.all(people.map(removeOneOfTwo));

      expect(await storage().users.ofAccount(accountId)).toHaveLength(1);
    });

    it('cannot be locked by an unknown id', async () => {
      expect(await storage().unitOfWork.run(({ users }) => users.lock('usr_unknown'))).toBeUndefined();
    });
  });

  describe('set-up links', () => {
    it('are taken once, as they were stored', async () => {
      const link = setupLink(fresh('token-'), { userId: (await stored()).id, issuedBy: OPERATOR }, after(1));
      await storage().unitOfWork.run(({ setupLinks }) => setupLinks.put(link));

      expect([await take(link.tokenDigest), await take(link.tokenDigest)]).toEqual([link, undefined]);
    });

    it('are found as they were stored until they are taken', async () => {
      const link = setupLink(fresh('token-'), { userId: (await stored()).id, issuedBy: OPERATOR }, after(1));
      await storage().unitOfWork.run(({ setupLinks }) => setupLinks.put(link));
      const find = () => storage().setupLinks.find(link.tokenDigest);

      expect([await find(), await find()]).toEqual([link, link]);

      await take(link.tokenDigest);
      expect(await find()).toBeUndefined();
    });

    it('are taken by only one of several simultaneous requests', async () => {
      const link = setupLink(fresh('token-'), { userId: (await stored()).id, issuedBy: OPERATOR }, T0);
      await storage().unitOfWork.run(({ setupLinks }) => setupLinks.put(link));

      const taken = await Promise.all(Array.from({ length: 5 }, () => take(link.tokenDigest)));

      expect(taken.filter((each) => each !== undefined)).toEqual([link]);
    });

    it('invalidate the earlier link of the same person', async () => {
      const { id } = await stored();
      const [first, second] = [
        setupLink(fresh('token-'), { userId: id, issuedBy: OPERATOR }, T0),
        setupLink(fresh('token-'), { userId: id, issuedBy: OPERATOR }, after(1)),
      ];
      for (const link of [first, second]) await storage().unitOfWork.run(({ setupLinks }) => setupLinks.put(link));

      expect([await take(first.tokenDigest), await take(second.tokenDigest)]).toEqual([undefined, second]);
    });

    it('are taken by the person they are for', async () => {
      const link = setupLink(fresh('token-'), { userId: (await stored()).id, issuedBy: OPERATOR }, T0);
      await storage().unitOfWork.run(({ setupLinks }) => setupLinks.put(link));
      const takeFor = () => storage().unitOfWork.run(({ setupLinks }) => setupLinks.takeFor(link.userId));

      expect([await takeFor(), await takeFor()]).toEqual([link, undefined]);
    });

    it('are taken for and by a person together with those of an unknown issuer, in the same account only', async () => {
      const [accountId, other] = [await anAccount(storage()), await anAccount(storage())];
      const [person, invited, legacy, untouched] = [
        someone(accountId),
        someone(accountId),
        someone(accountId),
        someone(accountId),
      ];
      const stranger = someone(other);
      await add(person, invited, legacy, untouched, stranger);
      const byPerson = { kind: 'user', id: person.id } as const;
      const put = async (userId: string, issuedBy: Actor | null, at: Date) => {
        const link = setupLink(fresh('token-'), { userId, issuedBy }, at);
        await storage().unitOfWork.run(({ setupLinks }) => setupLinks.put(link));
        return link;
      };
      const taken = [
        await put(person.id, OPERATOR, after(1)),
        await put(invited.id, byPerson, after(2)),
        await put(legacy.id, null, after(3)),
      ];
      const [kept, strange] = [await put(untouched.id, OPERATOR, after(4)), await put(stranger.id, null, after(5))];
      expect(await storage().setupLinks.ofAccount(accountId)).toEqual([...taken, kept]);

      const links = await storage().unitOfWork.run(({ setupLinks }) => setupLinks.takeAllOf(person));

      expect(links.toSorted((left, right) => left.createdAt.getTime() - right.createdAt.getTime())).toEqual(taken);
      expect(await storage().setupLinks.ofAccount(accountId)).toEqual([kept]);
      expect(await storage().setupLinks.ofAccount(other)).toEqual([strange]);
    });

    it('are still available if the unit of work that took them is rolled back', async () => {
      const link = setupLink(fresh('token-'), { userId: (await stored()).id, issuedBy: OPERATOR }, T0);
      await storage().unitOfWork.run(({ setupLinks }) => setupLinks.put(link));

      const unit = storage().unitOfWork.run(async ({ setupLinks }) => {
        await setupLinks.take(link.tokenDigest);
        throw new Error('undone');
      });

      await expect(unit).rejects.toThrow('undone');
      expect(await take(link.tokenDigest)).toEqual(link);
    });
  });
}
