import {
  assertDomainAllowed,
  assertRecordAllowed,
  LimitedKey,
  matchesName,
  parseKeyLimits,
} from '../../../../src/domain/access/key-limits';
import { ValidationError } from '../../../../src/domain/shared/validation-error';

describe('a name pattern of a key', () => {
  it.each([
    ['_acme-challenge', '_acme-challenge', true],
    ['_acme-challenge', '_acme-challenge.www', false],
    ['@', '@', true],
    ['*', '@', false],
    ['*', 'www', true],
    ['*', 'a.b', false],
    ['**', 'a.b', true],
    ['**', '@', false],
    ['*.lan', 'host.lan', true],
    ['*.lan', 'lan', false],
    ['*.lan', 'a.host.lan', false],
    ['**.lan', 'a.host.lan', true],
    ['**.lan', 'lan', false],
    ['_acme-challenge.**', '_acme-challenge.a.b', true],
    ['_acme-challenge.**', '_acme-challenge', false],
    ['*', '*', false],
    ['**', '*.lan', false],
    ['*.lan', '*.lan', false],
    [String.raw`\*.lan`, '*.lan', true],
    [String.raw`\*`, '*', true],
    [String.raw`\*`, 'www', false],
  ])('%s matches the owner name %s: %s', (pattern, name, expected) => {
    expect(matchesName(pattern, name)).toBe(expected);
  });
});

describe('the limits of a key', () => {
  it('are stored in lower case with A-labels, and types in upper case, each once', () => {
    expect(
      parseKeyLimits({ domains: ['Bücher.example'], names: ['WWW', 'www', '_ACME-challenge'], types: ['txt', 'A'] }),
    ).toEqual({ domains: ['xn--bcher-kva.example'], names: ['www', '_acme-challenge'], types: ['TXT', 'A'] });
  });

  it.each([
    [{ domains: [] }],
    [{ domains: ['no domain'] }],
    [{ names: [''] }],
    [{ names: ['a..b'] }],
    [{ names: ['w*'] }],
    [{ names: [`a.${String.raw`\*`}`] }],
    [{ types: ['SOA'] }],
    [{ types: Array.from({ length: 101 }, () => 'A') }],
  ])('reject %j', (limits) => {
    expect(() => parseKeyLimits(limits)).toThrow(ValidationError);
  });

  it('reject a domain, an owner name or a record type that they leave out, and nothing if they are empty', () => {
    const limits = { domains: ['example.com'], names: ['www'], types: ['A'] };
    assertDomainAllowed(limits, 'example.com');
    assertRecordAllowed(limits, { name: 'www', type: 'A' });
    assertDomainAllowed({}, 'example.net');
    assertRecordAllowed({}, { name: '@', type: 'MX' });

    expect(() => assertDomainAllowed(limits, 'example.net')).toThrow(LimitedKey);
    expect(() => assertRecordAllowed(limits, { name: 'mail', type: 'A' })).toThrow(LimitedKey);
    expect(() => assertRecordAllowed(limits, { name: 'www', type: 'AAAA' })).toThrow(LimitedKey);
  });
});
