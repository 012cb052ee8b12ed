import { array, assert, integer, property } from 'fast-check';
import {
  parseAddress,
  parsePrefix,
  updateAddresses,
  type AddressRecord,
  type AddressUpdate,
} from '../../../../../src/domain/dns/update/host-addresses';
import { seeded } from '../../../../support/seeded';

const NOTHING: AddressUpdate = { ipv4: [], ipv6: [] };
const CURRENT: readonly AddressRecord[] = [
  { type: 'A', content: '192.0.2.1', ttl: 300 },
  { type: 'AAAA', content: '2001:db8:1:2::7', ttl: 600 },
];
const lines = (records: readonly AddressRecord[]) =>
  records.map(({ type, content, ttl }) => `${ttl} ${type} ${content}`);
const renumbered = (prefix: string, address: string) =>
  updateAddresses([{ type: 'AAAA', content: address, ttl: 60 }], { ...NOTHING, prefix: parsePrefix(prefix) })[0]
    ?.content;

const groups = array(integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
const textOf = (numbers: readonly number[]) => numbers.map((number) => number.toString(16)).join(':');
const bitsOf = (numbers: readonly number[]) => numbers.map((number) => number.toString(2).padStart(16, '0')).join('');

describe('the addresses of a host after an update', () => {
  it('replaces the family that the update names, keeps its TTL, and leaves the other family', () => {
    expect(lines(updateAddresses(CURRENT, { ...NOTHING, ipv4: ['192.0.2.9'] }))).toEqual([
      '300 A 192.0.2.9',
      '600 AAAA 2001:db8:1:2::7',
    ]);
    expect(lines(updateAddresses(CURRENT, { ...NOTHING, ipv6: ['2001:db8::9', '2001:db8::9'] }))).toEqual([
      '300 A 192.0.2.1',
      '600 AAAA 2001:db8::9',
    ]);
  });

  it('gives a new address a TTL of 60 seconds', () => {
    expect(lines(updateAddresses([], { ...NOTHING, ipv4: ['192.0.2.9'] }))).toEqual(['60 A 192.0.2.9']);
  });

  it('moves the IPv6 addresses to a new prefix and keeps their host part', () => {
    expect(renumbered('2001:db8:aa00::/40', '2001:db8:1:2:3:4:5:6')).toBe('2001:db8:aa01:2:3:4:5:6');
    expect(renumbered('2001:db8:9:900::/56', '2001:db8:1:2:3:4:5:6')).toBe('2001:db8:9:902:3:4:5:6');
    expect(renumbered('2001:db8:9:9::/64', '2001:db8:1:2::1')).toBe('2001:db8:9:9::1');
    expect(renumbered('2001:db8:9:9::5/128', '2001:db8:1:2::1')).toBe('2001:db8:9:9::5');
    expect(renumbered('2001:db8:9:9:ffff::/64', '2001:db8:1:2::1')).toBe('2001:db8:9:9::1');
  });

  it('takes the network bits from the prefix and the host bits from the address, whatever the length', () => {
    assert(
      property(groups, groups, integer({ min: 1, max: 128 }), (network, host, length) => {
        const bits = bitsOf(network).slice(0, length) + bitsOf(host).slice(length);
        const expected = network.map((_, index) => Number.parseInt(bits.slice(16 * index, 16 * index + 16), 2));

        const moved = renumbered(`${textOf(network)}/${length}`, parseAddress(textOf(host))?.address ?? '');

        expect(moved).toBe(parseAddress(textOf(expected))?.address);
      }),
      seeded(300),
    );
  });
});

describe('parsing addresses', () => {
  it.each([
    ['192.0.2.1', 'ipv4', '192.0.2.1'],
    ['::ffff:192.0.2.1', 'ipv4', '192.0.2.1'],
    ['2001:DB8:0:0::1', 'ipv6', '2001:db8::1'],
  ])('reads %s as %s %s', (text, family, address) => {
    expect(parseAddress(text)).toEqual({ family, address });
  });

  it.each(['', 'auto', '192.0.2', '192.0.2.01', '192.0.2.1/32', 'fe80::1%eth0', '2001:db8::/64', '1::2::3'])(
    'does not read %j',
    (text) => {
      expect(parseAddress(text)).toBeUndefined();
    },
  );

  it.each(['', '2001:db8::', '2001:db8::/0', '2001:db8::/129', '2001:db8::/6x', '192.0.2.0/24', '2001:db8::/64/64'])(
    'does not read the prefix %j',
    (text) => {
      expect(parsePrefix(text)).toBeUndefined();
    },
  );
});
