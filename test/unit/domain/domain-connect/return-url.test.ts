import { allowedReturnUrl, returnUrl } from '../../../../src/domain/domain-connect/return-url';

describe('the way back to a service provider', () => {
  const rules = { syncRedirectDomains: ['provider.example', '*.other.example'] };
  const anywhere = { syncRedirectDomains: [] };

  it.each(['https://provider.example/done?a=1', 'https://app.other.example:8443/', 'https://PROVIDER.example/'])(
    'leads to the domains of the template: %s',
    (url) => {
      expect(allowedReturnUrl(url, rules, false)?.href).toBe(new URL(url).href);
    },
  );

  it.each([
    'https://evil.example/',
    'https://notprovider.example/',
    'https://provider.example.evil.example/',
    'https://provider.example@evil.example/',
    'https://user@provider.example/',
    'http://provider.example/',
    'javascript:alert(1)',
    'https://provider.example\\@evil.example/',
    'https://provider.example/ a',
    '//provider.example/',
    '/done',
  ])('leads nowhere else, signed or not: %s', (url) => {
    expect(allowedReturnUrl(url, rules, false)).toBeUndefined();
    expect(allowedReturnUrl(url, rules, true)).toBeUndefined();
  });

  it('is free for signed requests of templates that name no domain, and for no others', () => {
    expect(allowedReturnUrl('https://any.example/', anywhere, true)?.href).toBe('https://any.example/');
    expect(allowedReturnUrl('https://any.example/', anywhere, false)).toBeUndefined();
  });

  it('carries the state as it was given, and the error', () => {
    const to = new URL('https://provider.example/done?a=1#x');

    expect(returnUrl(to, 's&=1')).toBe('https://provider.example/done?a=1&state=s%26%3D1#x');
    expect(returnUrl(to, undefined, { error: 'access_denied', description: 'user_cancel' })).toBe(
      'https://provider.example/done?a=1&error=access_denied&error_description=user_cancel#x',
    );
  });
});
