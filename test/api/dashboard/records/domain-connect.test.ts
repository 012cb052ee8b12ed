import request from 'supertest';
import { SyncTemplates } from '../../../../src/application/dns/domain-connect/catalog/sync-templates';
import { ConnectedServiceReader } from '../../../../src/application/ports/dns/templates-and-domain-connect';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import {
  applyPath,
  keyRecords,
  PROVIDER,
  signedLink,
  templateFile,
  UNSIGNED,
} from '../../../support/domain-connect/connect-provider';
import { StubResolver } from '../../../support/nameservers/stub-resolver';
import { api, registered, startService, type Api, type TestService } from '../../../support/service/service';

const resolver = new StubResolver();
const BACK = 'https://app.provider.example/done?x=1';
let service: TestService;
let account: string;
let client: Api;
let owner: DashboardClient;
let id: string;

beforeAll(async () => {
  resolver.records = [...keyRecords(), ...keyRecords('_gone.keys.provider.example')];
  service = await startService({
    DOMAIN_CONNECT: 'on',
    PUBLIC_URL: 'http://names.example.net',
    HEALTH_RESOLVER: await resolver.start(),
  });
  account = await service.account();
  client = api(service, await service.key(account));
  owner = await signIn(service, account);
  const templates = service.container.get(SyncTemplates);
  const { refused } = await templates.execute([PROVIDER, UNSIGNED].map(({ template }) => templateFile(template)));
  expect(refused).toEqual([]);
  id = await registered(client, 'connected.com');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await service.stop();
  resolver.stop();
});

async function linesOf(domainId: string): Promise<readonly string[]> {
  const { text } = await client.get(`/api/domains/${domainId}/dns/zonefile`).expect(200);
  return text.split('\n').filter((line) => line !== '' && !/^[;$]| SOA | NS /.test(line.replaceAll('\t', ' ')));
}

function planIn(html: string): string {
  return /name="plan" value="([^"]+)"/.exec(html)?.[1] ?? '';
}

function parameters(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { domain: 'connected.com', ip: '192.0.2.7', token: 'a+b', redirect_uri: BACK, state: 'st&te', ...more };
}

function textOf(html: string): string {
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

async function services(domainId: string): Promise<readonly Record<string, unknown>[]> {
  const { body } = await client.get(`/api/domains/${domainId}/connected-services`).expect(200);
  return body as Record<string, unknown>[];
}

/** Does something once, after a request has read the services that are connected: `reads` times. */
function meanwhile(work: () => Promise<void>, reads = 1): void {
  const reader = service.container.get(ConnectedServiceReader);
  const read = reader.ofDomain.bind(reader);
  const spy = jest.spyOn(reader, 'ofDomain');
  for (let before = 1; before < reads; before += 1) spy.mockImplementationOnce(read);
  spy.mockImplementationOnce(async (...of) => {
    const connected = await read(...of);
    await work();
    return connected;
  });
}

function fetchPublic(path: string) {
  return request(service.server).get(path);
}

describe('a signed request of a service provider', () => {
  it('shows the changes, writes them when a person agrees, leads back with its state, and can be undone', async () => {
    const domain = await registered(client, 'shop.com');
    await client.post(`/api/domains/${domain}/dns/records`, { type: 'A', name: '@', content: '192.0.2.1' }).expect(201);
    const before = await linesOf(domain);
    const link = signedLink(parameters({ domain: 'shop.com' }));

    const page = await owner.get(link).expect(200);
    const accepted = await owner.post(link, { plan: planIn(page.text) }).expect(303);

    const policy = page.headers['content-security-policy'];
    expect(textOf(page.text)).toMatch(/Connect shop.com to Web shop .*Example Provider .*%ip% 192.0.2.7 .*192.0.2.1/);
    expect(policy).toContain("form-action 'self' https://app.provider.example;");
    expect([policy, page.headers['x-frame-options']]).toEqual([
      expect.stringContaining("frame-ancestors 'none'"),
      'DENY',
    ]);
    expect(accepted.headers['location']).toBe('https://app.provider.example/done?x=1&state=st%26te');
    expect((await linesOf(domain)).join('\n')).toMatch(/192\.0\.2\.7[^]*token=a\+b[^]*CNAME/);
    expect(await services(domain)).toMatchObject([{ provider_id: 'provider.example', state: 'connected', host: '@' }]);

    const { body: versions } = await client.get(`/api/domains/${domain}/dns/history`).expect(200);
    await client.post(`/api/domains/${domain}/dns/history/${versions[1].version}/restore`).expect(200);
    expect(await linesOf(domain)).toEqual(before);
  });

  it('is asked again if the zone has changed since, and nothing is written', async () => {
    const link = signedLink(parameters({ host: 'again' }));
    const page = await owner.get(link).expect(200);
    await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'again', content: '192.0.2.1' }).expect(201);
    const before = await linesOf(id);

    const again = await owner.post(link, { plan: planIn(page.text) }).expect(412);

    expect(textOf(again.text)).toContain('What would be changed is no longer what you saw');
    expect(await linesOf(id)).toEqual(before);
    await owner.post(link, { plan: planIn(again.text) }).expect(303);
  });

  it('goes back to the provider if the person cancels', async () => {
    const page = await owner.get(signedLink(parameters())).expect(200);

    expect(page.text).toContain(
      'href="https://app.provider.example/done?x=1&amp;state=st%26te&amp;error=access_denied&amp;error_description=user_cancel"',
    );
  });

  it('comes through sign-in unchanged', async () => {
    const link = signedLink(parameters({ token: 'x'.repeat(3_000) }));

    const { headers } = await request(service.server).get(link).set('Accept', 'text/html').expect(303);

    expect(new URL(headers['location'] ?? '', 'http://localhost').searchParams.get('next')).toBe(link);
  });

  it('changes nothing with a form of another page, and needs the right to change records', async () => {
    const link = signedLink(parameters({ host: 'csrf' }));
    const plan = planIn((await owner.get(link).expect(200)).text);
    const before = await linesOf(id);
    const reader = await signIn(service, account, 'viewer');

    await owner.post(link, { plan, _token: 'x' }).expect(403);
    await reader.get(link).expect(403);
    await client.post(link, { plan }).catch(() => undefined);

    expect(await linesOf(id)).toEqual(before);
  });
});

describe('a request to connect is refused with a page, and changes nothing,', () => {
  const [query = ''] = signedLink(parameters()).split('?').slice(1);

  it.each([
    [
      'if its signature is of another query',
      `${applyPath()}?${query.replace('192.0.2.7', '192.0.2.8')}`,
      /signature of the link is wrong/,
    ],
    ['without a signature', `${applyPath()}?domain=connected.com&ip=192.0.2.7&token=a`, /not signed/],
    ['if the provider has no such key', signedLink(parameters(), '_other'), /publishes no usable key/],
    [
      'if it leads back to another origin',
      signedLink(parameters({ redirect_uri: 'https://evil.example/' })),
      /does not name/,
    ],
    ['with an unknown variable', signedLink(parameters({ evil: '1' })), /variables\.evil is not a variable/],
    ['without a variable', signedLink({ domain: 'connected.com', ip: '192.0.2.7' }), /token is required/],
    ['with a line break in a variable', signedLink(parameters({ token: 'a\nb' })), /no line break/],
    ['with labels of another name in a host', signedLink(parameters({ host: 'a..b' })), /host is invalid/],
    ['with an invalid address', signedLink(parameters({ ip: '192.0.2' })), /is invalid/],
    ['for a domain of another account', signedLink(parameters({ domain: 'example.com' })), /not among the domains/],
    ['for no domain', signedLink(parameters({ domain: '' })), /names no domain/],
    ['of an unknown template', applyPath({ providerId: 'provider.example', serviceId: 'other' }), /not known/],
    ['of a provider whose links are not signed', `${applyPath(UNSIGNED)}?domain=connected.com`, /not switched on/],
    ['with 7,001 characters', `${applyPath()}?${'a'.repeat(7_001)}`, /too long/],
  ])('%s', async (_what, link, reason) => {
    const before = await linesOf(id);

    const page = await owner.get(link).expect(400);
    const posted = await owner.post(link, { plan: 'x' }).expect(400);

    expect([textOf(page.text), textOf(posted.text)]).toEqual([
      expect.stringMatching(reason),
      expect.stringMatching(reason),
    ]);
    expect(textOf(page.text)).toContain('No record was changed');
    expect(page.text).not.toContain('evil.example/?');
    expect(await linesOf(id)).toEqual(before);
  });

  it('if the key has been withdrawn since the person was asked', async () => {
    const link = signedLink(parameters({ host: 'late' }), '_gone');
    const plan = planIn((await owner.get(link).expect(200)).text);
    const before = await linesOf(id);
    resolver.records = keyRecords();

    await owner.post(link, { plan }).expect(400);

    expect(await linesOf(id)).toEqual(before);
  });

  it('if the resolver does not answer, and can be tried again', async () => {
    resolver.rcode = 5;

    const page = await owner.get(signedLink(parameters(), '_slow')).expect(503);

    resolver.rcode = 0;
    expect(textOf(page.text)).toContain('could not be looked up');
  });

  it('if Domain Connect is off for the zone', async () => {
    await client.put(`/api/domains/${id}/domain-connect`, { enabled: false }).expect(200);

    const page = await owner.get(signedLink(parameters())).expect(400);

    await client.put(`/api/domains/${id}/domain-connect`, { enabled: true }).expect(200);
    expect(textOf(page.text)).toContain('Domain Connect is switched off for connected.com');
    expect(page.text).toContain('error=access_denied');
  });
});

describe('an unsigned request', () => {
  it('is shown with a warning if the operator has switched its provider on', async () => {
    await service.container.get(SyncTemplates).chooseProvider(UNSIGNED.providerId, true);
    const link = `${applyPath(UNSIGNED)}?domain=connected.com&host=plain&ip=192.0.2.9`;

    const page = await owner.get(link).expect(200);
    const accepted = await owner.post(link, { plan: planIn(page.text) }).expect(303);

    expect(textOf(page.text)).toContain('is not signed: anyone can have written it');
    expect(accepted.headers['location']).toBe(`/domains/${id}/connected-services`);
    expect((await owner.get(`/domains/${id}/connected-services`).expect(200)).text).toContain('Plain service');
  });
});

describe('a connected service', () => {
  beforeAll(() => service.container.get(SyncTemplates).chooseProvider(UNSIGNED.providerId, true));

  it('is broken once one of its records is changed by hand, and is removed as one', async () => {
    const domain = await registered(client, 'broken.com');
    const link = signedLink(parameters({ domain: 'broken.com' }));
    await owner.post(link, { plan: planIn((await owner.get(link).expect(200)).text) }).expect(303);
    const [connected] = await services(domain);
    const path = `/api/domains/${domain}/connected-services/${String(connected?.['id'])}`;
    const { body: records } = await client.get(`/api/domains/${domain}/dns/records?type=A`).expect(200);
    await client.put(`/api/domains/${domain}/dns/records/${records[0].id}`, { content: '192.0.2.99' }).expect(200);

    const [broken] = await services(domain);
    const page = await owner.get(`/domains/${domain}/connected-services`).expect(200);
    const { body: plan } = await client.delete(`${path}?dry_run=true`).expect(200);
    await client.delete(path).expect(200, { id: connected?.['id'], connected: false });

    expect(broken).toMatchObject({ state: 'broken', missing: [{ name: '@', type: 'A', data: '192.0.2.7' }] });
    expect(textOf(page.text)).toContain('Changed or deleted: @ A 192.0.2.7');
    expect(plan.removed).toHaveLength(2);
    expect((await linesOf(domain)).join('\n')).toMatch(/^\S+\s+\d+\s+(IN\s+)?A\s+192\.0\.2\.99$/);
    await client.delete(path).expect(404);
  });

  it('is connected once by forms that are sent at once, although its records are there already', async () => {
    const domain = await registered(client, 'twice.com');
    await client.post(`/api/domains/${domain}/dns/records`, { type: 'A', name: '@', content: '192.0.2.9', ttl: 600 });
    const link = `${applyPath(UNSIGNED)}?domain=twice.com&ip=192.0.2.9`;
    const plan = planIn((await owner.get(link).expect(200)).text);
    meanwhile(async () => {
      await owner.post(link, { plan }).expect(303);
    });

    await owner.post(link, { plan }).expect(412);

    expect(await services(domain)).toHaveLength(1);
  });

  it('keeps a record that another one needs if both are changed at once', async () => {
    const domain = await registered(client, 'shared.com');
    const link = signedLink(parameters({ domain: 'shared.com', ip: '192.0.2.9' }));
    await owner.post(link, { plan: planIn((await owner.get(link).expect(200)).text) }).expect(303);
    const [shop] = await services(domain);
    const other = `${applyPath(UNSIGNED)}?domain=shared.com&ip=192.0.2.9`;
    const plan = planIn((await owner.get(other).expect(200)).text);
    meanwhile(async () => {
      await owner.post(other, { plan }).expect(303);
    }, 2);

    await client.delete(`/api/domains/${domain}/connected-services/${String(shop?.['id'])}`).expect(200);

    expect(await services(domain)).toMatchObject([{ service_id: 'plain', state: 'connected' }]);
  });

  it('is one of at most 100 of a domain, and can still be connected again', async () => {
    const domain = await registered(client, 'many.com');
    const link = `${applyPath(UNSIGNED)}?domain=many.com&ip=192.0.2.9`;
    await owner.post(link, { plan: planIn((await owner.get(link).expect(200)).text) }).expect(303);
    const [one] = await service.container.get(ConnectedServiceReader).ofDomain(account, domain);
    if (!one) throw new Error('not connected');
    await service.container.get(UnitOfWork).run(async ({ connectedServices }) => {
      for (let number = 1; number < 100; number += 1)
        await connectedServices.add({ ...one, id: `svc_many${number}`, serviceId: `many${number}`, records: [] });
    });

    const page = await owner.get(signedLink(parameters({ domain: 'many.com', host: 'more' }))).expect(400);

    expect(textOf(page.text)).toContain('many.com has 100 connected services, which is the most');
    await owner.post(link, { plan: planIn((await owner.get(link).expect(200)).text) }).expect(303);
  });

  it('comes to a domain that providers do not find before its delegation was looked at', async () => {
    const domain = await registered(client, 'unseen.com');

    const page = await owner.get(`/domains/${domain}/connected-services`).expect(200);

    expect(textOf(page.text)).toContain('Providers do not find this domain yet.');
  });

  it('is told as an event, and is another account’s secret', async () => {
    const { body } = await client.get('/api/events?types=service.connected,service.disconnected').expect(200);
    const stranger = api(service, await service.key(await service.account()));

    expect(body.map((event: { type: string }) => event.type)).toContain('service.disconnected');
    await stranger.get(`/api/domains/${id}/connected-services`).expect(404);
    await stranger.put(`/api/domains/${id}/domain-connect`, { enabled: false }).expect(404);
  });
});

describe('under an approval rule for records', () => {
  let domain: string;
  let link: string;
  let second: DashboardClient;
  let agreed: string;
  const other = signedLink(parameters({ domain: 'two-people.com', host: 'other' }));

  beforeAll(async () => {
    account = await service.account();
    client = api(service, await service.key(account));
    [owner, second] = [await signIn(service, account), await signIn(service, account)];
    domain = await registered(client, 'two-people.com');
    link = signedLink(parameters({ domain: 'two-people.com' }));
    await owner.post(link, { plan: planIn((await owner.get(link).expect(200)).text) }).expect(303);
    agreed = planIn((await owner.get(other).expect(200)).text);
    await client.put('/api/approval-rules', { rules: [{ changes: ['records'], types: ['A'] }] }).expect(200);
  });

  it('a consent is refused with the reason, leads back to the provider, and proposes nothing', async () => {
    const before = await linesOf(domain);

    for (const page of [await owner.get(other).expect(400), await owner.post(other, { plan: agreed }).expect(400)]) {
      expect(textOf(page.text)).toMatch(/needs a second person.* add the records by hand/);
      expect(page.text).toContain('error=access_denied');
    }
    expect([await linesOf(domain), (await services(domain)).length]).toEqual([before, 1]);
    expect((await client.get('/api/proposals').expect(200)).body).toEqual([]);
  });

  it('the dashboard proposes to disconnect a service, which someone else accepts', async () => {
    const [connected] = await services(domain);
    const path = `/domains/${domain}/connected-services/${String(connected?.['id'])}`;

    const { headers } = await owner.post(`${path}/disconnect`).expect(303);

    expect(headers['location']).toMatch(/^\/proposals\/prop_/);
    expect(await services(domain)).toMatchObject([{ state: 'connected' }]);
    await second.get(String(headers['location'])).expect(200);
    await second.post(`${headers['location']}/accept`).expect(303);
    expect([await linesOf(domain), await services(domain)]).toEqual([[], []]);
  });
});

describe('what service providers ask before', () => {
  it('is the template, and the settings of a zone that they can find', async () => {
    const template = applyPath().replace('/apply', '');

    await fetchPublic(template).expect(200, { version: 3 });
    await fetchPublic(template.replace('shop', 'none')).expect(404);
    await fetchPublic('/v2/unknown.example/settings').expect(404);
    await fetchPublic('/v2/a..b/settings').expect(404);
  });
});
