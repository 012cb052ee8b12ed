import { PublishedZones } from '../../../../src/application/ports/dns/publishing';
import { IssueApiKey } from '../../../../src/application/access/api-keys/issue-api-key';
import { OPERATOR } from '../../../../src/domain/access/actor';
import { onBothDatabases } from '../../../support/databases/databases';
import { api, registered, type Api } from '../../../support/service/service';

interface Zone {
  readonly id: string;
  readonly name: string;
  readonly [member: string]: unknown;
}

const NAMESERVERS = ['ns1.namewright.example', 'ns2.namewright.example'];

const delegation = (name: string, { id }: Zone) => NAMESERVERS.map((host) => `${name} ${host} ${id}`);

onBothDatabases('Zones of names that are not registered here', (service) => {
  let account: string;
  let client: Api;
  let count = 0;

  beforeAll(async () => {
    account = await service().account();
    client = api(service(), await service().key(account));
  });

  const aName = () => `zone-${(count += 1)}.example`;
  const create = async (name = aName()): Promise<Zone> =>
    (await client.post('/api/zones').send({ name }).expect(201)).body as Zone;
  const addRecord = (zone: Zone) =>
    client.post(`/api/zones/${zone.id}/dns/records`).send({ type: 'A', name: 'www', content: '192.0.2.1' });
  const namesIn = async (path: string) => ((await client.get(path).expect(200)).body as Zone[]).map(({ name }) => name);

  const recordsOf = async ({ id }: Zone) =>
    (await client.get(`/api/zones/${id}/dns/records`).expect(200)).body as {
      name: string;
      type: string;
      content: string;
      managed_by: string | null;
    }[];
  const delegations = async (zone: Zone) =>
    (await recordsOf(zone)).flatMap(({ name, type, content, managed_by: by }) =>
      type === 'NS' ? [`${name} ${content} ${by}`] : [],
    );

  it('are created, read by id and by name, and listed', async () => {
    const zone = await create();

    expect(zone).toMatchObject({ kind: 'hosted', domain_id: null, status: 'active', records: 0, version: 1 });
    expect((await client.get(`/api/zones/${zone.id}`).expect(200)).body).toEqual(zone);
    expect((await client.get(`/api/zones/by-name/${zone.name.toUpperCase()}`).expect(200)).body).toEqual(zone);
    expect(await namesIn('/api/zones')).toContain(zone.name);
    expect(await namesIn(`/api/zones?kind=hosted&name=${zone.name}`)).toEqual([zone.name]);
    expect(await namesIn('/api/zones?kind=registered')).not.toContain(zone.name);
  });

  it.each([
    ['192.0.2.0/24', '2.0.192.in-addr.arpa', '7'],
    ['198.51.100.64/26', '64/26.100.51.198.in-addr.arpa', '65'],
    ['2001:db8:1:2:3:4:5:6/128', '6.0.0.0.5.0.0.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa', '@'],
  ])('of the network %s are reverse zones, found by their names', async (network, name, record) => {
    const fresh = api(service(), await service().key(await service().account()));
    const { body } = await fresh.post('/api/zones').send({ network }).expect(201);

    expect(body).toMatchObject({ name, kind: 'hosted' });
    const path = `/api/zones/by-name/${encodeURIComponent(name)}`;
    expect((await fresh.get(path).expect(200)).body).toEqual(body);
    await fresh
      .post(`/api/zones/${(body as Zone).id}/dns/records`)
      .send({ type: 'PTR', name: record, content: 'www.example.com' })
      .expect(201);
  });

  it('can have underscores in their names, which limits of keys take, too', async () => {
    const zone = await create('_acme-challenge.under-scores.example');
    const { text } = await service()
      .container.get(IssueApiKey)
      .execute({
        accountId: account,
        actor: OPERATOR,
        name: 'Limited',
        scope: 'WRITE',
        limits: { domains: [zone.name, '64/26.100.51.198.in-addr.arpa'] },
      });

    const limited = api(service(), text);

    expect((await limited.get(`/api/zones/by-name/${zone.name}`).expect(200)).body).toEqual(zone);
    await limited.post('/api/zones').send({ name: 'other-zone.example' }).expect(403);
  });

  it.each([
    [{ name: 'a.example', network: '192.0.2.0/24' }, 'network must'],
    [{}, 'name or network is required'],
    [{ network: null }, 'network must be a string'],
    [{ name: null }, 'name must be a string'],
    [{ name: 'co.uk' }, 'name must'],
    [{ name: 'internal' }, 'name must'],
    [{ name: '*.a.example' }, 'name must'],
    [{ network: '192.0.2.0/23' }, 'network must'],
    [{ network: '192.0.2.1/24' }, 'network must'],
    [{ name: 5 }, 'name must'],
  ])('are refused for %j', async (body, details) => {
    const response = await client.post('/api/zones').send(body).expect(400);

    expect(response.body).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect(JSON.stringify(response.body)).toContain(details);
  });

  it('hold records as those of domains do', async () => {
    const zone = await create();
    const record = (await addRecord(zone).expect(201)).body as { id: string };

    expect((await client.get(`/api/zones/${zone.id}/dns/records`).expect(200)).body).toMatchObject([{ id: record.id }]);
    expect((await client.get(`/api/zones/${zone.id}/dns/zonefile`).expect(200)).text).toContain('192.0.2.1');
    expect((await client.get(`/api/zones/${zone.id}/dns/history?limit=5`).expect(200)).body).toHaveLength(2);
    await client.delete(`/api/zones/${zone.id}/dns/records/${record.id}`).expect(200);
  });

  it('are served, and no longer after their deletion', async () => {
    const zone = await create();
    const published = service().container.get(PublishedZones);
    const isServed = async () => (await published.find(zone.name)) !== undefined;

    expect(await isServed()).toBe(true);
    await client.delete(`/api/zones/${zone.id}`).expect(200);

    expect(await isServed()).toBe(false);
    const response = await client.get(`/api/zones/${zone.id}`).expect(404);
    expect(response.body).toMatchObject({ error: { code: 'ZONE_NOT_FOUND' } });
    await create(zone.name);
  });

  it('are no domains', async () => {
    const zone = await create();
    const domainId = zone.id.replace('zone_', 'dom_');

    expect(await namesIn('/api/domains')).not.toContain(zone.name);
    for (const path of [`/api/domains/${domainId}`, `/api/domains/by-name/${zone.name}`]) {
      const response = await client.get(path).expect(404);
      expect(response.body).toMatchObject({ error: { code: 'DOMAIN_NOT_FOUND' } });
    }
    await client.post(`/api/domains/${domainId}/renew`).send({}).expect(404);
    await client.put(`/api/domains/${domainId}/autorenew`).send({ auto_renew: false }).expect(404);
    await client.delete(`/api/domains/${domainId}`).expect(404);
  });

  it('of domains have the same records under the id of the zone', async () => {
    const name = `registered-${(count += 1)}.com`;
    const domainId = await registered(client, name);
    const zone = (await client.get(`/api/zones/by-name/${name}`).expect(200)).body as Zone;

    expect(zone).toMatchObject({ kind: 'registered', domain_id: domainId, status: 'active' });
    await addRecord(zone).expect(201);
    expect((await client.get(`/api/domains/${domainId}/dns/records`).expect(200)).body).toMatchObject([
      { name: 'www' },
    ]);
    const refused = await client.delete(`/api/zones/${zone.id}`).expect(409);
    expect(refused.body).toMatchObject({ error: { code: 'DOMAIN_STATUS_CONFLICT' } });
  });

  it('get tags by their ids', async () => {
    const zone = await create();

    const { body } = await client.put(`/api/zones/${zone.id}/tags`, { tags: ['Shop'] }).expect(200);

    expect(body).toEqual({ id: zone.id, name: zone.name, tags: ['shop'], updated_at: expect.any(String) });
    expect((await client.get('/api/zones?tag=shop').expect(200)).body).toMatchObject([{ id: zone.id }]);
  });

  it('cannot be created twice in an account', async () => {
    const zone = await create();

    const { body } = await client.post('/api/zones').send({ name: zone.name }).expect(409);

    expect(body).toMatchObject({ error: { code: 'ZONE_EXISTS', details: `Its zone is ${zone.id}` } });
  });

  it('are unknown to other accounts', async () => {
    const zone = await create();
    const other = api(service(), await service().key(await service().account()));

    const { body } = await other.post('/api/zones').send({ name: zone.name }).expect(201);

    expect(body).toMatchObject({ status: 'unverified' });
    expect(JSON.stringify(body)).not.toContain(zone.id);
    await other.get(`/api/zones/${zone.id}`).expect(404);
    await other.get(`/api/zones/${zone.id}/dns/records`).expect(404);
    await other.post(`/api/zones/${zone.id}/verify`).expect(404);
  });

  it('are listed in pages in the order of their names', async () => {
    const fresh = api(service(), await service().key(await service().account()));
    for (const name of ['c.example', 'a.example', 'b.example'])
      await fresh.post('/api/zones').send({ name }).expect(201);

    const first = await fresh.get('/api/zones?limit=2').expect(200);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    const second = await fresh.get(next).expect(200);

    expect([first, second].map(({ body }) => (body as Zone[]).map(({ name }) => name))).toEqual([
      ['a.example', 'b.example'],
      ['c.example'],
    ]);
  });

  describe('below another one of the account', () => {
    it('are delegated by it, until they are deleted', async () => {
      const above = await create();
      const zone = await create(`k8s.team.${above.name}`);

      expect(await delegations(above)).toEqual(delegation('k8s.team', zone));
      await client.delete(`/api/zones/${zone.id}`).expect(200);
      expect(await delegations(above)).toEqual([]);
    });

    it('are refused to a key that may not see that one, and nothing is delegated', async () => {
      const above = await create();
      const name = `k8s.${above.name}`;
      const { text } = await service()
        .container.get(IssueApiKey)
        .execute({ accountId: account, actor: OPERATOR, name: 'Limited', scope: 'ADMIN', limits: { domains: [name] } });

      const { body } = await api(service(), text).post('/api/zones', { name }).expect(404);

      expect(body.error.code).toBe('ZONE_NOT_FOUND');
      expect(await delegations(above)).toEqual([]);
      await client.get(`/api/zones/by-name/${name}`).expect(404);
    });

    it('take over records that they would hide only if asked to', async () => {
      const above = await create();
      for (const name of ['k8s', 'a.k8s', 'k8s-other'])
        await client
          .post(`/api/zones/${above.id}/dns/records`, { type: 'TXT', name, content: `of ${name}`, comment: 'kept' })
          .expect(201);
      const name = `k8s.${above.name}`;

      const refused = await client.post('/api/zones', { name }).expect(409);
      const zone = (await client.post('/api/zones', { name, move_records: true }).expect(201)).body as Zone;

      expect(refused.body.error).toMatchObject({
        code: 'RECORD_CONFLICT',
        details: `The zone would hide records of ${above.name}: k8s TXT, a.k8s TXT. Set move_records to move them into it`,
      });
      expect(zone).toMatchObject({ records: 2, version: 2 });
      expect(await recordsOf(zone)).toMatchObject([
        { name: '@', content: 'of k8s', comment: 'kept' },
        { name: 'a', content: 'of a.k8s', comment: 'kept' },
      ]);
      expect((await recordsOf(above)).map((each) => each.name)).toEqual(['k8s-other', 'k8s', 'k8s']);
    });

    it('are delegated by a zone that comes between, and again by the one above when it goes', async () => {
      const above = await create();
      const deep = await create(`x.y.${above.name}`);
      const between = await create(`y.${above.name}`);

      expect(await delegations(above)).toEqual(delegation('y', between));
      expect(await delegations(between)).toEqual(delegation('x', deep));
      await client.delete(`/api/zones/${between.id}`).expect(200);
      expect(await delegations(above)).toEqual(delegation('x.y', deep));
    });

    it('are delegated by what is above them, whatever is created and deleted at the same time', async () => {
      const above = await create();
      for (let round = 0; round < 8; round += 1) {
        const between = await create(`y${round}.${above.name}`);
        const [created] = await Promise.all([
          client.post('/api/zones').send({ name: `x.${between.name}` }),
          client.delete(`/api/zones/${between.id}`),
          client
            .post('/api/zones')
            .send({ name: `z${round}.${above.name}` })
            .expect(201),
        ]);

        expect(created.status).toBe(201);
        expect(await delegations(above)).toEqual(expect.arrayContaining(delegation(`x.y${round}`, created.body)));
      }
      expect(await delegations(above)).toHaveLength(8 * 2 * NAMESERVERS.length);
    });

    it('are delegated by one that comes later', async () => {
      const name = aName();
      const [zone] = [await create(`x.${name}`), await create(`a.x.${name}`)];

      expect(await delegations(await create(name))).toEqual(delegation('x', zone));
    });

    it('keep their delegation whatever is changed by hand, except for its comments', async () => {
      const above = await create();
      const zone = await create(`k8s.${above.name}`);
      const path = `/api/zones/${above.id}/dns`;
      const [ns] = (await client.get(`${path}/records`).expect(200)).body as Zone[];
      const refused = `The service keeps NS ${zone.name} for the zone ${zone.id}`;
      const marked = { type: 'A', name: 'www', content: '192.0.2.1', managed_by: zone.id };

      await client.put(`${path}/records/${ns?.id}`, { comment: 'ours' }).expect(200);
      const responses = [
        await client.delete(`${path}/records/${ns?.id}`),
        await client.put(`${path}/records/${ns?.id}`, { ttl: 60 }),
        await client.put(`${path}/records/${ns?.id}`, { managed_by: '' }),
        await client.post(`${path}/records/batch`, { delete: [ns?.id] }),
      ];
      const mark = await client.post(`${path}/records`, marked).expect(409);

      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 409));
      for (const { body } of responses)
        expect(body.error).toMatchObject({ code: 'RECORD_CONFLICT', details: expect.stringContaining(refused) });
      expect(mark.body.error).toMatchObject({
        details: expect.stringContaining('have the id of a zone in managed_by'),
      });
      expect(await delegations(above)).toEqual(delegation('k8s', zone));
    });

    it('keep their delegation when the zone above is imported or rolled back', async () => {
      const above = await create();
      const path = `/api/zones/${above.id}/dns`;
      const zone = await create(`k8s.${above.name}`);
      const later = await create(`later.${above.name}`);
      const both = [...delegation('k8s', zone), ...delegation('later', later)];

      await client.post(`${path}/history/2/restore`).expect(200);
      expect(await delegations(above)).toEqual(both);
      await client.delete(`/api/zones/${later.id}`).expect(200);
      await client.post(`${path}/history/3/restore`).expect(200);
      expect(await delegations(above)).toEqual(delegation('k8s', zone));

      const file = 'www 300 IN A 192.0.2.1\nk8s 300 IN NS ns.elsewhere.example.\n';
      const stale = `old 300 IN NS ns1.namewright.example. ; [managed_by=${later.id}]\n`;
      const { body } = await client
        .put(`${path}/zonefile`)
        .set('Content-Type', 'text/dns')
        .send(file + stale)
        .expect(200);

      expect(body.notes).toEqual([
        { line: 2, note: 'skipped: NS at k8s, because the service keeps the delegation to the zone below' },
      ]);
      expect(await delegations(above)).toEqual([...delegation('k8s', zone), 'old ns1.namewright.example undefined']);
      await client.put(`/api/zones/by-name/${above.name}/state`, { records: [] }).expect(200);
      expect(await delegations(above)).toEqual(delegation('k8s', zone));
    });
  });
});
