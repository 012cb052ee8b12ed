import { assertNotReserved } from '../../../../src/domain/dns/zone-names/reserved-names';
import { isPublicSuffix } from '../../../../src/infrastructure/system/public-suffix-list';
import { thrownBy } from '../../../support/thrown-by';

function problemOf(name: string, permitted: readonly string[] = []): string | undefined {
  return thrownBy(() => assertNotReserved(name, { isPublicSuffix, permitted }))?.details;
}

describe('a zone without a registration', () => {
  it.each([
    ['of a registry', 'co.uk'],
    ['of a registry, by a wildcard', 'foo.ck'],
    ['of a registry, internationalized', 'xn--55qx5d.cn'],
    ['of a provider', 'github.io'],
    ['of reverse zones', 'in-addr.arpa'],
    ['of reverse zones', 'ip6.arpa'],
  ])('cannot be a public suffix %s: %s', (_of, name) => {
    expect(problemOf(name)).toBe(
      `name must not be ${name}, a public suffix: names below it belong to different owners; the operator can permit it with ZONE_PUBLIC_SUFFIXES`,
    );
  });

  it.each(['com', 'internal', 'localhost'])('cannot have a single label: %s', (name) => {
    expect(problemOf(name)).toBe(
      'name must have at least two labels; the operator can permit it with ZONE_PUBLIC_SUFFIXES',
    );
  });

  it.each(['co.uk', 'github.io', 'internal'])('can be %s if the operator permits it', (name) => {
    expect(problemOf(name, ['internal', 'co.uk', 'github.io'])).toBeUndefined();
  });

  it.each([
    'example.co.uk',
    'www.ck',
    'me.github.io',
    'k8s.corp.example',
    'corp.internal',
    'home.arpa',
    '2.0.192.in-addr.arpa',
    '0/26.2.0.192.in-addr.arpa',
    '2.ip6.arpa',
    '_acme-challenge.example.com',
  ])('can be %s', (name) => {
    expect(problemOf(name)).toBeUndefined();
  });
});
