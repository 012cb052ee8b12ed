import { isSerialAtLeast, serialOf } from '../../../../src/domain/dns/zone-serial';

describe('serials of zones', () => {
  it('wrap around after 32 bits', () => {
    expect([1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5].map(serialOf)).toEqual([1, 4_294_967_295, 0, 5]);
  });

  it.each([
    [7, 7, true],
    [8, 7, true],
    [6, 7, false],
    [0, 4_294_967_295, true],
    [4_294_967_295, 0, false],
    [2 ** 20 + 7, 7, true],
  ])('compare as RFC 1982 says: %d reaches %d: %s', (one, other, expected) => {
    expect(isSerialAtLeast(one, other)).toBe(expected);
  });
});
