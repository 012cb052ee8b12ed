import { fresh, type StorageUnderTest } from '../storage-under-test';

/** What every store of published serials must do. */
export function zonePublicationsContract(storage: () => StorageUnderTest): void {
  const advance = (...zones: readonly { readonly domainId: string; readonly serial: number }[]) =>
    storage().unitOfWork.run(({ zonePublications }) => zonePublications.advance(zones));

  describe('published serials', () => {
    it('rise, each of several zones on its own, and never fall', async () => {
      const [one, other] = [fresh('dom_'), fresh('dom_')];

      expect(await advance({ domainId: one, serial: 0 })).toEqual([{ domainId: one, serial: 0 }]);
      expect(await advance({ domainId: other, serial: 7 }, { domainId: one, serial: 0 })).toEqual([
        { domainId: other, serial: 7 },
      ]);
      expect(await advance({ domainId: other, serial: 6 }, { domainId: one, serial: 5_000_000_000 })).toEqual([
        { domainId: one, serial: 5_000_000_000 },
      ]);
      expect(await advance({ domainId: one, serial: 4 })).toEqual([]);
      expect(await advance()).toEqual([]);
    });

    it('are told to one of several transactions at once', async () => {
      const zones = [{ domainId: fresh('dom_'), serial: 3 }];

      const told = await Promise.all(Array.from({ length: 5 }, () => advance(...zones)));

      expect(told.flat()).toEqual(zones);
    });
  });
}
