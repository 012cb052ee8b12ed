import { onBothDatabases } from '../../support/databases/databases';
import { signIn } from '../../support/dashboard/dashboard-client';
import { api, registered, REGISTRANT, type Api } from '../../support/service/service';

const OTHERS = ['ns1.example.net', 'ns2.example.net'];
const RECORD = { name: 'www', type: 'A', content: '192.0.2.1' };

type Change = [
  setting: string,
  path: string,
  away: object,
  back: (before: Readonly<Record<string, unknown>>) => object,
];

onBothDatabases('a setting that a desired state describes', (service) => {
  let client: Api;
  let accountId: string;
  let serial = 0;
  let name: string;
  let domain: string;
  let before: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
    await registered(client, 'contact.com');
  });

  beforeEach(async () => {
    name = `drift-${(serial += 1)}.com`;
    domain = `/api/domains/${await registered(client, name)}`;
    before = (await client.get(domain).expect(200)).body;
    await apply();
  });

  const apply = (state: object = {}) =>
    client
      .put(`/api/domains/by-name/${name}/state`, {
        records: [RECORD],
        nameservers: (before['nameservers'] as string[]).map((host) => `${host.toUpperCase()}.`),
        transfer_locked: true,
        auto_renew: true,
        tags: ['Shop'],
        registrant: { contact: 'Contact.com' },
        dnssec: { enabled: false },
        ...state,
      })
      .expect(200);
  const listed = async (): Promise<boolean> => {
    const { body } = await client.get('/api/states/drifted').expect(200);
    return body.some((each: { name: string }) => each.name === name);
  };
  const drifts = async () => {
    const { body } = await client.get(`/api/events?types=domain.drifted&domain=${name}`).expect(200);
    return body.map(({ actor, data }: { actor: string; data: object }) => ({ actor: actor.split(':')[0], ...data }));
  };
  const settled = async () => {
    for (const { id } of (await client.get(`${domain}/operations`).expect(200)).body as { id: string }[])
      while ((await client.get(`/api/operations/${id}`).expect(200)).body.finished_at === null)
        await new Promise((later) => setTimeout(later, 20));
  };
  const change = async (path: string, body: object) => {
    await client.put(`${domain}/${path}`, body).expect(200);
    await settled();
  };

  it.each<Change>([
    ['nameservers', 'nameservers', { nameservers: OTHERS }, ({ nameservers }) => ({ nameservers })],
    ['transfer_locked', 'transfer-lock', { transfer_locked: false }, () => ({ transfer_locked: true })],
    ['auto_renew', 'autorenew', { auto_renew: false }, () => ({ auto_renew: true })],
    ['tags', 'tags', { tags: ['other'] }, () => ({ tags: ['shop'] })],
    [
      'registrant',
      'contacts',
      { registrant: { ...REGISTRANT, first_name: 'Grace' } },
      () => ({ registrant: REGISTRANT }),
    ],
    ['dnssec', 'dnssec', { enabled: true }, () => ({ enabled: false })],
  ])('puts the name on the list until it is changed back, with one event: %s', async (setting, path, away, back) => {
    expect(await listed()).toBe(false);

    await change(path, away);
    expect(await listed()).toBe(true);

    await change(path, back(before));
    expect(await listed()).toBe(false);
    expect(await drifts()).toEqual([
      {
        actor: 'key',
        domain: { id: before['id'], zone_id: String(before['id']).replace('dom_', 'zone_'), name },
        settings: [setting],
        link: `/api/domains/by-name/${name}/state`,
      },
    ]);
  });

  it('keeps the name on the list if records were changed, too, until the state is applied again', async () => {
    await change('autorenew', { auto_renew: false });
    await client.post(`${domain}/dns/records`, { ...RECORD, name: 'by-hand' }).expect(201);

    await change('autorenew', { auto_renew: true });
    expect(await listed()).toBe(true);

    await apply();
    expect(await listed()).toBe(false);
  });

  it('is no drift while the state itself changes it, in the order of its operations', async () => {
    await change('nameservers', { nameservers: OTHERS });

    await apply({ nameservers: ['ns1.example.org', 'ns2.example.org'], transfer_locked: false, auto_renew: false });
    await settled();

    expect(await listed()).toBe(false);
    expect(await drifts()).toMatchObject([{ settings: ['nameservers'] }]);
    expect((await client.get(domain).expect(200)).body).toMatchObject({ transfer_locked: false, auto_renew: false });
  });

  it('is listed, and can be adopted, if it cannot be set back at once: NSEC in the place of NSEC3', async () => {
    await apply({ dnssec: { enabled: true, denial: 'nsec3' } });
    await client.put(`${domain}/dnssec`, { enabled: false }).expect(200);
    while ((await client.get(`${domain}/dnssec`).expect(200)).body.state !== 'off')
      await new Promise((later) => setTimeout(later, 20));
    await client.put(`${domain}/dnssec`, { enabled: true, denial: 'nsec' }).expect(200);
    const state = `/api/domains/by-name/${name}/state`;

    expect(await listed()).toBe(true);
    const nsec = { enabled: true, denial: 'nsec' };
    expect((await client.get(state).expect(200)).body).toMatchObject({
      drift: { settings: [{ setting: 'dnssec', before: nsec, after: { enabled: true, denial: 'nsec3' } }] },
      invalid: { details: 'dnssec: The zone is signed with NSEC. Switch DNSSEC off to change that' },
    });
    const dashboard = await signIn(service(), accountId);
    const page = (await dashboard.get(`/domains/${String(before['id'])}/state`).expect(200)).text;
    expect(page).toContain('<del>on, NSEC</del> <ins>on, NSEC3</ins>');
    expect(page).toContain('The zone is signed with NSEC. Switch DNSSEC off to change that');
    expect(page).not.toContain('Set back');

    const [, zone = ''] = /name="zone" value="([^"]*)"/.exec(page) ?? [];
    const [, settings = ''] = /name="settings" value="([^"]*)"/.exec(page) ?? [];
    await dashboard.post(`/domains/${String(before['id'])}/state/adopt`, { zone, settings }).expect(303);
    expect(await listed()).toBe(false);
    expect((await client.get(state).expect(200)).body).toMatchObject({ invalid: null, state: { dnssec: nsec } });
  });

  it('is no drift if the state does not name it', async () => {
    await client.put(`/api/domains/by-name/${name}/state`, { tags: ['shop'] }).expect(200);

    await change('autorenew', { auto_renew: false });

    expect(await listed()).toBe(false);
  });

  it('is found after a bulk change, and listed in the dashboard', async () => {
    const { body: job } = await client
      .post('/api/bulk', { action: 'auto_renewal', auto_renew: false, domains: [before['id']] })
      .expect(202);
    while ((await client.get(`/api/bulk/${job.id}`).expect(200)).body.status === 'running')
      await new Promise((later) => setTimeout(later, 20));
    const dashboard = await signIn(service(), accountId);

    const list = (await dashboard.get('/drift').expect(200)).text;
    expect(list).toContain(`href="/domains/${String(before['id'])}/state"`);
    expect(list).toContain('records or settings of these names');
    expect((await dashboard.get('/').expect(200)).text).toContain('Records or settings of');

    await client.put(`${domain}/autorenew`, { auto_renew: true }).expect(200);
    expect(await listed()).toBe(false);
  });
});
