import { after, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const order = (keyId: string, at: Date, minor: number) => ({
  orderId: fresh('op_'),
  keyId,
  at,
  price: { minor, currency: 'USD' },
});

/** What every store of the spending of keys must do. */
export function keySpendingContract(storage: () => StorageUnderTest): void {
  const total = (keyId: string, since: Date) =>
    storage().unitOfWork.run(({ keySpending }) => keySpending.total(keyId, since));

  describe('the spending of keys', () => {
    it('adds up per key since a time, without released amounts', async () => {
      const [key, other] = [fresh('k_'), fresh('k_')];
      const failed = order(key, after(2), 7);
      await storage().unitOfWork.run(async ({ keySpending }) => {
        await keySpending.add(order(key, T0, 100));
        await keySpending.add(order(key, after(1), 3_000_000_000));
        await keySpending.add(failed);
        await keySpending.add(order(other, after(1), 5));
      });
      const before = await total(key, T0);

      await storage().unitOfWork.run(({ keySpending }) => keySpending.release(failed.orderId));
      await storage().unitOfWork.run(({ keySpending }) => keySpending.release('op_unknown'));

      expect(before).toBe(3_000_000_107);
      expect([await total(key, T0), await total(key, after(1)), await total(key, after(2))]).toEqual([
        3_000_000_100, 3_000_000_000, 0,
      ]);
    });
  });
}
