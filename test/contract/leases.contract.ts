import { after, fresh, T0, type StorageUnderTest } from './storage-under-test';

/** What all leases must do. */
export function leasesContract(storage: () => StorageUnderTest): void {
  const hold = (name: string, owner: string, now = T0) => storage().leases.hold(name, owner, now, 1_000);

  describe('a lease', () => {
    it('belongs to who holds it until it ends', async () => {
      const name = fresh('lease-');

      expect(await hold(name, 'one')).toBe(true);
      expect(await hold(name, 'other', after(999))).toBe(false);
      expect(await hold(name, 'other', after(1_000))).toBe(true);
      expect(await hold(name, 'one', after(1_001))).toBe(false);
    });

    it('is kept by who holds it already', async () => {
      const name = fresh('lease-');
      await hold(name, 'one');

      expect(await hold(name, 'one', after(900))).toBe(true);

      expect(await hold(name, 'other', after(1_500))).toBe(false);
    });

    it('is free at once where its owner gives it back, and only then', async () => {
      const name = fresh('lease-');
      await hold(name, 'one');

      await storage().leases.release(name, 'other');
      const before = await hold(name, 'other', after(1));
      await storage().leases.release(name, 'one');

      expect([before, await hold(name, 'other', after(2))]).toEqual([false, true]);
    });

    it('is no obstacle to a lease of another name', async () => {
      await hold(fresh('lease-'), 'one');

      expect(await hold(fresh('lease-'), 'other')).toBe(true);
    });

    it('goes to one of many who reach for it at once', async () => {
      const name = fresh('lease-');

      const held = await Promise.all(Array.from({ length: 8 }, (_, index) => hold(name, `owner-${index}`)));

      expect(held.filter(Boolean)).toHaveLength(1);
    });
  });
}
