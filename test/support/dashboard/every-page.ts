import type { Response } from 'supertest';
import { registerAtRegistry } from '../registries/register-at-registry';
import { api, REGISTRANT, registered, type Api, type TestService } from '../service/service';
import { aUser, DashboardClient } from './dashboard-client';

const USUAL_RECORDS = [
  ['A', '@', '192.0.2.1'],
  ['AAAA', '@', '2001:db8:1:2:3:4:5:6'],
  ['CNAME', 'www', 'a-usual-name.com'],
  ['TXT', '_dmarc', 'v=DMARC1; p=reject; rua=mailto:dmarc@a-usual-name.com'],
  ['TXT', 'key._domainkey', `v=DKIM1; p=${'M'.repeat(390)}`],
] as const;
/** An account of which every page has something to show. */
export interface FilledAccount {
  /** Of an owner. */
  readonly email: string;
  /** The path of the domain that has the most pages. */
  readonly domain: string;
  /** The id of a domain with a short name and usual records. */
  readonly usual: string;
  /** Of all pages that a link leads to, and of one that is not there. */
  readonly paths: readonly string[];
}

/** @param domainName that of `domain` */
export async function fillEveryPage(service: TestService, domainName: string): Promise<FilledAccount> {
  const accountId = await service.account();
  const email = await aUser(service, accountId, 'owner', 'the-owner-of-this-account@namewright.example');
  await aUser(service, accountId, 'manager');
  const client = api(service, await service.key(accountId));
  const id = await registered(client, domainName);
  const lapsed = await registered(client, 'lapsed.com');
  await client.put(`/api/domains/${lapsed}/autorenew`, { auto_renew: false });
  await client.post('/api/sandbox/advance', { days: 400 }).expect(200);
  await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false });
  const leaving = await registered(client, 'a-long-name-that-another-registrar-wants.com');
  const { body: code } = await client.post(`/api/domains/${leaving}/auth-code`);
  await client.put(`/api/domains/${leaving}/transfer-lock`, { transfer_locked: false });
  await client
    .post('/api/sandbox/transfer-out', {
      name: 'a-long-name-that-another-registrar-wants.com',
      auth_code: code.auth_code,
    })
    .expect(200);
  await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
  const domain = `/domains/${id}`;
  const { body: record } = await client.post(`/api/domains/${id}/dns/records`, {
    type: 'SRV',
    name: '_service-of-a-long-name._tcp',
    content: 'host.of.a.long.name.example.net',
    priority: 1,
    weight: 1,
    port: 1,
  });
  await client.post(`/api/domains/${id}/dns/records`, { type: 'TXT', name: '@', content: 'x'.repeat(400) });
  const dashboard = await new DashboardClient(service).signIn(email);
  await dashboard.get(`${domain}/records`).expect(200);
  await dashboard.post(`${domain}/records`, { type: 'A', name: 'by-a-dashboard', content: '192.0.2.1' }).expect(303);
  const held = 'a-long-name-that-is-held-at-the-registrar.com';
  await registerAtRegistry(service, held);
  const { body: nameImport } = await client.post('/api/imports', { registry: 'simulated', names: [held] });
  await registerAtRegistry(service, held.replace('held', 'sold'));
  await client.put(`/api/domains/${id}/dnssec`, { enabled: true });
  const [operation] = (await client.get(`/api/domains/${id}/operations`)).body;
  await client.post(`/api/domains/${id}/health`).expect(200);
  const ofDomain = [
    '',
    '/health',
    '/records',
    `/records?edit=${record.id}`,
    '/templates',
    '/templates/netlify?site=some-site',
    '/mail',
    '/publication',
    '/dnssec',
    '/history',
    '/history/2',
    '/history/2/roll-back',
    '/history/2/undo',
    '/state',
    '/zone-file',
    '/operations',
    '/nameservers',
    '/nameservers?nameservers=ns1.elsewhere.test+ns2.elsewhere.test',
    '/switch',
    '/registrant',
    '/renew',
    '/delete',
    '/auth-code',
    '/names',
    '/mail/dmarc',
    '/move',
    '/transfer-out',
  ].map((path) => `${domain}${path}`);
  const { body: webhook } = await client.post('/api/webhooks', { url: 'http://127.0.0.1:1/names' }).expect(201);
  await client.post(`/api/webhooks/${webhook.id}/test`).expect(200);
  const { body: zone } = await client.post('/api/zones', { name: 'k8s.a-team-with-a-long-name.internal.example' });
  const hosted = `/domains/dom_${zone.id.slice(5)}`;
  await client.post(`/api/zones/${zone.id}/health`).expect(200);
  const rival = api(service, await service.key(await service.account()));
  await rival.post('/api/zones', { name: 'wanted-by-two.example' }).expect(201);
  const { body: wanted } = await client.post('/api/zones', { name: 'wanted-by-two.example' }).expect(201);
  const { body: key } = await client.post('/api/keys', { name: 'agent', scope: 'WRITE', limits: { propose: true } });
  const proposed = await proposalsOf(client, api(service, key.key), `/api/domains/${id}`);
  const ofOthers = await pagesOf(client, service, id);
  const usual = await registered(client, 'a-usual-name.com');
  for (const [type, name, content] of USUAL_RECORDS)
    await client.post(`/api/domains/${usual}/dns/records`, { type, name, content }).expect(201);
  const ofHosted = ['', '/health', '/records', '/dnssec', '/delete', '/zone-file'].map((path) => `${hosted}${path}`);
  const ofLapsed = ['', '/restore'].map((path) => `/domains/${lapsed}${path}`);
  const paths = [
    '/',
    '/domains',
    '/domains?q=nothing',
    ...ofDomain,
    ...ofLapsed,
    ...ofHosted,
    `/domains/dom_${wanted.id.slice(5)}`,
    '/add',
    '/search?q=example',
    '/add/dns',
    '/register',
    '/register?q=some-name',
    '/register/details?name=some-name.com',
    '/register/order?name=some-name.com',
    `/register/progress/${operation.id}`,
    '/transfers',
    '/transfers/new',
    '/imports',
    `/imports/${nameImport.id}`,
    '/api-keys',
    '/api-keys/new',
    '/api-keys/inactive',
    '/webhooks',
    '/webhooks/new',
    `/webhooks/${webhook.id}`,
    `/webhooks/${webhook.id}/settings`,
    '/record-templates',
    '/record-templates/new',
    '/nameservers',
    '/proposals',
    ...proposed,
    ...ofOthers,
    '/activity',
    '/costs',
    '/activity?action=records&type=SRV',
    '/notifications?since=0',
    '/team',
    '/settings',
    '/settings/notices',
    '/sandbox/outbox',
    '/sandbox',
    '/drift',
    '/moves',
    '/bulk',
    `/bulk/new?action=renew&id=${id}`,
    '/zone-files',
    '/approval-rules',
    '/api-keys/trust-rules',
    '/api-keys/trust-rules/new',
    '/nowhere',
  ];
  return { email, domain, usual, paths };
}

/** The pages of a move, a transfer, a bulk job, a template and a trust rule. */
async function pagesOf(client: Api, service: TestService, domainId: string): Promise<readonly string[]> {
  const post = async (path: string, body: object): Promise<Response['body']> =>
    (await client.post(path, body).expect(({ status }) => expect(status).toBeLessThan(300))).body;
  const moved = await registered(client, 'a-long-name-that-goes-to-another-account.com');
  const move = await post('/api/moves', {
    domain_id: moved,
    account_id: await service.account(),
    reason: 'x'.repeat(300),
  });
  const name = 'a-long-name-that-comes-from-another-registrar.com';
  const { auth_code } = await post('/api/sandbox/other-registrar/domains', { name });
  const transfer = await post('/api/transfers', { name, auth_code, years: 1, registrant: REGISTRANT });
  const job = await post('/api/bulk', { action: 'auto_renewal', auto_renew: true, domains: [domainId, 'dom_none'] });
  const template = await post('/api/record-templates', { name: 'x'.repeat(50), records: '@ 300 IN TXT text' });
  await post('/api/trust-rules', {
    name: 'apply in CI',
    issuer: 'https://token.actions.githubusercontent.com',
    audience: 'https://names.example',
    claims: { repository_id: '123', ref: ['refs/heads/main', 'x'.repeat(200)] },
    scope: 'WRITE',
  });
  return [
    `/moves/${move.id}`,
    `/transfers/${transfer.id}`,
    `/bulk/${job.id}`,
    `/bulk/${job.id}/retry`,
    `/record-templates/${template.id}`,
  ];
}

/** The pages of a change of settings, of a long zone file and of a stale change. */
async function proposalsOf(client: Api, agent: Api, domain: string): Promise<readonly string[]> {
  const nameservers = { nameservers: ['ns1.a-long-name-of-a-nameserver.example.net', 'ns2.example.net'] };
  const settings = await agent.put(`${domain}/nameservers`, nameservers).set('Proposal-Reason', 'x'.repeat(300));
  const lines = Array.from({ length: 30 }, (_, index) => `many-${index} 300 IN TXT "${'y'.repeat(200)}"\n`);
  const zone = await agent
    .put(`${domain}/dns/zonefile?mode=add`, lines.join(''))
    .set('Content-Type', 'text/dns')
    .expect(202);
  const { body } = await client.post(`${domain}/dns/records`, { type: 'A', name: 'stale', content: '192.0.2.1' });
  const stale = await agent.put(`${domain}/dns/records/${body.id}`, { content: '192.0.2.9' }).expect(202);
  await client.put(`${domain}/dns/records/${body.id}`, { content: '192.0.2.2' }).expect(200);
  await client.post(`/api/proposals/${stale.body.id}/accept`).expect(409);
  return [settings, zone, stale].map((response) => `/proposals/${response.body.id}`);
}
