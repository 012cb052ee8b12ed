import { lookupTermsOf, mergeSpf, parseSpf } from '../../../../../src/domain/dns/mail/spf';

describe('merged SPF records', () => {
  it.each([
    [
      'v=spf1 include:a.example ~all',
      'v=spf1 include:b.example -all',
      'v=spf1 include:a.example include:b.example -all',
    ],
    ['v=spf1 include:A.example ~all', 'v=spf1 include:a.example ~all', 'v=spf1 include:A.example ~all'],
    ['v=spf1 mx ip4:192.0.2.0/24', 'v=spf1 mx ?all', 'v=spf1 mx ip4:192.0.2.0/24 ?all'],
  ])('%s and %s become %s', (present, added, merged) => {
    expect(mergeSpf(present, added)).toBe(merged);
  });

  it.each([
    ['v=spf1 -all', 'v=spf1 include:b.example ~all'],
    ['v=spf1 include:a.example ~all', 'v=spf1 -all'],
    ['v=spf1 redirect=a.example', 'v=spf1 include:b.example ~all'],
  ])('%s makes way for %s', (present, added) => {
    expect(mergeSpf(present, added)).toBe(added);
  });
});

describe('SPF records', () => {
  it.each([
    'v=spf1 ip4:192.0.2.0/24 ip4:192.0.2.7/0 ip6:2001:db8::1 ip6:2001:db8::/128 -all',
    'v=spf1 A MX a/24 mx//64 a/24//64 a:example.com mx:example.com/24//64 ~ALL',
    'v=spf1 ptr ?ptr:example.com -exists:%{ir}.%{v}._spf.%{d2} +include:_spf.example.com. all',
    'v=spf1 include:%{d} a:%{l1r-}.example.com exists:%%%_%-.example.com -all',
    'v=spf1 redirect=_spf.example.com exp=why.%{d}',
    'v=spf1  mx   -all  ',
    'v=spf1 include:example.xn--p1ai include:a.b-c include:_a._b.co -all',
    'v=spf1',
    'v=spf1 op=%{i} x-y.z_1=anything/at:all -all',
  ])('are valid: %s', (record) => {
    expect(parseSpf(record)).toMatchObject({ errors: [], warnings: [] });
  });

  it.each([
    ['a network glued to the next term', 'ip4:192.0.2.7~all'],
    ['strings joined without a space', 'ip4:198.51.100.7include:_spf.example.net'],
    ['an IPv4 address as ip6', 'ip6:192.0.2.7'],
    ['an IPv6 address as ip4', 'ip4:2001:db8::1'],
    ['an octet above 255', 'ip4:192.0.2.300'],
    ['an IPv4 prefix above 32', 'ip4:192.0.2.0/33'],
    ['an IPv6 prefix above 128', 'ip6:2001:db8::/129'],
    ['an address with a zone', 'ip6:fe80::1%eth0'],
    ['a prefix with a leading zero', 'ip4:192.0.2.0/08'],
    ['an empty prefix', 'ip4:192.0.2.0/'],
    ['ip4 without an address', 'ip4'],
    ['ip4 with nothing after the colon', 'ip4:'],
    ['a prefix of a above 32', 'a/33'],
    ['an IPv6 prefix of mx above 128', 'mx//129'],
    ['an empty name', 'a:'],
    ['an empty name of mx with a prefix', 'mx:/24'],
    ['all with a value', 'all:example.com'],
    ['include without a name', 'include'],
    ['a name without a dot', 'include:example'],
    ['a name with an empty label', 'include:a..example.com'],
    ['a top-level label of digits', 'a:192.0.2.1'],
    ['an unclosed macro', 'exists:%{i.example.com'],
    ['an unknown macro', 'exists:%{x}.example.com'],
    ['a macro for explanations only', 'exists:%{c}.example.com'],
    ['a macro of zero labels', 'exists:%{d0}.example.com'],
    ['a lone percent sign', 'a:50%.example.com'],
    ['redirect without a name', 'redirect='],
    ['a modifier with a qualifier', '-redirect=example.com'],
    ['an unknown modifier with an invalid macro', 'x=%{'],
    ['redirect written as a mechanism', 'redirect:example.com'],
    ['a tab', 'mx\t-all'],
    ['a letter outside ASCII', 'include:bücher.example'],
  ])('are invalid with %s', (_what, term) => {
    expect(parseSpf(`v=spf1 ${term} -all`).errors).toEqual([expect.stringContaining(term)]);
  });

  it.each(['redirect', 'exp'])('are invalid with two of the modifier %s', (name) => {
    expect(parseSpf(`v=spf1 ${name}=a.example ${name}=b.example`).errors).toEqual([expect.stringContaining(name)]);
  });

  it.each([
    ['a mechanism written with an equals sign', 'v=spf1 ip4=192.0.2.7 -all', 'ip4=192.0.2.7'],
    ['a mechanism after all', 'v=spf1 -all ip4:192.0.2.7', 'ip4:192.0.2.7'],
  ])('have no use for %s', (_what, record, term) => {
    expect(parseSpf(record)).toMatchObject({ errors: [], warnings: [expect.stringContaining(term)] });
  });

  it('cost no look-up for mechanisms after all', () => {
    expect(lookupTermsOf(parseSpf('v=spf1 mx -all a include:_spf.example.com redirect=_spf.example.com'))).toHaveLength(
      1,
    );
  });
});
