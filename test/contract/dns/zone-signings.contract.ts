import type { NamedSigning } from '../../../src/application/ports/dns/signing-repository';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import type { DomainState } from '../../../src/domain/registration/domain';
import { after, allOf, anAccount, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

async function aSigning(
  storage: StorageUnderTest,
  now = T0,
  overrides: Partial<DomainState> = {},
): Promise<ZoneSigning> {
  const { id: domainId } = await storedDomain(storage, await anAccount(storage), overrides);
  const signing = ZoneSigning.request(domainId, 'nsec3', now);
  await storage.unitOfWork.run(({ zoneSignings }) => zoneSignings.add(signing));
  return signing;
}

/** What every store of signed zones must do. */
export function zoneSigningsContract(storage: () => StorageUnderTest): void {
  describe('signed zones', () => {
    it('are stored and read with everything that they wait for', async () => {
      const signing = await aSigning(storage());
      signing.recordSigned({ keyId: 'key_1', serial: 7, cachedSeconds: 3_600 }, after(1));
      signing.served(after(2));
      signing.endWait(after(3_600_002));
      signing.promise(
        [
          {
            keyTag: 1,
            algorithm: 13,
            digestType: 2,
            digest: 'AB',
            key: { flags: 257, algorithm: 13, publicKey: 'A=' },
          },
        ],
        'op_1',
        after(3_600_003),
      );
      signing.fail({ reason: 'The registry refused', remedy: 'Try again' }, after(3_600_004));
      await storage().unitOfWork.run(({ zoneSignings }) => zoneSignings.save(signing));

      expect((await storage().zoneSignings.find(signing.domainId))?.toState()).toEqual(signing.toState());
      expect(
        await storage().unitOfWork.run(async ({ zoneSignings }) =>
          (await zoneSignings.lock(signing.domainId))?.toState(),
        ),
      ).toEqual(signing.toState());
    });

    it('are found when a step is due, and with the next time at which one is', async () => {
      const past = new Date('2020-01-01T00:00:00.000Z');
      const { domainId } = await aSigning(storage(), past);

      expect(await storage().zoneSignings.due(past, 10)).toContainEqual({ id: domainId, name: expect.any(String) });
      expect(await storage().zoneSignings.due(new Date(past.getTime() - 1), 10)).toEqual([]);
      expect(await storage().zoneSignings.nextDueAt()).toEqual(past);
      expect(await storage().zoneSignings.any()).toBe(true);
      expect(await storage().unitOfWork.run(({ zones }) => zones.isSigned(domainId))).toBe(true);
    });

    it('are listed by name, and found by it', async () => {
      const storages = storage();
      const [one, two] = [await aSigning(storages), await aSigning(storages)];
      const nameOf = async ({ domainId }: ZoneSigning) =>
        (await storages.unitOfWork.run(({ domains }) => domains.lockAny(domainId)))?.name.value ?? '';
      const names = [await nameOf(one), await nameOf(two)].toSorted();

      const all = await allOf<NamedSigning>((last) => storages.zoneSignings.page(1, last?.name));

      expect(all.map(({ name }) => name).filter((name) => names.includes(name))).toEqual(names);
      expect(await storages.zoneSignings.findByName(await nameOf(two))).toEqual(two);
      expect(await storages.zoneSignings.findByName('unknown.example')).toBeUndefined();
    });

    it('are not found by the name of a domain that has ended', async () => {
      const storages = storage();
      const ended = await aSigning(storages, T0, { status: 'transferred_out' });
      const { name = '' } = (await storages.zoneSignings.due(T0, 1_000)).find(({ id }) => id === ended.domainId) ?? {};

      expect(await storages.zoneSignings.findByName(name)).toBeUndefined();
      const present = await aSigning(storages, T0, { name });
      expect(await storages.zoneSignings.findByName(name)).toEqual(present);
    });

    it('are added once and not found after they are removed', async () => {
      const signing = await aSigning(storage());

      await expect(storage().unitOfWork.run(({ zoneSignings }) => zoneSignings.add(signing))).rejects.toMatchObject({
        code: 'OPERATION_IN_PROGRESS',
      });
      await storage().unitOfWork.run(({ zoneSignings }) => zoneSignings.remove(signing.domainId));
      expect(await storage().zoneSignings.find(signing.domainId)).toBeUndefined();
      expect(
        await storage().unitOfWork.run(({ zoneSignings }) => zoneSignings.lockIfFree(signing.domainId)),
      ).toBeUndefined();
    });
  });
}
