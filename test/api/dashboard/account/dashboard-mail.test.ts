import { onBothDatabases } from '../../../support/databases/databases';
import { publicCase } from '../../../support/data/public-cases';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { api, registered, type Api } from '../../../support/service/service';

onBothDatabases('the SPF and DMARC forms of the dashboard', (service) => {
  let client: Api;
  let dashboard: DashboardClient;
  let serial = 0;

  beforeAll(async () => {
    const accountId = await service().account();
    client = api(service(), await service().key(accountId));
    dashboard = await signIn(service(), accountId);
  });

  const givenRecord = async (name: string, content: string) => {
    const id = await registered(client, `mail-policy-${(serial += 1)}.com`);
    const record = { type: 'TXT', name, content };
    const { headers } = await client.post(`/api/domains/${id}/dns/records`, record).expect(201);
    return { id, expected: String(headers['zone-version']) };
  };
  const contentsOf = async (id: string) => {
    const { body } = await client.get(`/api/domains/${id}/dns/records`).expect(200);
    return (body as { content: string }[]).map((record) => record.content);
  };

  it('change the DMARC record that has spaces around "=" instead of adding a second one', async () => {
    const [, content = ''] = /TXT: (.+?) {2}/.exec(publicCase('49-dmarc-form-adds-second.txt')) ?? [];
    const { id, expected } = await givenRecord('_dmarc', content);

    const { text } = await dashboard.get(`/domains/${id}/mail`).expect(200);

    expect(text).toContain(`<code>${content}</code>`);
    expect(text).toMatch(/name="p"[^>]*value="reject"[^>]*checked/);
    await dashboard.post(`/domains/${id}/mail/dmarc`, { content: 'v=DMARC1; p=quarantine', expected }).expect(303);
    expect(await contentsOf(id)).toEqual(['v=DMARC1; p=quarantine']);
  });

  it('show no policy for a record that receivers do not take for DMARC', async () => {
    const [, content = ''] = /^(v=dmarc1.+?) {2}/m.exec(publicCase('13-dmarc.txt')) ?? [];
    const { id } = await givenRecord('_dmarc', content);

    const { text } = await dashboard.get(`/domains/${id}/mail`).expect(200);

    expect(text).toContain('The zone has no such record yet.');
    expect(text).not.toMatch(/name="p"[^>]*value="reject"[^>]*checked/);
  });

  it('change an SPF record that is stored as several strings', async () => {
    const { id, expected } = await givenRecord('@', '"v=spf1 ip4:198.51.100.7 " "include:_spf.example.net -all"');

    const { text } = await dashboard.get(`/domains/${id}/mail`).expect(200);

    expect(text).toContain('<code>v=spf1 ip4:198.51.100.7 include:_spf.example.net -all</code>');
    await dashboard.post(`/domains/${id}/mail/spf`, { content: 'v=spf1 -all', expected }).expect(303);
    expect(await contentsOf(id)).toEqual(['v=spf1 -all']);
  });
});
