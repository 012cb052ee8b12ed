import { AuditReader } from '../../../../src/application/ports/access/audit-and-events';
import { ApiKeyReader } from '../../../../src/application/ports/access/accounts-and-api-keys';
import { signIn } from '../../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../../support/databases/databases';

const TSIG_KEY = /hmac-sha256:[0-9a-f]{18}:[\w+/]{43}=/;
const FORM = { name: 'certbot on www', domain: 'example.com', purpose: 'certificates', record: '' };

onBothDatabases('TSIG keys in the dashboard', (service) => {
  const newest = async (accountId: string) =>
    (await service().container.get<ApiKeyReader>(ApiKeyReader).ofAccount(accountId)).at(-1);

  it.each([
    ['certificates', '', { names: ['_acme-challenge', '_acme-challenge.**'], types: ['TXT'] }],
    ['host', 'Home', { names: ['home'], types: ['A', 'AAAA'] }],
    ['zone', '', {}],
  ])('are limited to what their purpose needs: %s', async (purpose, record, limits) => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);

    const { text } = await dashboard.post('/api-keys', { ...FORM, purpose, record }).expect(200);

    expect(text).toMatch(TSIG_KEY);
    expect((await newest(accountId))?.toState()).toMatchObject({ scope: 'WRITE' });
    expect((await newest(accountId))?.toState().limits).toEqual({ domains: ['example.com'], ...limits });
  });

  it('are limited to the name of one host if certificates are for a host', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);

    const { text } = await dashboard.post('/api-keys', { ...FORM, record: 'www' }).expect(200);

    expect(text).toContain('dns_rfc2136_secret');
    expect((await newest(accountId))?.toState().limits).toMatchObject({ names: ['_acme-challenge.www'] });
  });

  it.each([
    ['monitoring', 'example.com', 'READ', '/api/domains/by-name/example.com', { actions: ['read'] }],
    ['deploys', 'example.com, example.net', 'WRITE', 'wait=published', { domains: ['example.com', 'example.net'] }],
  ])('give way to API keys if they are for a %s', async (purpose, domain, scope, configuration, limits) => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);

    const { text } = await dashboard.post('/api-keys', { ...FORM, purpose, domain }).expect(200);

    expect(text).toContain(configuration);
    expect((await newest(accountId))?.toState()).toMatchObject({ scope, limits });
  });

  it('get the name of their purpose without one, and their configurations name the server that takes updates', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);

    const { text } = await dashboard.post('/api-keys', { ...FORM, name: '', record: 'www' }).expect(200);

    expect((await newest(accountId))?.toState().name).toBe('Certificates for a name: www.example.com');
    expect(text).not.toContain('SERVER');
    expect(text).toMatch(/dns_rfc2136_server = 127\.0\.0\.1\ndns_rfc2136_port = \d+\n/);
  });

  it('are shown once, listed with their limits, never rotated, and revoked like API keys', async () => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);
    const created = await dashboard.post('/api-keys', FORM).expect(200);
    const [, name = '', secret = ''] = TSIG_KEY.exec(created.text)?.[0].split(':') ?? [];
    const keyId = (await newest(accountId))?.toState().keyId;

    const { text } = await dashboard.get('/api-keys').expect(200);

    expect(text).toContain(name);
    expect(text).toContain('TXT records named _acme-challenge, _acme-challenge.** of example.com');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('/rotate');
    await dashboard.post(`/api-keys/${keyId}/rotate`).expect(404);
    await dashboard.post(`/api-keys/${keyId}/revoke`).expect(303);
    const [entry] = await service().container.get<AuditReader>(AuditReader).page(accountId, {}, 1);
    expect(entry).toMatchObject({ action: 'key.revoked', subject: keyId });
    expect(JSON.stringify(entry)).not.toContain(secret);
  });

  it.each([
    ['an unknown purpose', { purpose: 'all' }],
    ['a domain that is no name', { domain: 'not a name' }],
    ['a host without a name', { purpose: 'host' }],
    ['a purpose whose API is off', { purpose: 'cluster' }],
    ['a name that is too long', { name: 'x'.repeat(101) }],
  ])('are not created with %s, and the form keeps the input', async (_title, wrong) => {
    const accountId = await service().account();
    const dashboard = await signIn(service(), accountId);

    const { text } = await dashboard.post('/api-keys', { ...FORM, ...wrong }).expect(400);

    expect(text).toContain('field-error');
    expect(await newest(accountId)).toBeUndefined();
  });
});
