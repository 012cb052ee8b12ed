import { setTimeout as sleep } from 'node:timers/promises';
import { CreateZone } from '../../../../src/application/hosting/create-zone';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { checkOf } from '../../../../src/domain/health/health-check';
import { reportOf } from '../../../../src/domain/health/health-report';
import { signIn } from '../../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../../support/databases/databases';
import { api, registered } from '../../../support/service/service';

const namesIn = (html: string) =>
  [...html.matchAll(/<a href="\/domains\/dom_\w+"><strong>([^<]+)</g)].map(([, name]) => name);

const nameserverLink = (id: string) => `href="/domains/${id}/nameservers"`;

onBothDatabases('names without a registration in the dashboard', (service) => {
  let serial = 0;

  async function anAccount() {
    const account = await service().account();
    const client = api(service(), await service().key(account));
    serial += 1;
    const [hosted, domain] = [`a-hosted-${serial}.example`, `b-registered-${serial}.com`];
    const { owner } = await service()
      .container.get(CreateZone)
      .execute({ accountId: account, actor: OPERATOR, zone: { name: hosted }, movesRecords: false });
    const domainId = await registered(client, domain);
    return { account, client, hosted, domain, id: owner.id, domainId, dashboard: await signIn(service(), account) };
  }

  it('are in the list of domains with a mark, and without values of registrations', async () => {
    const { dashboard, hosted, domain } = await anAccount();

    const { text } = await dashboard.get('/domains').expect(200);
    const csv = (await dashboard.get('/domains.csv').expect(200)).text.split('\r\n');

    expect(namesIn(text)).toEqual([hosted, domain]);
    expect(text).toContain('>DNS only</span>');
    expect(text).toContain('2 domains');
    expect(text).not.toContain('9999');
    expect(csv[1]).toMatch(new RegExp(`^${hosted},hosted,,,,ns1\\S+ ns2\\S+,`));
    expect(csv[2]).toMatch(new RegExp(`^${domain},active,20\\S+,true,true,`));
  });

  it.each([
    ['kind=hosted', ['hosted']],
    ['kind=registered', ['domain']],
    ['status=hosted', ['hosted']],
    ['status=active,hosted', ['hosted', 'domain']],
    ['status=active', ['domain']],
    ['q=-', ['hosted', 'domain']],
    ['nameserver=ours', ['hosted', 'domain']],
    ['auto_renew=true', ['domain']],
    ['transfer_locked=true', ['domain']],
    ['expires_from=2020-01-01', ['domain']],
    ['expires_before=9999-12-31', ['domain']],
    ['expires_within=3650', ['domain']],
    ['tld=com', ['domain']],
    ['kind=hosted&status=active', []],
    ['kind=hosted&auto_renew=true', []],
    ['kind=registered&status=hosted', []],
    ['kind=other', ['hosted', 'domain']],
  ] as const)('are found by %s as %j', async (query, expected) => {
    const account = await anAccount();

    const { text } = await account.dashboard.get(`/domains?${query}`).expect(200);

    expect(namesIn(text)).toEqual(expected.map((kind) => account[kind]));
  });

  it('are found in every order', async () => {
    const { dashboard, hosted, domain } = await anAccount();

    for (const sort of ['name', 'status', 'expiry', '-expiry', 'auto_renewal', 'transfer_lock', 'health', 'price']) {
      const { text } = await dashboard.get(`/domains?sort=${sort}`).expect(200);
      expect({ sort, names: new Set(namesIn(text)) }).toEqual({ sort, names: new Set([hosted, domain]) });
    }
  });

  it('have no pages of a registration', async () => {
    const { dashboard, id } = await anAccount();
    const pages = ['nameservers', 'registrant', 'renew', 'restore', 'switch', 'auth-code', 'release', 'operations'];

    for (const page of pages) await dashboard.get(`/domains/${id}/${page}`).expect(404);
    await dashboard.get(`/domains/${id}/records`).expect(200);
    for (const form of [...pages, 'auto-renewal', 'transfer-lock', 'transfer-out/approve', 'transfer-out/reject'])
      if (form !== 'operations') await dashboard.post(`/domains/${id}/${form}`, { on: 'yes' }).expect(404);
  });

  it('have no link to a page of a registration beside what the health checks found', async () => {
    const { dashboard, id, domainId } = await anAccount();
    const found = { state: 'problem', summary: 'Broken.', action: 'change_nameservers' } as const;
    const checks = [checkOf('nameservers', found), checkOf('resolution', found)];
    const report = reportOf(new Date(), checks, []);
    await service()
      .container.get(UnitOfWork)
      .run(({ health }) => health.save([id, domainId].map((each) => ({ domainId: each, report }))));

    for (const page of ['', '/health']) {
      expect((await dashboard.get(`/domains/${id}${page}`).expect(200)).text).not.toContain(nameserverLink(id));
      expect((await dashboard.get(`/domains/${domainId}${page}`).expect(200)).text).toContain(nameserverLink(domainId));
    }
  });

  it('are found by the palette, with the pages of their zones', async () => {
    const { dashboard, hosted } = await anAccount();

    const { items } = (await dashboard.get(`/palette?q=${hosted}`).expect(200)).body as { items: { label: string }[] };
    const labels = items.map(({ label }) => label.replace(`${hosted}: `, ''));

    expect(labels).toEqual(expect.arrayContaining([hosted, 'DNS records', 'DNSSEC', 'Zone file']));
    for (const label of ['Nameservers', 'Operations', 'Registrant', 'Renew', 'Auth code'])
      expect(labels).not.toContain(label);
  });

  it('are left out of all that match when a bulk action changes registrations', async () => {
    const { dashboard, hosted, domain } = await anAccount();
    const form = async (action: string) =>
      (await dashboard.get(`/bulk/new?which=all&matching=&action=${action}`).expect(200)).text;

    expect(await form('lock')).toContain('1 domain');
    for (const action of ['tags', 'template']) expect(await form(action)).toContain('2 domains');
    const renewal = await form('renew');
    expect(renewal).toContain(domain);
    expect(renewal).not.toContain(hosted);
  });

  it('that are selected for a renewal are refused with the reason', async () => {
    const { dashboard, id, domainId, hosted } = await anAccount();

    const { text } = await dashboard.get(`/bulk/new?action=renew&id=${id}&id=${domainId}`).expect(200);

    expect(text).toContain(`${hosted}: The name has DNS only: it is not registered here`);
  });

  it('that are selected for a lock fail with the reason, and take a template and tags', async () => {
    const { client, id, domainId } = await anAccount();
    const run = async (body: object): Promise<{ done: number; failed: number; failures: { details: string }[] }> => {
      const started = await client.post('/api/bulk', { ...body, domains: [id, domainId] }).expect(202);
      for (;;) {
        const job = (await client.get(`/api/bulk/${started.body.id}`).expect(200)).body;
        if (job.finished_at !== null) return job;
        await sleep(50);
      }
    };

    const locked = await run({ action: 'transfer_lock', transfer_locked: true });
    const tagged = await run({ action: 'tags', add_tags: ['shop'] });
    const filled = await run({ action: 'template', template: 'netlify', values: { site: 'some-site' } });

    expect(locked).toMatchObject({ done: 1, failed: 1 });
    expect(JSON.stringify(locked.failures)).toContain('The name has DNS only: it is not registered here');
    for (const job of [tagged, filled]) expect(job).toMatchObject({ done: 2, failed: 0 });
  });

  it('have tags', async () => {
    const { dashboard, hosted, id } = await anAccount();

    await dashboard.get('/domains').expect(200);
    await dashboard.post(`/domains/${id}/tags`, { tags: 'internal' }).expect(303);

    expect(namesIn((await dashboard.get('/domains?tag=internal')).text)).toEqual([hosted]);
  });

  it('are counted on the overview, and have no expiry in the activity', async () => {
    const { dashboard, id } = await anAccount();

    const { text } = await dashboard.get('/').expect(200);
    expect(text).toContain('<a class="count plain" href="/domains?status=hosted"><strong>1</strong> DNS only</a>');
    expect(text).toContain(`href="/domains/${id}"`);
    expect((await dashboard.get('/activity').expect(200)).text).not.toContain('9999');
  });

  it('have a page with the nameservers to set and the answer of the parent zone, and the pages of their zones', async () => {
    const { dashboard, hosted, id } = await anAccount();

    const { text } = await dashboard.get(`/domains/${id}`).expect(200);

    expect(text).toContain('DNS only</span>');
    expect(text).toContain(`zone_${id.slice(4)}`);
    for (const host of ['ns1.namewright.example', 'ns2.namewright.example']) expect(text).toContain(`>${host}</code>`);
    expect(text).toMatch(/The parent zone (was not asked yet|did not answer)/);
    for (const absent of ['9999', 'Registrant', 'Auto-renewal', 'Transfer lock', 'Auth code', '/operations'])
      expect(text).not.toContain(absent);
    for (const page of [
      'records',
      'history',
      'zone-file',
      'templates',
      'mail',
      'health',
      'dnssec',
      'publication',
      'map',
    ])
      expect((await dashboard.get(`/domains/${id}/${page}`).expect(200)).text).toContain(hosted);
  });

  it('tell what the parent zone says after a check, and nothing of an expiry', async () => {
    const { dashboard, id } = await anAccount();

    await dashboard.get(`/domains/${id}`);
    const { headers } = await dashboard.post(`/domains/${id}/health`, { from: 'details' }).expect(303);
    expect(headers['location']).toBe(`/domains/${id}`);

    expect((await dashboard.get(`/domains/${id}`)).text).toContain('The parent zone did not answer.');
    const health = (await dashboard.get(`/domains/${id}/health`)).text;
    expect(health).toContain('Delegation');
    expect(health).toContain('The name is not registered here.');
    expect(health).not.toContain('expires in');
  });

  it('can be signed', async () => {
    const { dashboard, id } = await anAccount();

    expect((await dashboard.get(`/domains/${id}/dnssec`)).text).toContain('role="switch"');
    await dashboard.post(`/domains/${id}/dnssec`, { on: 'yes' }).expect(303);

    expect((await dashboard.get(`/domains/${id}/dnssec`)).text).toContain('DNSSEC is being switched on');
  });

  it('are deleted when their name is typed', async () => {
    const { dashboard, hosted, id, domain } = await anAccount();

    const form = (await dashboard.get(`/domains/${id}/delete`).expect(200)).text;
    expect(form).toContain('The zone is no longer served');
    expect(form).not.toContain('keep_zone');
    await dashboard.post(`/domains/${id}/delete`, { confirm_name: domain }).expect(400);
    await dashboard.post(`/domains/${id}/delete`, { confirm_name: hosted.toUpperCase() }).expect(303);

    const { text } = await dashboard.get('/domains').expect(200);
    expect(namesIn(text)).toEqual([domain]);
    expect(text).toContain(`${hosted} was deleted.`);
    await dashboard.get(`/domains/${id}`).expect(404);
  });

  it('are not deleted by people who may not let domains go', async () => {
    const { account, id } = await anAccount();
    const manager = await signIn(service(), account, 'manager');

    await manager.get(`/domains/${id}`).expect(200);
    await manager.post(`/domains/${id}/delete`, {}).expect(403);
  });
});
