import { SubZones } from '../../../../src/application/hosting/sub-zones';
import { Domain } from '../../../../src/domain/registration/domain';

const zone = (name: string, accountId: string) =>
  Domain.host({ id: `dom_${name}`, accountId, name, nameservers: [], isVerified: true }, new Date(0)).toState();

function aboveAmong(...zones: readonly ReturnType<typeof zone>[]) {
  const domains = { zonesAmong: async () => zones };
  return new SubZones(domains, undefined as never, undefined as never, undefined as never);
}

describe('the zone above a zone', () => {
  it('is the closest one', async () => {
    const zones = aboveAmong(zone('example', 'acc_1'), zone('b.example', 'acc_1'));

    expect((await zones.above('acc_1', 'a.b.example'))?.name).toBe('b.example');
  });

  it('is none of the account if the closest one is another account’s: only that one can delegate', async () => {
    const zones = aboveAmong(zone('b.example', 'acc_2'), zone('example', 'acc_1'));

    expect(await zones.above('acc_1', 'a.b.example')).toBeUndefined();
  });
});
