import { coversName, matchesName } from '../../../../src/domain/access/record-name-pattern';

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

describe('a name pattern covers another one', () => {
  it.each([
    ['www', 'www', true],
    ['**', '*', true],
    ['**', 'a.b', true],
    ['**', '*.**', true],
    ['*', '**', false],
    ['*.lan', '**.lan', false],
    ['**.lan', '*.lan', true],
    ['**', '@', false],
    ['**', String.raw`\*`, false],
    ['@', '@', true],
    ['_acme-challenge.**', '_acme-challenge', false],
    ['_acme-challenge.*', '_acme-challenge.www', true],
  ])('%s covers %s: %s', (outer, inner, expected) => {
    expect(coversName(outer, inner)).toBe(expected);
  });
});
