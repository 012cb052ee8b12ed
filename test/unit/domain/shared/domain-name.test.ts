import { DomainName, parseLabel } from '../../../../src/domain/shared/domain-name';
import { ValidationError } from '../../../../src/domain/shared/validation-error';

/** Punycode of a control character, no Punycode, nothing at all, ASCII in disguise, a hyphen too many, a joiner at the front. */
const FAKE_LABELS = ['xn--a', 'xn--a-ecp', 'xn--', 'xn--example-', 'xn--wgv71a119e-', 'xn--1ugx'];

describe('a domain name', () => {
  it.each([
    ['MÜNCHEN.com', 'xn--mnchen-3ya.com'],
    ['XN--MNCHEN-3YA.com', 'xn--mnchen-3ya.com'],
    ['faß.de', 'xn--fa-hia.de'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['موقع.com', 'xn--4gbrim.com'],
    ['i❤.ws', 'xn--i-7iq.ws'],
    ['aa--bb.com', 'aa--bb.com'],
  ])('reads %s as %s', (text, stored) => {
    expect(DomainName.parse(text).value).toBe(stored);
    expect(DomainName.parse(stored).value).toBe(stored);
  });

  it.each(FAKE_LABELS)('is not made of %s, which only looks like an A-label', (label) => {
    expect(() => DomainName.parse(`${label}.com`)).toThrow(ValidationError);
    expect(() => parseLabel(label, 'query')).toThrow(ValidationError);
  });
});
