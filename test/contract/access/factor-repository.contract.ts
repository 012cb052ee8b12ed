import type { Passkey } from '../../../src/domain/access/factors/passkey';
import { after, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const digestOf = (text: string) => text.padEnd(64, '0');

const totp = (userId: string, lastStep = 59_000_000) => ({
  userId,
  sealedSecret: `v1.sealed for ${userId}`,
  lastStep,
  createdAt: T0,
});

const passkey = (userId: string, id: string, createdMs = 0): Passkey => ({
  id,
  userId,
  name: 'Läptop 🦆',
  publicKey: 'pQECAyYgASFYIA',
  counter: 0,
  transports: createdMs === 0 ? [] : ['internal', 'hybrid'],
  createdAt: after(createdMs),
  lastUsedAt: null,
});

/** What every store of second factors must do. */
export function factorRepositoryContract(storage: () => StorageUnderTest): void {
  describe('second factors', () => {
    it('are none at first', async () => {
      expect(await storage().factors.ofUser(fresh('usr_'))).toEqual({
        totp: undefined,
        passkeys: [],
        recoveryCodes: 0,
      });
    });

    it('keep one authenticator app for each user, with the last time step', async () => {
      const [userId, other] = [fresh('usr_'), fresh('usr_')];

      await storage().unitOfWork.run(async ({ factors }) => {
        await factors.saveTotp(totp(userId));
        await factors.saveTotp(totp(other));
        await factors.saveTotp({ ...totp(userId, 59_000_001), createdAt: after(1) });
      });

      expect((await storage().factors.ofUser(userId)).totp).toEqual({
        ...totp(userId, 59_000_001),
        createdAt: after(1),
      });
      expect((await storage().factors.ofUser(other)).totp).toEqual(totp(other));
      expect(await storage().unitOfWork.run(({ factors }) => factors.ofUser(other))).toEqual({
        totp: totp(other),
        passkeys: [],
        recoveryCodes: 0,
      });
    });

    it('take each recovery code once, for its user only', async () => {
      const [userId, other] = [fresh('usr_'), fresh('usr_')];
      const [one, two] = [digestOf(fresh('a')), digestOf(fresh('b'))];
      const take = (user: string, digest: string) =>
        storage().unitOfWork.run(({ factors }) => factors.takeRecoveryCode(user, digest));
      await storage().unitOfWork.run(({ factors }) => factors.replaceRecoveryCodes(userId, [one, two]));

      expect([await take(other, one), await take(userId, one), await take(userId, one)]).toEqual([false, true, false]);
      expect((await storage().factors.ofUser(userId)).recoveryCodes).toBe(1);
    });

    it('put new recovery codes in the place of all earlier ones', async () => {
      const userId = fresh('usr_');
      const [one, two] = [digestOf(fresh('a')), digestOf(fresh('b'))];
      await storage().unitOfWork.run(({ factors }) => factors.replaceRecoveryCodes(userId, [one]));

      await storage().unitOfWork.run(({ factors }) => factors.replaceRecoveryCodes(userId, [two]));

      const take = (digest: string) =>
        storage().unitOfWork.run(({ factors }) => factors.takeRecoveryCode(userId, digest));
      expect([await take(one), await take(two)]).toEqual([false, true]);
    });

    it('keep the passkeys of each user, oldest first, and find them by id', async () => {
      const [userId, other] = [fresh('usr_'), fresh('usr_')];
      const long = fresh('id-').padEnd(1_364, 'a');
      const [first, second, third] = [
        passkey(userId, fresh('z')),
        passkey(userId, long, 1),
        passkey(other, fresh('y')),
      ];

      const added = await storage().unitOfWork.run(async ({ factors }) => [
        await factors.addPasskey(second),
        await factors.addPasskey(first),
        await factors.addPasskey(third),
      ]);

      expect(added).toEqual([true, true, true]);
      expect(await storage().unitOfWork.run(({ factors }) => factors.addPasskey(passkey(other, long)))).toBe(false);
      expect((await storage().factors.ofUser(userId)).passkeys).toEqual([first, second]);
      expect(await storage().factors.passkey(long)).toEqual(second);
      expect(await storage().factors.passkey(fresh('unknown'))).toBeUndefined();
    });

    it('store the use of a passkey unless it was used since it was read', async () => {
      const read = passkey(fresh('usr_'), fresh('id'));
      const used = (counter: number) =>
        storage().unitOfWork.run(({ factors }) => factors.recordPasskeyUse(read, counter, after(9)));
      await storage().unitOfWork.run(({ factors }) => factors.addPasskey(read));

      expect([await used(3_000_000_000), await used(3_000_000_001)]).toEqual([true, false]);
      expect(await storage().factors.passkey(read.id)).toEqual({
        ...read,
        counter: 3_000_000_000,
        lastUsedAt: after(9),
      });
    });

    it('remove a passkey for its user only', async () => {
      const { id, userId, ...rest } = passkey(fresh('usr_'), fresh('id'));
      const remove = (user: string) => storage().unitOfWork.run(({ factors }) => factors.removePasskey(user, id));
      await storage().unitOfWork.run(({ factors }) => factors.addPasskey({ id, userId, ...rest }));

      expect([await remove(fresh('usr_')), await remove(userId), await remove(userId)]).toEqual([false, true, false]);
    });

    it('are removed together, without those of other users', async () => {
      const [userId, other] = [fresh('usr_'), fresh('usr_')];
      await storage().unitOfWork.run(async ({ factors }) => {
        await factors.saveTotp(totp(userId));
        await factors.saveTotp(totp(other));
        await factors.replaceRecoveryCodes(userId, [digestOf(fresh('a'))]);
        await factors.removeAll(userId);
      });

      expect(await storage().factors.ofUser(userId)).toEqual({ totp: undefined, passkeys: [], recoveryCodes: 0 });
      expect((await storage().factors.ofUser(other)).totp).toEqual(totp(other));
    });
  });
}
