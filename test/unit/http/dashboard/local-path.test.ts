import { toLocalPath } from '../../../../src/http/dashboard/middleware/local-path';

describe('toLocalPath', () => {
  it.each(['/', '/domains?q=a&sort=-name', '/domains/dom_1/records'])('keeps the path on this site: %s', (path) => {
    expect(toLocalPath(path)).toBe(path);
  });

  it.each([
    '',
    'domains',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
    '//[',
    `/${'x'.repeat(8_001)}`,
  ])('returns the overview for anything else: %j', (text) => {
    expect(toLocalPath(text)).toBe('/');
  });
});
