import { fresh, type StorageUnderTest } from './storage-under-test';

/** What all leases must do. */
export function leasesContract(storage: () => StorageUnderTest): void {
  const hold = (name: string, owner: string, stopped?: { owner: string; beats: number }) =>
    storage().leases.hold(name, owner, stopped);

  describe('a lease', () => {
    it('does not exist until it is taken', async () => {
      const name = fresh('lease-');

      expect(await storage().leases.find(name)).toBeUndefined();
      expect(await hold(name, 'one')).toEqual({ owner: 'one', beats: 1 });
      expect(await storage().leases.find(name)).toEqual({ owner: 'one', beats: 1 });
    });

    it('counts a heartbeat each time its holder renews it', async () => {
      const name = fresh('lease-');
      await hold(name, 'one');

      expect(await hold(name, 'one')).toEqual({ owner: 'one', beats: 2 });
    });

    it('is confirmed by its holder only, and not once it is released', async () => {
      const name = fresh('lease-');
      const { leases } = storage();
      const missing = await leases.confirm(name, 'one');
      await hold(name, 'one');

      const held = [await leases.confirm(name, 'one'), await leases.confirm(name, 'other')];
      const state = await leases.find(name);
      await leases.release(name, 'one');

      expect([missing, ...held, await leases.confirm(name, 'one')]).toEqual([false, true, false, false]);
      expect(state).toEqual({ owner: 'one', beats: 2 });
      expect(await leases.find(name)).toMatchObject({ owner: '' });
    });

    it('is not taken from its holder, even if a clock is wrong', async () => {
      const name = fresh('lease-');
      await hold(name, 'one');

      expect(await hold(name, 'other')).toEqual({ owner: 'one', beats: 1 });
    });

    it('is taken from a holder whose heartbeats have stopped, and continues their count', async () => {
      const name = fresh('lease-');
      const stopped = await hold(name, 'one');

      expect(await hold(name, 'other', stopped)).toEqual({ owner: 'other', beats: 2 });
      expect(await hold(name, 'one')).toEqual({ owner: 'other', beats: 2 });
    });

    it('is not taken from a holder that has sent a heartbeat since', async () => {
      const name = fresh('lease-');
      const stopped = await hold(name, 'one');
      await hold(name, 'one');

      expect(await hold(name, 'other', stopped)).toEqual({ owner: 'one', beats: 2 });
    });

    it('is free at once after its owner releases it, and only then', async () => {
      const name = fresh('lease-');
      await hold(name, 'one');

      await storage().leases.release(name, 'other');
      const before = await hold(name, 'other');
      await storage().leases.release(name, 'one');

      expect([before.owner, (await hold(name, 'other')).owner]).toEqual(['one', 'other']);
    });

    it('does not block a lease of another name', async () => {
      await hold(fresh('lease-'), 'one');

      expect(await hold(fresh('lease-'), 'other')).toMatchObject({ owner: 'other' });
    });

    it('goes to one of several processes that request it at once', async () => {
      const name = fresh('lease-');
      const owners = Array.from({ length: 8 }, (_, index) => `owner-${index}`);

      const states = await Promise.all(owners.map(async (owner) => (await hold(name, owner)).owner === owner));

      expect(states.filter(Boolean)).toHaveLength(1);
    });

    it('goes to one of several processes that take it over from a stopped holder', async () => {
      const name = fresh('lease-');
      const stopped = await hold(name, 'dead');
      const owners = Array.from({ length: 8 }, (_, index) => `owner-${index}`);

      const states = await Promise.all(owners.map(async (owner) => (await hold(name, owner, stopped)).owner === owner));

      expect(states.filter(Boolean)).toHaveLength(1);
    });
  });
}
