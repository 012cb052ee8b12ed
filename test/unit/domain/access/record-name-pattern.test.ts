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
    ['**.a.*.b', 'x.a.a.y.b', true],
    ['**.a.**.b', 'x.a.b.a.b', true],
    ['**.a.**.b', 'x.a.b', false],
    ['**.a.a.b', 'x.a.a.a.b', true],
    ['*.0/26', '1.0/26', true],
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
    ['**.a.**', '*.a.**', true],
    ['**.*', '**.a', true],
    ['*.**', '**.a', false],
  ])('%s covers %s: %s', (outer, inner, expected) => {
    expect(coversName(outer, inner)).toBe(expected);
  });
});

describe('patterns that match in many ways', () => {
  const many = Array<string>(80).fill('**').join('.');

  it('are judged without trying each way, so that a request cannot stop the service', () => {
    const name = Array<string>(120).fill('a').join('.');

    expect([matchesName(`${many}.x`, name), matchesName(`${many}.a`, name)]).toEqual([false, true]);
    expect([coversName(`${many}.x`, `${many}.**.a`), coversName(many, `${many}.a`)]).toEqual([false, true]);
  });

  it('match what trying each way finds', () => {
    const parts = ['0', '1', '*', '**'];
    const patterns = parts.flatMap((one) =>
      parts.flatMap((two) => parts.flatMap((three) => [one, two, three].join('.'))),
    );
    const names = Array.from({ length: 62 }, (_none, index) => (index + 2).toString(2).slice(1).split('').join('.'));
    const differences = patterns.flatMap((pattern) =>
      names
        .filter((name) => matchesName(pattern, name) !== toRegExp(pattern).test(name))
        .map((name) => [pattern, name]),
    );

    expect(differences).toEqual([]);
  });
});

/** For names of one-digit labels. */
function toRegExp(pattern: string): RegExp {
  const parts = pattern.split('.').map((part) => (part === '*' ? '[01]' : part === '**' ? '[01](?:[.][01])*' : part));
  return new RegExp(`^${parts.join('[.]')}$`);
}
