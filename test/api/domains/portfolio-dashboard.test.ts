import { setTimeout as sleep } from 'node:timers/promises';
import { SessionReader, UserReader } from '../../../src/application/ports/access/users';
import { RegistryDirectory } from '../../../src/application/ports/registry/registries';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { onBothDatabases } from '../../support/databases/databases';
import { aUser, DashboardClient, PASSWORD, signIn } from '../../support/dashboard/dashboard-client';
import { api, REGISTRANT, registered, type Api } from '../../support/service/service';

/** The hidden fields by which a form confirms renewals. */
const confirmed = (text: string) =>
  Object.fromEntries(
    ['years', 'renewals', 'price', 'currency'].map((name) => [
      name,
      new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '',
    ]),
  );
/** Which domains a form for all that match showed. */
const readShown = (text: string) => /name="shown" value="([^"]+)"/.exec(text)?.[1] ?? '';
const names = (text: string) => [...text.matchAll(/<strong>([a-z-]+)\.[a-z]+<\/strong>/g)].map(([, name]) => name);

onBothDatabases('the domain list', (service) => {
  let accountId: string;
  let client: Api;
  let ids: string[];

  async function finished(id: string): Promise<object> {
    for (;;) {
      const { body } = await client.get(`/api/bulk/${id}`).expect(200);
      if (body.finished_at !== null) return body;
      await sleep(50);
    }
  }

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
    ids = [];
    for (const name of ['list-a.com', 'list-b.com', 'list-c.net']) ids.push(await registered(client, name));
    await client.put(`/api/domains/${ids[0]}/tags`, { tags: ['shop'] }).expect(200);
    await client.put(`/api/domains/${ids[1]}/autorenew`, { auto_renew: false }).expect(200);
  });

  it('is filtered by addresses that combine, and says which parameter it ignores', async () => {
    const dashboard = await signIn(service(), accountId);
    const shown = async (query: string) => names((await dashboard.get(`/domains?${query}`).expect(200)).text).join();

    expect(await shown('tld=com')).toBe('list-a,list-b');
    expect(await shown('tld=com&auto_renew=false')).toBe('list-b');
    expect(await shown('tag=Shop')).toBe('list-a');
    expect(await shown('tag=shop&auto_renew=false')).toBe('');
    const directory = service().container.get<RegistryDirectory>(RegistryDirectory);
    const registrar = directory.registryFor(DomainName.fromState('list-c.net'))?.registry;
    expect(await shown(`registrar=${registrar}&q=-c`)).toBe('list-c');
    expect(await shown('registrar=other')).toBe('');
    expect(await shown('nameserver=ours')).toBe('list-a,list-b,list-c');
    expect(await shown('nameserver=foreign')).toBe('');
    expect(await shown('expires_within=30')).toBe('');
    expect(await shown('expires_from=2000-01-01&expires_before=2001-01-01')).toBe('');
    expect(await shown('expires_from=2000-01-01&expires_before=2100-01-01')).toBe('list-a,list-b,list-c');
    expect(await shown('expires_before=2100-01-01&expires_within=30')).toBe('');
    expect(await shown('sort=-auto_renewal&tld=com')).toBe('list-a,list-b');
    for (const sort of ['nameservers', 'tags', 'health', 'price'])
      expect((await shown(`sort=-${sort}&tld=com`)).split(',').toSorted().join()).toBe('list-a,list-b');
    const { text } = await dashboard.get('/domains?tag=%2B&transfer_locked=maybe&expires_from=2026-02-30').expect(200);
    expect(text).toContain('This list ignores “tag”, “transfer_locked”, “expires_from”');
  });

  it('shows the domains of a month when that is chosen in the chart of renewals', async () => {
    const dashboard = await signIn(service(), accountId);
    // In the month of the orders, renewals in a year's time are beyond the chart of twelve months.
    await client.post('/api/sandbox/advance', { days: 40 }).expect(200);
    const { text } = await dashboard.get('/').expect(200);
    const month = /<a class="month heat-\d" href="([^"]+)">.*?<\/a>/.exec(text);

    const { text: list } = await dashboard.get((month?.[1] ?? '').replaceAll('&amp;', '&')).expect(200);

    expect(month?.[0]).toMatch(/<strong>3<\/strong><span class="visually-hidden"> domains expire/);
    expect(list).toContain('>Renewal price');
    expect(new Set(names(list))).toEqual(new Set(['list-a', 'list-b', 'list-c']));
    expect(list).not.toContain('This list ignores');
  });

  it('has the filters of the API, which refuses those that are invalid', async () => {
    const listed = async (query: string) =>
      (await client.get(`/api/domains?${query}`).expect(200)).body.map(({ name }: { name: string }) => name);

    expect(await listed('tag=shop')).toEqual(['list-a.com']);
    expect(await listed('auto_renew=false&limit=1')).toEqual(['list-b.com']);
    const { body } = await client.get('/api/domains?expires_within=soon&tag=%2B').expect(400);
    expect(body.error.details).toMatch(/tag must be .*expires_within must be a number of days/);
    for (const [filter, details] of [
      [{ tog: 'x' }, 'filter.tog is unknown'],
      [{ token: 'x' }, 'filter.token is unknown'],
      [{ expires_within: 30 }, 'filter.expires_within must be a string'],
      [{ expires_within: 'soon' }, 'filter.expires_within must be a number of days'],
    ] as const) {
      const refused = await client.post('/api/bulk', { action: 'auto_renewal', auto_renew: true, filter }).expect(400);
      expect(refused.body.error.details).toContain(details);
    }
  });

  it('keeps the views that the account saves, and exports the selected domains', async () => {
    const dashboard = await signIn(service(), accountId);
    await dashboard.get('/domains?tag=shop').expect(200);
    await dashboard.post('/domain-views', { name: ' Shops ', query: 'tag=shop' }).expect(303);

    expect((await dashboard.get('/domains')).text).toContain('href="/domains?tag=shop"');
    await dashboard.post('/domain-views/delete', { name: 'Shops' }).expect(303);
    expect((await dashboard.get('/domains')).text).not.toContain('>Shops</a>');
    const csv = await dashboard.get(`/bulk/new?action=csv&id=${ids[2]}`).expect(303);
    const { text } = await dashboard.get(csv.headers['location'] ?? '').expect(200);
    expect(
      text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    ).toEqual(['list-c.net']);
  });

  it('asks for at least one domain, refuses a total that has changed, and a member who may not unlock', async () => {
    const dashboard = await signIn(service(), accountId);
    expect((await dashboard.get('/bulk/new?action=renew').expect(303)).headers['location']).toBe('/domains');
    const { text: form } = await dashboard.get(`/bulk/new?action=renew&id=${ids[0]}`).expect(200);
    const { text } = await dashboard
      .post('/bulk', { action: 'renew', id: ids[0] ?? '', ...confirmed(form), price: '1' })
      .expect(400);
    expect(text).toContain('Check the total and confirm again');
    const member = await signIn(service(), accountId, 'manager');
    await member.get(`/bulk/new?action=unlock&id=${ids[0]}`).expect(200);
    await member.post('/bulk', { action: 'unlock', id: ids[0] ?? '' }).expect(403);
  });

  it('reviews a change of nameservers in groups, and changes only the domains that it showed', async () => {
    const dashboard = await signIn(service(), accountId);
    const [one, two] = [await registered(client, 'review-a.com'), await registered(client, 'review-b.com')];
    const gone = 'dom_gone';
    const hosts = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];
    await client.put(`/api/domains/${two}/nameservers`, { nameservers: hosts.toReversed() }).expect(200);
    const { text: form } = await dashboard
      .get(`/bulk/new?action=nameservers&id=${one}&id=${two}&id=${gone}`)
      .expect(200);
    const fields = { action: 'nameservers', id: [one, two, gone], nameservers: hosts.join(' ') };

    const { text } = await dashboard.post('/bulk/review', fields).expect(200);

    expect(form).toContain('Review the changes');
    expect(text).toContain('1 domain will change');
    expect(text).toContain('One of them uses the DNS records of this service');
    expect(text).toContain('1 domain has these nameservers already');
    expect(text).toContain('dom_gone: Specified domain not found');
    const { headers } = await dashboard.post('/bulk', fields).expect(303);
    expect(await finished((headers['location'] ?? '').slice('/bulk/'.length))).toMatchObject({ total: 1, done: 1 });
    await dashboard
      .post('/bulk', fields)
      .expect(400)
      .expect(/None of these domains would change/);
    await dashboard.post('/bulk/review', { ...fields, nameservers: 'one' }).expect(400);
  });

  it('does not apply a template that has changed since the review', async () => {
    const dashboard = await signIn(service(), accountId);
    const id = await registered(client, 'review-stale.com');
    const draft = { name: 'Shop', records: 'shop 3600 IN A 192.0.2.1' };
    const { body: template } = await client.post('/api/record-templates', draft).expect(201);
    await dashboard.get(`/bulk/new?action=template&id=${id}`).expect(200);
    const fields = { action: 'template', template: template.id, id };
    const { text: review } = await dashboard.post('/bulk/review', fields).expect(200);
    const [, shown = ''] = /name="shown_template" value="([^"]+)"/.exec(review) ?? [];
    const { body: jobs } = await client.get('/api/bulk').expect(200);
    await client.put(`/api/record-templates/${template.id}`, { ...draft, records: '@ 3600 IN MX 0 .' }).expect(200);

    const { text } = await dashboard.post('/bulk', { ...fields, shown_template: shown }).expect(400);

    expect(text).toContain('The template Shop has changed since the review. Review its records again');
    expect((await client.get('/api/bulk').expect(200)).body).toEqual(jobs);
    await dashboard.post('/bulk/review', fields).expect(200);
    await dashboard.post('/bulk', fields).expect(303);
  });

  it('reviews what a template changes in each domain', async () => {
    const dashboard = await signIn(service(), accountId);
    const [one, two] = [await registered(client, 'plan-a.com'), await registered(client, 'plan-b.com')];
    await client.post(`/api/domains/${two}/dns/template`, { template: 'no-mail' }).expect(200);
    const fields = { action: 'template', template: 'no-mail', id: [one, two] };

    const { text } = await dashboard.post('/bulk/review', fields).expect(200);

    expect(text).toMatch(/<summary>plan-a\.com <span class="small">\d added, 0 changed, 0 removed/);
    expect(text).toContain('1 domain has these records already');
    const { headers } = await dashboard.post('/bulk', fields).expect(303);
    expect(await finished((headers['location'] ?? '').slice('/bulk/'.length))).toMatchObject({ failed: 0 });
  });

  it('lists what a renewal charged and the new expiries, and offers it first for domains that expire soon', async () => {
    const dashboard = await signIn(service(), accountId);
    const id = await registered(client, 'charged.com');
    const { text } = await dashboard.get(`/bulk/new?action=renew&id=${id}`).expect(200);
    const { headers } = await dashboard.post('/bulk', { action: 'renew', id, ...confirmed(text) }).expect(303);
    await finished((headers['location'] ?? '').slice('/bulk/'.length));

    const { text: result } = await dashboard.get(headers['location'] ?? '').expect(200);

    const { expires_at: expiry } = (await client.get(`/api/domains/${id}`).expect(200)).body;
    expect(result).toMatch(/<strong>Charged: \$\d+\.\d\d<\/strong>/);
    expect(result).toContain(String(new Date(expiry).getUTCFullYear()));
    expect((await dashboard.get('/domains?expires_before=2100-01-01')).text).toMatch(/<option value="renew" selected/);
    expect((await dashboard.get('/domains?auto_renew=false')).text).toMatch(/<option value="auto-renewal-on" selected/);
  });

  it('renews the domains that the form showed, at the expiry that it showed, and no others at the same total', async () => {
    const dashboard = await signIn(service(), accountId);
    const { text: other } = await dashboard.get(`/bulk/new?action=renew&id=${ids[1]}`).expect(200);
    const { text } = await dashboard.get(`/bulk/new?action=renew&id=${ids[0]}`).expect(200);
    const form = { action: 'renew', id: ids[0] ?? '', ...confirmed(text) };

    await dashboard.post('/bulk', { ...form, renewals: confirmed(other)['renewals'] ?? '' }).expect(400);
    const { headers } = await dashboard.post('/bulk', form).expect(303);
    expect(await finished((headers['location'] ?? '').slice('/bulk/'.length))).toMatchObject({ done: 1, failed: 0 });
    await dashboard
      .post('/bulk', form)
      .expect(400)
      .expect(/The prices or the domains have changed: 1 domain for/);
  });

  it('changes all that match only if they are the domains that the form showed', async () => {
    const dashboard = await signIn(service(), accountId);
    const action = 'auto-renewal-off';
    const matching = 'tld=net';
    const form = { action, which: 'all', matching };
    const { text } = await dashboard.get(`/bulk/new?${new URLSearchParams(form).toString()}`).expect(200);
    const added = await registered(client, 'list-d.net');

    const { text: again } = await dashboard.post('/bulk', { ...form, shown: readShown(text) }).expect(400);
    expect(again).toContain('The list has changed since it was shown: 2 domains match now. Check it and confirm again');
    expect(again).toContain('list-c.net, list-d.net');
    await dashboard.post('/bulk', form).expect(400);
    expect((await client.get(`/api/domains/${added}`).expect(200)).body.auto_renew).toBe(true);
    const { headers } = await dashboard.post('/bulk', { ...form, shown: readShown(again) }).expect(303);

    expect(await finished((headers['location'] ?? '').slice('/bulk/'.length))).toMatchObject({ done: 2, failed: 0 });
    expect((await client.get(`/api/domains/${added}`).expect(200)).body.auto_renew).toBe(false);
    await client.delete(`/api/domains/${added}`).expect(200);
  });

  it('shows the total again before renewals that failed are retried, and renews at that total only', async () => {
    const limits = { domains: ['list-a.com', 'list-b.com'], spend: { per_day: 1 } };
    const { body: issued } = await client.post('/api/keys', { name: 'limited', scope: 'WRITE', limits }).expect(201);
    const renewal = { action: 'renewal', domains: ids };
    const { body: job } = await api(service(), issued.key as string)
      .post('/api/bulk', renewal)
      .expect(202);
    expect(await finished(job.id as string)).toMatchObject({ done: 0, failed: 3 });
    const dashboard = await signIn(service(), accountId);
    const path = `/bulk/${job.id}/retry`;

    expect((await dashboard.get(`/bulk/${job.id}`)).text).toContain(`href="${path}"`);
    const { text } = await dashboard.get(path).expect(200);
    expect(text).toMatch(/Renew 3 domains for \$[\d.]+/);
    await dashboard.post(path).expect(400);
    await dashboard
      .post(path, { ...confirmed(text), price: '1' })
      .expect(400)
      .expect(/Check the total and confirm again/);
    expect(await finished(job.id as string)).toMatchObject({ done: 0, failed: 3 });
    expect(text).not.toContain('that failed');
    const { text: part } = await dashboard.get(`${path}?from=1`).expect(200);
    expect(part).toMatch(/Domains 2 to 3 of 3 that failed\..*href="[^"]+\?from=0"/);
    expect(part).toContain('name="from" value="1"');
    await dashboard.post(path, { ...confirmed(part), from: '0' }).expect(400);
    await dashboard.post(path, { ...confirmed(part), from: '1' }).expect(303);
    expect(await finished(job.id as string)).toMatchObject({ done: 2, failed: 1 });

    const { text: rest } = await dashboard.get(path).expect(200);
    await dashboard.post(path, confirmed(rest)).expect(303);

    expect(await finished(job.id as string)).toMatchObject({ done: 3, failed: 0 });
    const { text: log } = await dashboard.get('/activity').expect(200);
    expect(log).toMatch(/retried a bulk change of 1 domain: renewal<\/p><p class="small">[^·]+· from [\da-f.:]+</);
    await dashboard.get(path).expect(303);

    const filter = 'domain=shop&action=bulk.retried&from=2026-03-01';
    const { text: filtered } = await dashboard.get(`/activity?${filter}`).expect(200);
    const chips = [...filtered.matchAll(/<a class="chip" href="([^"]+)">(.*?)<span aria-hidden/g)];
    expect(chips.map(([, href, label]) => [href, label?.replace(/<span.*?<\/span>/, '')])).toEqual([
      ['/activity?domain=shop&amp;from=2026-03-01', 'Change: Bulk change retried '],
      ['/activity?domain=shop&amp;action=bulk.retried', 'From: 1 Mar 2026 '],
    ]);
  });

  it('fills a saved contact into the form for many registrants', async () => {
    const own = await signIn(service(), accountId);
    const stranger = await signIn(service(), await service().account());
    const other = { ...REGISTRANT, first_name: 'Grace', last_name: 'Hopper' };
    await client.put(`/api/domains/${ids[1]}/contacts`, { registrant: other }).expect(200);
    const form = { action: 'registrant', id: ids[0] ?? '', contact: ids[1] ?? '' };
    expect((await own.get(`/bulk/new?action=registrant&id=${ids[0]}`).expect(200)).text).not.toContain('value="Grace"');

    expect((await own.post('/bulk/new', form).expect(200)).text).toContain('value="Grace"');
    await stranger.get('/bulk/new?action=registrant').expect(303);
    expect((await stranger.post('/bulk/new', form).expect(200)).text).not.toContain('Grace');
  });

  it('offers as many names of a failed bulk registration again as one order has', async () => {
    const dashboard = await signIn(service(), accountId);
    const registrations = Array.from({ length: 21 }, (_, index) => ({ name: `name-${index}.not-sold-here` }));
    const job = { action: 'registration', registrations, contacts: { registrant: REGISTRANT } };
    const { body } = await client.post('/api/bulk', job).expect(202);
    expect(await finished(body.id)).toMatchObject({ done: 0, failed: 21 });

    const { text } = await dashboard.get(`/bulk/${body.id}`).expect(200);

    const [, url = '', label] = /href="(\/register\/order[^"]+)"[^>]*>([^<]+)</.exec(text) ?? [];
    expect(label).toBe('Order 20 domains again');
    expect((await dashboard.get(url.replaceAll('&amp;', '&')).expect(200)).text).toContain('name-19.not-sold-here');
  });

  it('asks for the password before a lock is undone or repeated, because that may unlock', async () => {
    const email = await aUser(service(), accountId);
    const dashboard = await new DashboardClient(service()).signIn(email);
    await dashboard.get(`/bulk/new?action=lock&id=${ids[0]}`).expect(200);
    const { headers } = await dashboard.post('/bulk', { action: 'lock', id: ids[0] ?? '' }).expect(303);
    const [user] = await service().container.get<UserReader>(UserReader).ofEmail(email);
    const [session] = await service()
      .container.get<SessionReader>(SessionReader)
      .ofUser(user?.id ?? '');
    await service()
      .container.get(UnitOfWork)
      .run(({ sessions }) => sessions.recordAuthentication(session?.digest ?? '', new Date(0)));

    for (const step of ['undo', 'retry'])
      await dashboard
        .post(`${headers['location']}/${step}`)
        .expect(403)
        .expect(/Confirm your password/);
    await dashboard.post(`${headers['location']}/undo`, { confirm_password: PASSWORD }).expect(303);
  });
});
