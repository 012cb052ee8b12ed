import { ownPath } from '../../../src/http/dashboard/sign-in/own-path';

describe('where to go after signing in', () => {
  it.each(['/', '/domains?q=a&sort=-name', '/domains/dom_1/records'])('is a path of ours: %s', (path) => {
    expect(ownPath(path)).toBe(path);
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
    `/${'x'.repeat(2_001)}`,
  ])('is the overview for anything else: %j', (text) => {
    expect(ownPath(text)).toBe('/');
  });
});
