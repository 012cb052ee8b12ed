import { BlockList, isIPv4 } from 'node:net';
import * as fc from 'fast-check';
import { ptrNameIn, ptrNameOf, ptrPlaceIn, ptrPlaces } from '../../../../../src/domain/dns/zone-names/ptr-place';
import { networkOfReverseZone } from '../../../../../src/domain/dns/zone-names/reverse-name';
import { seeded } from '../../../../support/seeded';

const address = fc.oneof(fc.ipV4(), fc.ipV6());

function lengthOf(zoneName: string): number {
  return Number(networkOfReverseZone(zoneName)?.split('/')[1]);
}

describe('the name of a PTR record', () => {
  it.each([
    ['192.0.2.10', '10.2.0.192.in-addr.arpa'],
    ['2001:db8::567:89ab', 'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
    ['::ffff:192.0.2.1', '1.0.2.0.0.0.0.c.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa'],
  ])('of %s is %s', (text, name) => {
    expect(ptrNameOf(text)).toBe(name);
  });
});

describe('the zone of a PTR record', () => {
  it.each([
    ['192.0.2.10', ['192.in-addr.arpa', '2.0.192.in-addr.arpa'], '2.0.192.in-addr.arpa', '10'],
    ['192.0.2.10', ['192.in-addr.arpa', '3.0.192.in-addr.arpa'], '192.in-addr.arpa', '10.2.0'],
    ['192.0.2.10', ['2.0.192.in-addr.arpa', '0/26.2.0.192.in-addr.arpa'], '0/26.2.0.192.in-addr.arpa', '10'],
    ['192.0.2.10', ['0/25.2.0.192.in-addr.arpa', '0-63.2.0.192.in-addr.arpa'], '0-63.2.0.192.in-addr.arpa', '10'],
    ['192.0.2.70', ['2.0.192.in-addr.arpa', '0/26.2.0.192.in-addr.arpa'], '2.0.192.in-addr.arpa', '70'],
    ['192.0.2.20', ['0-31.2.0.192.in-addr.arpa'], '0-31.2.0.192.in-addr.arpa', '20'],
    ['192.0.2.10', ['10.2.0.192.in-addr.arpa', '8/30.2.0.192.in-addr.arpa'], '10.2.0.192.in-addr.arpa', '@'],
    ['2001:db8::1', ['8.b.d.0.1.0.0.2.ip6.arpa', '2.ip6.arpa'], '8.b.d.0.1.0.0.2.ip6.arpa', `1${'.0'.repeat(23)}`],
  ])('for %s among %j is %s', (text, zones, zoneName, name) => {
    expect(ptrPlaceIn(text, new Set(zones))).toEqual({ zoneName, name });
    expect(ptrNameIn(text, zoneName)).toBe(name);
  });

  it('is unknown among zones that do not hold the address', () => {
    const zones = ['example.com', '3.0.192.in-addr.arpa', '64/26.2.0.192.in-addr.arpa', 'in-addr.arpa'];

    expect(ptrPlaceIn('192.0.2.10', new Set(zones))).toBeUndefined();
  });

  it('is that of a network that contains the address, smaller networks first', () => {
    fc.assert(
      fc.property(address, (text) => {
        const zones = ptrPlaces(text).map(({ zoneName }) => zoneName);
        const lengths = zones.map(lengthOf);

        for (const zone of zones) {
          const [start = '', length] = (networkOfReverseZone(zone) ?? '').split('/');
          const list = new BlockList();
          list.addSubnet(start, Number(length), isIPv4(text) ? 'ipv4' : 'ipv6');
          expect(list.check(text, isIPv4(text) ? 'ipv4' : 'ipv6')).toBe(true);
        }
        expect(lengths).toEqual(lengths.toSorted((left, right) => right - left));
        expect(new Set(zones).size).toBe(zones.length);
      }),
      seeded(200),
    );
  });
});
