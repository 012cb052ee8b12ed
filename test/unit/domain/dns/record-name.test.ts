import { InvalidRecordName } from '../../../../src/domain/dns/dns-errors';
import { parseRecordName } from '../../../../src/domain/dns/records/record-name';
import { ZONE } from '../../../support/data/a-record';
import { thrownBy } from '../../../support/thrown-by';

describe('record names', () => {
  it.each([
    ['@', '@'],
    ['example.com', '@'],
    ['EXAMPLE.com.', '@'],
    ['WWW', 'www'],
    ['www.example.com', 'www'],
    ['a.b.Example.Com.', 'a.b'],
    ['*', '*'],
    ['*.dev', '*.dev'],
    ['_dmarc', '_dmarc'],
    ['gc._msdcs', 'gc._msdcs'],
    ['-odd-', '-odd-'],
    ['notexample.com', 'notexample.com'],
    ['bücher', 'xn--bcher-kva'],
    ['straße', 'xn--strae-oqa'],
    ['shop。bücher．example｡com', 'shop.xn--bcher-kva'],
    ['a'.repeat(63), 'a'.repeat(63)],
  ])('reads %s as %s', (text, expected) => {
    expect(parseRecordName(text, ZONE)).toBe(expected);
  });

  it.each([
    ['an empty name', ''],
    ['the root of all', '.'],
    ['an empty label', 'a..b'],
    ['a leading dot', '.www'],
    ['a label of 64 octets', 'a'.repeat(64)],
    ['an internationalized label that grows past 63 octets', `ü${'a'.repeat(60)}`],
    ['a name outside the zone', 'www.example.org.'],
    ['a dotted name that only ends like the zone', 'notexample.com.'],
    ['a name that repeats the zone', 'www.example.com.example.com'],
    ['the zone twice', 'example.com.example.com.'],
    ['a star within a label', 'a*'],
    ['a star that is not the first label', 'a.*'],
    ['two stars', '*.*'],
    ['a blank', 'a b'],
    ['a slash', '0/25'],
    ['a backslash', 'a\\.b'],
    ['an at sign with a dot', '@.'],
    ['an at sign in full width', '＠'],
    ['a lone surrogate', '\ud800'],
    ['a control character', 'a\u0000'],
  ])('refuses %s', (_what, text) => {
    expect(() => parseRecordName(text, ZONE)).toThrow(InvalidRecordName);
  });

  it('reads a label with a slash in reverse zones of IPv4 only (RFC 2317)', () => {
    expect(parseRecordName('0/26', '2.0.192.in-addr.arpa')).toBe('0/26');
    expect(parseRecordName('1.0/26.2.0.192.in-addr.arpa.', '2.0.192.in-addr.arpa')).toBe('1.0/26');
    expect(() => parseRecordName('a/b', '2.0.192.in-addr.arpa')).toThrow(InvalidRecordName);
    expect(() => parseRecordName('0/26', '8.b.d.0.1.0.0.2.ip6.arpa')).toThrow(InvalidRecordName);
  });

  it('counts the zone in the 253 octets of a full name', () => {
    const longest = `${`${'a'.repeat(59)}.`.repeat(4)}b`;

    expect(parseRecordName(longest, ZONE)).toBe(longest);
    expect(thrownBy(() => parseRecordName(`${longest}b`, ZONE))?.details).toMatch('253');
  });

  it('reads at most 512 characters of a name', () => {
    const softHyphens = '\u00ad'.repeat(511);

    expect(parseRecordName(`a${softHyphens}`, ZONE)).toBe('a');
    expect(() => parseRecordName(`ab${softHyphens}`, ZONE)).toThrow(InvalidRecordName);
  });
});
