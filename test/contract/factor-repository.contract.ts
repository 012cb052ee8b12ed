import { after, fresh, T0, type StorageUnderTest } from './storage-under-test';

const digestOf = (text: string) => text.padEnd(64, '0');

/** What every store of second factors must do. */
export function factorRepositoryContract(storage: () => StorageUnderTest): void {
  const totp = (userId: string, lastStep = 59_000_000) => ({
    userId,
    sealedSecret: `v1.sealed for ${userId}`,
    lastStep,
    createdAt: T0,
  });

  describe('second factors', () => {
    it('are none at first', async () => {
      expect(await storage().factors.ofUser(fresh('usr_'))).toEqual({ totp: undefined, recoveryCodes: 0 });
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

    it('are removed together, without those of other users', async () => {
      const [userId, other] = [fresh('usr_'), fresh('usr_')];
      await storage().unitOfWork.run(async ({ factors }) => {
        await factors.saveTotp(totp(userId));
        await factors.saveTotp(totp(other));
        await factors.replaceRecoveryCodes(userId, [digestOf(fresh('a'))]);
        await factors.removeAll(userId);
      });

      expect(await storage().factors.ofUser(userId)).toEqual({ totp: undefined, recoveryCodes: 0 });
      expect((await storage().factors.ofUser(other)).totp).toEqual(totp(other));
    });
  });
}
