import type { Secondary } from '../../../src/domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../src/domain/dns/secondaries/tsig-key';
import { ValidationError } from '../../../src/domain/shared/validation-error';
import { after, anAccount, BY, fresh, freshDomain, T0, type StorageUnderTest } from '../storage-under-test';

const aKey = (overrides: Partial<TsigKey> = {}): TsigKey => ({
  name: fresh('key-'),
  algorithm: 'hmac-sha256',
  secret: Buffer.from('0123456789abcdef0123456789abcdef'),
  ...overrides,
});
const aSecondary = (keyName: string, overrides: Partial<Secondary> = {}): Secondary => ({
  name: fresh('ns-'),
  endpoint: { address: '2001:db8::53', port: 5353 },
  keyName,
  signs: false,
  createdAt: after(4),
  ...overrides,
});

/** What every directory of secondaries and their keys must do. It is one for the whole service, so each test leaves none behind. */
export function secondaryDirectoryContract(storage: () => StorageUnderTest): void {
  const directory = () => storage().secondaryDirectory;
  const knownKey = async (): Promise<TsigKey> => {
    const key = aKey();
    await directory().addKey(key, T0);
    return key;
  };
  const aZone = async () => {
    const domain = freshDomain(await anAccount(storage()));
    await storage().unitOfWork.run(async ({ domains, zones }) => {
      await domains.add(domain);
      await zones.create(domain.id, BY);
    });
    return domain.id;
  };

  describe('secondaries and TSIG keys', () => {
    afterEach(async () => {
      for (const { name } of await directory().all()) await directory().remove(name);
    });

    it('returns a key with its secret as it was added', async () => {
      const key = aKey({ algorithm: 'hmac-sha512', secret: Buffer.from([0, 255, 128, 10, 13]) });

      await directory().addKey(key, after(1));

      expect(await directory().findKey(key.name)).toEqual({ ...key, isInUse: false });
      expect(await directory().findKey(key.name.toUpperCase())).toBeUndefined();
    });

    it('lists keys by name, without their secrets', async () => {
      const [late, early] = [aKey({ name: fresh('z-') }), aKey({ name: fresh('a-') })];
      await directory().addKey(late, T0);
      await directory().addKey(early, after(2));

      const ours = (await directory().keys()).filter(({ name }) => name === late.name || name === early.name);

      expect(ours).toEqual([
        { name: early.name, algorithm: 'hmac-sha256', createdAt: after(2), revokedAt: null },
        { name: late.name, algorithm: 'hmac-sha256', createdAt: T0, revokedAt: null },
      ]);
    });

    it('finds no revoked key, and keeps the time of the first revocation', async () => {
      const { name } = await knownKey();

      await directory().revokeKey(name, after(1));
      await directory().revokeKey(name, after(2));

      expect(await directory().findKey(name)).toBeUndefined();
      expect((await directory().keys()).find((key) => key.name === name)?.revokedAt).toEqual(after(1));
    });

    it('never reuses the name of a key, even of a revoked one', async () => {
      const { name } = await knownKey();
      await directory().revokeKey(name, T0);

      await expect(directory().addKey(aKey({ name }), T0)).rejects.toThrow(ValidationError);
      await expect(directory().revokeKey('unknown', T0)).rejects.toThrow(ValidationError);
    });

    it('lists secondaries by name, as they were added', async () => {
      const key = await knownKey();
      const [late, early] = [
        aSecondary(key.name, { name: fresh('z-') }),
        aSecondary(key.name, { name: fresh('a-'), endpoint: { address: '192.0.2.53', port: 53 }, signs: true }),
      ];

      for (const secondary of [late, early]) await directory().add(secondary);

      expect(await directory().all()).toEqual([early, late]);
    });

    it('reports which key is in use', async () => {
      const key = await knownKey();
      const secondary = aSecondary(key.name);

      await directory().add(secondary);
      const whileThere = await directory().findKey(key.name);
      await directory().remove(secondary.name);

      expect(whileThere).toMatchObject({ isInUse: true });
      expect(await directory().findKey(key.name)).toMatchObject({ isInUse: false });
    });

    it('refuses a duplicate name, an unknown or revoked key, and the removal of an unknown secondary', async () => {
      const [key, revoked] = [await knownKey(), await knownKey()];
      await directory().revokeKey(revoked.name, T0);
      const secondary = aSecondary(key.name);
      await directory().add(secondary);

      for (const refused of [secondary, aSecondary('unknown'), aSecondary(revoked.name)])
        await expect(directory().add(refused)).rejects.toThrow(ValidationError);
      await expect(directory().remove('unknown')).rejects.toThrow(ValidationError);

      expect(await directory().all()).toEqual([secondary]);
    });

    it('raises the version of every zone when the first signing secondary is added or the last removed, and for no other', async () => {
      const key = await knownKey();
      const zone = await aZone();
      const versions: (number | undefined)[] = [];

      for (const signs of [false, true, true]) {
        await directory().add(aSecondary(key.name, { signs }));
        versions.push((await storage().records.find(zone))?.serial);
      }

      for (const { name } of await directory().all()) {
        await directory().remove(name);
        versions.push((await storage().records.find(zone))?.serial);
      }

      expect(versions.slice(0, 3)).toEqual([1, 2, 2]);
      expect(versions.at(-1)).toBe(3);
    });

    it('tells the time of the last change of any zone', async () => {
      const { clock } = storage();
      await aZone();
      clock.advance({ days: 1 });
      await aZone();

      expect(await directory().latestChange()).toEqual(clock.now());
    });

    it('raises the versions of all zones and of the catalog on request', async () => {
      const [zone, other] = [await aZone(), await aZone()];
      const catalogVersion = await storage().publishedZones.catalogVersion();

      await directory().raiseVersions(1_000);

      expect([(await storage().records.find(zone))?.serial, (await storage().records.find(other))?.serial]).toEqual([
        1_001, 1_001,
      ]);
      expect(await storage().publishedZones.catalogVersion()).toBe(catalogVersion + 1_000);
    });
  });
}
