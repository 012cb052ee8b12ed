import * as fc from 'fast-check';
import { parseNewZoneName, parseZoneName } from '../../../../../src/domain/dns/zone-names/zone-name';
import { seeded } from '../../../../support/seeded';
import { thrownBy } from '../../../../support/thrown-by';

const LABEL_63 = 'a'.repeat(63);
const NAME_253 = `${LABEL_63}.${LABEL_63}.${LABEL_63}.${'b'.repeat(61)}`;

function problemOf(text: string): string | undefined {
  return thrownBy(() => parseZoneName(text))?.details;
}

describe('the name of a zone', () => {
  it.each([
    ['Example.COM.', 'example.com'],
    ['k8s.corp.example', 'k8s.corp.example'],
    ['Corp.Internal', 'corp.internal'],
    ['home.arpa', 'home.arpa'],
    ['internal', 'internal'],
    ['_acme-challenge.www.example.com', '_acme-challenge.www.example.com'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['XN--MNCHEN-3YA.Bücher.example', 'xn--mnchen-3ya.xn--bcher-kva.example'],
    ['team。例え.example', 'team.xn--r8jz45g.example'],
    ['2.0.192.IN-ADDR.ARPA.', '2.0.192.in-addr.arpa'],
    ['0/26.2.0.192.in-addr.arpa', '0/26.2.0.192.in-addr.arpa'],
    ['0-63.2.0.192.in-addr.arpa', '0-63.2.0.192.in-addr.arpa'],
    ['customer7.2.0.192.in-addr.arpa', 'customer7.2.0.192.in-addr.arpa'],
    ['8.B.D.0.1.0.0.2.ip6.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'],
    [NAME_253, NAME_253],
  ])('is read from %s as %s', (text, stored) => {
    expect(parseZoneName(text)).toBe(stored);
    expect(parseZoneName(stored)).toBe(stored);
  });

  it.each([
    ['', 'not the root'],
    ['.', 'not the root'],
    ['example..com', 'empty labels'],
    ['.example.com', 'empty labels'],
    ['example.com..', 'empty labels'],
    ['192.0.2.1', 'not an IP address'],
    ['2001:db8::1', 'not an IP address'],
    ['https://example.com/', 'not a URL'],
    ['*.example.com', 'wildcard'],
    ['a.*.example.com', 'wildcard'],
    ['-a.example.com', '"-a" is none'],
    ['a-.example.com', '"a-" is none'],
    ['a b.example.com', '"a b" is none'],
    ['a\\.b.example.com', '"a\\" is none'],
    ['0/26.example.com', 'only reverse zones have slashes'],
    ['example.123', 'must not end in the number 123'],
    ['a.xn--a.example', '"xn--a"'],
    ['a.\u200dß.example', '"\u200dß" is none'],
    [`${'a'.repeat(64)}.example.com`, 'more than 63 octets'],
    [`${'a.'.repeat(34)}example`, 'at most 34 labels, not 35'],
    [`b${NAME_253}`, 'at most 253 octets, not 254'],
    [`c.${NAME_253}`, 'at most 253 octets, not 255'],
    ['ä'.repeat(600), 'at most 253 octets'],
    ['256.2.0.192.in-addr.arpa', '"256" is neither'],
    ['02.0.192.in-addr.arpa', '"02" is neither'],
    ['1/26.2.0.192.in-addr.arpa', '"1/26" is neither'],
    ['0/24.2.0.192.in-addr.arpa', '"0/24" is neither'],
    ['0/26.0.192.in-addr.arpa', '"0/26" is neither'],
    ['1.0/26.2.0.192.in-addr.arpa', '"0/26" is neither'],
    ['5.4.3.2.1.in-addr.arpa', 'at most 4 octets'],
    ['10.ip6.arpa', '"10" is none'],
    ['g.ip6.arpa', '"g" is none'],
    [`${'0.'.repeat(33)}ip6.arpa`, 'at most 32 digits'],
  ])('is refused as %j with the part that is wrong', (text, problem) => {
    expect(problemOf(text)).toMatch(/^name must /);
    expect(problemOf(text)).toContain(problem);
  });

  it('is refused under the field that it came in', () => {
    expect(thrownBy(() => parseZoneName('', 'zones[3]'))?.details).toMatch(/^zones\[3\] must /);
  });

  it.each([
    ['*.example.com', 'create the zone above and add wildcard records to it'],
    ['192.0.2.1', 'give a network to create its reverse zone'],
  ])('that is refused as %s has what to create instead only if a zone is to be created', (text, instead) => {
    expect(thrownBy(() => parseNewZoneName(text))?.details).toBe(`${problemOf(text)}; ${instead}`);
    expect(problemOf(text)).not.toContain('create');
  });

  it('of any text is refused, or is a name that is read as itself', () => {
    const part = fc.constantFrom(
      'a',
      'Z',
      '0',
      '/',
      '-',
      '_',
      '.',
      '。',
      '*',
      'ü',
      '\u200d',
      'xn--',
      'in-addr.arpa',
      'ip6.arpa',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let name: string | undefined;
        const error = thrownBy(() => (name = parseZoneName(text)));
        if (name === undefined) expect(error?.code).toBe('VALIDATION_ERROR');
        else expect(parseZoneName(name)).toBe(name);
      }),
      seeded(1_000),
    );
  });
});
