import * as fc from 'fast-check';
import { networkOfReverseZone } from '../../../../../src/domain/dns/zone-names/reverse-name';
import { reverseZoneOf } from '../../../../../src/domain/dns/zone-names/reverse-zone';
import { parseZoneName } from '../../../../../src/domain/dns/zone-names/zone-name';
import { seeded } from '../../../../support/seeded';
import { thrownBy } from '../../../../support/thrown-by';

const octet = fc.integer({ min: 0, max: 255 });
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const TWO_TO_THE = (bits: number): bigint => 1n << BigInt(bits);

/** Clears the bits after the prefix by arithmetic, not by octets as the code does. */
function masked(value: bigint, bits: number, length: number): bigint {
  return value - (value % TWO_TO_THE(bits - length));
}

const ipv4Network = fc
  .tuple(fc.array(octet, { minLength: 4, maxLength: 4 }), fc.constantFrom(8, 16, 24, 25, 26, 27, 28, 29, 30, 31, 32))
  .map(([octets, length]) => {
    const value = masked(
      octets.reduce((sum, each) => sum * 256n + BigInt(each), 0n),
      32,
      length,
    );
    return `${[24, 16, 8, 0].map((shift) => (value >> BigInt(shift)) & 255n).join('.')}/${length}`;
  });
const ipv6Network = fc
  .tuple(fc.array(group, { minLength: 8, maxLength: 8 }), fc.integer({ min: 1, max: 32 }))
  .map(([groups, nibbles]) => {
    const value = masked(BigInt(`0x${groups.map((each) => each.padStart(4, '0')).join('')}`), 128, 4 * nibbles);
    const digits = value.toString(16).padStart(32, '0');
    return `${new URL(`http://[${digits.match(/.{4}/g)?.join(':')}]`).hostname.slice(1, -1)}/${4 * nibbles}`;
  })
  .filter((network) => !network.startsWith('::ffff:'));

describe('the reverse zone of a network', () => {
  it.each([
    ['192.0.2.0/24', '2.0.192.in-addr.arpa'],
    ['10.0.0.0/8', '10.in-addr.arpa'],
    ['172.16.0.0/16', '16.172.in-addr.arpa'],
    ['192.0.2.1/32', '1.2.0.192.in-addr.arpa'],
    ['192.0.2.0/26', '0/26.2.0.192.in-addr.arpa'],
    ['192.0.2.128/25', '128/25.2.0.192.in-addr.arpa'],
    ['192.0.2.254/31', '254/31.2.0.192.in-addr.arpa'],
    ['2001:DB8::/48', '0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
    ['2001:db8::/32', '8.b.d.0.1.0.0.2.ip6.arpa'],
    ['2001:db8:0:12::/64', '2.1.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
    ['fd00::/8', 'd.f.ip6.arpa'],
    [' 192.0.2.0/24 ', '2.0.192.in-addr.arpa'],
  ])('%s is %s', (network, name) => {
    expect(reverseZoneOf(network)).toBe(name);
  });

  it.each([
    ['', 'must be a network in CIDR notation, such as 192.0.2.0/24 or 2001:db8::/48'],
    ['example.com', 'must be a network in CIDR notation, such as 192.0.2.0/24 or 2001:db8::/48'],
    ['192.0.2.0/24/1', 'must be a network in CIDR notation, such as 192.0.2.0/24 or 2001:db8::/48'],
    ['fe80::1%eth0/64', 'must be a network in CIDR notation, such as 192.0.2.0/24 or 2001:db8::/48'],
    ['192.0.2.1', 'must have a prefix length, such as 192.0.2.0/24 or 2001:db8::/48; that of the address alone is /32'],
    ['192.0.2.0/', 'must have a prefix length from 1 to 32'],
    ['192.0.2.0/33', 'must have a prefix length from 1 to 32'],
    ['0.0.0.0/0', 'must have a prefix length from 1 to 32'],
    ['2001:db8::/129', 'must have a prefix length from 1 to 128'],
    ['192.0.2.0/2x', 'must have a prefix length from 1 to 32'],
    ['192.0.2.1/24', 'must have no address bits after its prefix: the network of 192.0.2.1/24 is 192.0.2.0/24'],
    ['192.0.2.100/26', 'must have no address bits after its prefix: the network of 192.0.2.100/26 is 192.0.2.64/26'],
    ['2001:db8::1/48', 'must have no address bits after its prefix: the network of 2001:db8::1/48 is 2001:db8::/48'],
    [
      '::ffff:192.0.2.0/120',
      'must be an IPv4 network or one of IPv6, not of IPv4-mapped addresses, such as 192.0.2.0/24 or 2001:db8::/48',
    ],
    [
      '::ffff:c000:200/120',
      'must be an IPv4 network or one of IPv6, not of IPv4-mapped addresses, such as 192.0.2.0/24 or 2001:db8::/48',
    ],
    [
      '192.0.16.0/20',
      'must have a prefix length of 8, 16 or 24 to 32: 192.0.16.0/20 takes 16 zones, from 192.0.16.0/24 to 192.0.31.0/24, or is in 192.0.0.0/16',
    ],
    ['200.0.0.0/4', 'must have no address bits after its prefix: the network of 200.0.0.0/4 is 192.0.0.0/4'],
    [
      '128.0.0.0/1',
      'must have a prefix length of 8, 16 or 24 to 32: 128.0.0.0/1 takes 128 zones, from 128.0.0.0/8 to 255.0.0.0/8',
    ],
    [
      '2001:db8::/47',
      'must have a prefix length of a multiple of 4: 2001:db8::/47 takes 2 zones, from 2001:db8::/48 to 2001:db8:1::/48, or is in 2001:db8::/44',
    ],
  ])('%j is refused with what is possible', (network, problem) => {
    expect(thrownBy(() => reverseZoneOf(network))?.details).toBe(`network ${problem}`);
  });

  it('has a valid name that leads back to the network, for every network at a boundary', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4Network, ipv6Network), (network) => {
        const name = reverseZoneOf(network);
        expect(parseZoneName(name)).toBe(name);
        expect(networkOfReverseZone(name)).toBe(network);
      }),
      seeded(500),
    );
  });
});

describe('the network of a reverse zone', () => {
  it.each([
    ['0-63.2.0.192.in-addr.arpa', '192.0.2.0/26'],
    ['64-26.2.0.192.in-addr.arpa', '192.0.2.64/26'],
    ['0-31.2.0.192.in-addr.arpa', '192.0.2.0/27'],
    ['0-30.2.0.192.in-addr.arpa', '192.0.2.0/30'],
    ['128-255.2.0.192.in-addr.arpa', '192.0.2.128/25'],
  ])('%s, written with a hyphen, is %s', (name, network) => {
    expect(networkOfReverseZone(name)).toBe(network);
  });

  it.each([
    'in-addr.arpa',
    'ip6.arpa',
    'example.com',
    'xin-addr.arpa',
    'customer7.2.0.192.in-addr.arpa',
    '0-255.2.0.192.in-addr.arpa',
    '0-300.2.0.192.in-addr.arpa',
    '300.in-addr.arpa',
    'x.ip6.arpa',
  ])('is unknown for %s', (name) => {
    expect(networkOfReverseZone(name)).toBeUndefined();
  });
});
