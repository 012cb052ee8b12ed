import { after, fresh, T0, type StorageUnderTest } from '../storage-under-test';

/** What every count of daily usage must do. */
export function dailyUsageContract(storage: () => StorageUnderTest): void {
  const addOne = (accountIds: readonly string[]) =>
    storage().dailyUsage.add(
      T0,
      accountIds.map((accountId) => ({ accountId, kind: 'stored responses', bytes: 1 })),
    );

  describe('daily usage', () => {
    const tomorrow = after(86_400_000);

    it('is zero before anything is added, and adds up per day, account and kind', async () => {
      const [accountId, other] = [fresh('acc_'), fresh('acc_')];
      const total = () => storage().dailyUsage.total(T0, accountId, 'zone history');
      const before = await total();

      await storage().dailyUsage.add(T0, [
        { accountId, kind: 'zone history', bytes: 5_000_000_000 },
        { accountId, kind: 'stored responses', bytes: 1 },
        { accountId: other, kind: 'zone history', bytes: 2 },
      ]);
      await storage().dailyUsage.add(tomorrow, [{ accountId, kind: 'zone history', bytes: 3 }]);
      await storage().dailyUsage.add(T0, [{ accountId, kind: 'zone history', bytes: 7 }]);

      expect([before, await total()]).toEqual([0, 5_000_000_007]);
      expect(await storage().dailyUsage.total(T0, accountId, 'stored responses')).toBe(1);
      expect(await storage().dailyUsage.total(T0, other, 'zone history')).toBe(2);
      expect(await storage().dailyUsage.total(tomorrow, accountId, 'zone history')).toBe(3);
    });

    it('loses nothing of what many add at once', async () => {
      const accounts = [fresh('acc_'), fresh('acc_')];
      await Promise.all(Array.from({ length: 10 }, (_, index) => addOne(index % 2 ? accounts : accounts.toReversed())));

      for (const accountId of accounts)
        expect(await storage().dailyUsage.total(T0, accountId, 'stored responses')).toBe(10);
    });
  });
}
