import { PublicAddresses } from '../../../../src/infrastructure/network/public-addresses';

const addresses = new PublicAddresses([{ address: '10.1.0.0', prefix: 16 }]);

describe('public addresses', () => {
  it.each(['198.41.0.4', '2001:503:ba3e::2:30', '2a01:4f8::1', '3ffe:ffff::1', '3fff:1000::1', '2620:4f:8000::1'])(
    'include %s',
    (address) => expect(addresses.isPublic(address)).toBe(true),
  );

  it.each([
    '127.0.0.1',
    '10.1.0.1',
    '169.254.169.254',
    '192.0.2.1',
    '224.0.0.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '2::1',
    '64:ff9b::7f00:1',
    '2001::1',
    '2001:0:1::1',
    '2001:db8::1',
    '2001:0DB8::1',
    '2002:7f00:1::1',
    '3fff::1',
    '3fff:fff::1',
  ])('do not include %s', (address) => expect(addresses.isPublic(address)).toBe(false));

  it('are not needed in networks that the operator allows', () => {
    expect(addresses.isAllowed('10.1.0.1')).toBe(true);
    expect(addresses.isAllowed('10.2.0.1')).toBe(false);
  });
});
