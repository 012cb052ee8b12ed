import { FindZones } from '../../../../../src/application/dns/dynamic/find-zones';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const IPV6_ADDRESS = '6.0.0.0.5.0.0.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa';

describe('the zone of a full name', () => {
  it.each([
    ['a.b.c.d.e.f.g.h.i.j.k.deep.example', 'c.d.e.f.g.h.i.j.k.deep.example', 'a.b'],
    ['_x._acme.under.example', '_acme.under.example', '_x'],
    ['5.0/26.2.0.192.in-addr.arpa', '0/26.2.0.192.in-addr.arpa', '5'],
    [IPV6_ADDRESS, '1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa', IPV6_ADDRESS.slice(0, 2 * 20 - 1)],
    [IPV6_ADDRESS, IPV6_ADDRESS, '@'],
  ])('of %s is found if it is %s', async (name, zoneName, relative) => {
    const around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: zoneName, status: 'hosted' });

    const found = await new FindZones(around.storage.hostedNames).execute(OURS, [name]);

    expect(found.get(name)).toEqual({ domainId: 'dom_1', zoneName, name: relative });
  });
});
