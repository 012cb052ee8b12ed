import { aRecord } from '../../../support/data/a-record';
import { thrownBy } from '../../../support/thrown-by';

function caa(content: string): string {
  return aRecord({ type: 'CAA', content }).toState().content;
}

describe('CAA content', () => {
  it.each([
    ['0 issue "ca.example.net"', '0 issue "ca.example.net"'],
    ['000 ISSUE ca.example.net', '0 issue "ca.example.net"'],
    ['128   "issuewild"  ";"', '128 issuewild ";"'],
    ['0 issue ""', '0 issue ";"'],
    ['0 issue " "', '0 issue ";"'],
    ['0 issue ";"', '0 issue ";"'],
    [
      '0 issue "ca.example.net; account=230123; validationmethods=dns-01"',
      '0 issue "ca.example.net; account=230123; validationmethods=dns-01"',
    ],
    ['0 issue "; policy="', '0 issue "; policy="'],
    ['0 issuemail "ca.example.net"', '0 issuemail "ca.example.net"'],
    ['0 issuevmc "ca.example.net"', '0 issuevmc "ca.example.net"'],
    ['0 iodef "mailto:security@example.com"', '0 iodef "mailto:security@example.com"'],
    ['0 iodef https://example.com/report?a=1', '0 iodef "https://example.com/report?a=1"'],
    ['0 contactemail "dns@example.com"', '0 contactemail "dns@example.com"'],
    [String.raw`0 contactphone "call \"me\""`, String.raw`0 contactphone "call \"me\""`],
    [String.raw`0 issue "c\097.example.net"`, '0 issue "ca.example.net"'],
  ])('keeps %s as %s', (content, expected) => {
    expect(caa(content)).toBe(expected);
    expect(caa(expected)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['no value', '0 issue'],
    ['more than a value', '0 issue a.example b.example'],
    ['other flags', '1 issue "ca.example.net"'],
    ['flags above 255', '256 issue "ca.example.net"'],
    ['flags that are no number', 'x issue "ca.example.net"'],
    ['an unknown tag', '0 tbs "unknown"'],
    ['a tag that every object has', '0 constructor "a"'],
    ['a tag with a hyphen', '0 issue-wild "ca.example.net"'],
    ['an issuer that is no domain', '0 issue "%%%"'],
    ['an issuer with an empty label', '0 issue "ca..example"'],
    ['an issuer that ends in a hyphen', '0 issue "ca-.example"'],
    ['a parameter without value', '0 issue "ca.example; stuff"'],
    ['a parameter after which nothing follows', '0 issue "ca.example; a=b;"'],
    ['a report to no URL', '0 iodef "security@example.com"'],
    ['a report to another scheme', '0 iodef "ftp://example.com"'],
    ['an empty contact', '0 contactemail ""'],
    ['what is not ASCII', '0 contactemail "ü@example.com"'],
    ['control characters', String.raw`0 contactphone "\010"`],
    ['a value of 1025 octets', `0 contactphone "${'1'.repeat(1025)}"`],
    ['quotes that touch the tag', '0 issue"ca.example.net"'],
    ['300 kB', `0 issue "${'a-'.repeat(150_000)}"`],
  ])('refuses %s', (_what, content) => {
    expect(thrownBy(() => caa(content))?.code).toBe('INVALID_RECORD_CONTENT');
  });

  it('accepts a value of 1024 octets', () => {
    expect(caa(`0 contactphone ${'1'.repeat(1024)}`)).toHaveLength(1024 + '0 contactphone ""'.length);
  });
});
