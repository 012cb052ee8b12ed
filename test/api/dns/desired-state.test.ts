import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import request from 'supertest';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

const record = (part: object = {}) => ({ name: 'www', type: 'A', content: '192.0.2.1', ...part });
const etagOf = ({ headers }: { readonly headers: Record<string, string | undefined> }) => headers['etag'] ?? '';

onBothDatabases('a desired state', (service) => {
  let client: Api;
  let accountId: string;
  let serial = 0;
  let name: string;
  let state: string;
  let dns: string;

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
  });

  beforeEach(async () => {
    name = `state-${(serial += 1)}.com`;
    dns = `/api/domains/${await registered(client, name)}/dns`;
    state = `/api/domains/by-name/${name}/state`;
  });

  const details = async (body: object) => (await client.put(state, body).expect(400)).body.error.details;
  const listed = async (): Promise<string[]> =>
    (await client.get(`${dns}/records`).expect(200)).body.map(
      (each: { name: string; type: string; content: string }) => `${each.name} ${each.type} ${each.content}`,
    );

  it('is planned, then applied with the versions of the plan, and the second apply is empty', async () => {
    await client.post(`${dns}/records`, record({ content: '192.0.2.9' })).expect(201);
    const wanted = { records: [record(), record({ type: 'TXT', content: 'text' })] };

    const plan = await client.put(`${state}?dry_run=true`, wanted).expect(200);
    expect(await listed()).toEqual(['www A 192.0.2.9']);
    const applied = await client.put(state, wanted).set('If-Match', etagOf(plan)).expect(200);

    expect(plan.body).toMatchObject({
      dry_run: true,
      name,
      empty: false,
      records: {
        added: [{ type: 'TXT' }],
        changed: [{ before: { content: '192.0.2.9' }, after: { content: '192.0.2.1' } }],
        removed: [],
      },
      settings: [],
      operations: [],
      cost: { amount: 0, currency: 'USD' },
      versions: { zone: expect.any(Number), settings: null },
    });
    expect(applied.body).toMatchObject({
      empty: false,
      records: { added: [{ id: expect.stringMatching(/^rec_/) }] },
      versions: { zone: plan.body.versions.zone + 1 },
    });
    expect(await listed()).toEqual(['www A 192.0.2.1', 'www TXT text']);
    const again = await client.put(state, wanted).expect(200);
    expect(again.body).toMatchObject({ empty: true, versions: { zone: plan.body.versions.zone + 1 } });
  });

  it('is planned with those of other names in one request, in which a wrong one has its error', async () => {
    const wanted = { records: [record()] };
    const states = [
      { name, state: wanted },
      { name: 'not-here.com', state: wanted },
      { name, state: { records: [record({ content: 'x' })] } },
      { name, state: { records: [{ ...record(), ttl: 'x' }] } },
      { name, format: 'octodns', managed_by: 'git', state: { www: { type: 'A', value: '192.0.2.2' } } },
    ];

    const { body } = await client.post('/api/states/plan', { states }).expect(200);

    expect(body.plans).toMatchObject([
      {
        name,
        error: null,
        applied: false,
        plan: { dry_run: true, empty: false, records: { added: [{ content: '192.0.2.1' }] } },
      },
      { name: 'not-here.com', etag: null, plan: null, applied: false, error: { code: 'DOMAIN_NOT_FOUND' } },
      { name, plan: null, error: { code: 'INVALID_RECORD_CONTENT', details: expect.stringMatching(/^records\[0\]/) } },
      { name, plan: null, error: { code: 'VALIDATION_ERROR', details: 'records[0].ttl must be an integer' } },
      { name, error: null, plan: { records: { added: [{ content: '192.0.2.2', managed_by: 'git' }] } } },
    ]);
    expect(await listed()).toEqual([]);
    await client.put(state, wanted).set('If-Match', body.plans[0].etag).expect(200);
    expect(await listed()).toEqual(['www A 192.0.2.1']);
    const again = await client.post('/api/states/plan', { states: [states[0]] }).expect(200);
    expect(again.body.plans).toMatchObject([{ applied: true, plan: { empty: true } }]);
  });

  it.each([
    [{ states: [] }, 'states must not be empty'],
    [
      { states: Array.from({ length: 101 }, () => ({ name: 'a.com', state: {} })) },
      'states must have at most 100 entries',
    ],
    [
      { states: [{ name: 1, state: [], format: 'x' }] },
      'states[0].name must be a string; states[0].state must be an object; states[0].format must be one of state, octodns',
    ],
  ])('is refused in a list that is wrong: %#', async (list, wrong) => {
    const { body } = await client.post('/api/states/plan', list).expect(400);

    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: wrong });
  });

  it('is listed as drifted from the first change past it until it is applied again', async () => {
    const names = async (key?: string) => {
      const reader = key === undefined ? client : api(service(), key);
      const { body } = await reader.get('/api/states/drifted').expect(200);
      return body.map((each: { name: string }) => each.name).filter((each: string) => each === name);
    };
    const limitedKey = async (domain: string) =>
      (await client.post('/api/keys', { name: 'k', scope: 'READ', limits: { domains: [domain] } }).expect(201)).body
        .key;
    const wanted = { records: [record()] };
    await client.put(state, wanted).expect(200);
    expect(await names()).toEqual([]);

    await client.post(`${dns}/records`, record({ name: 'by-hand' })).expect(201);
    const [first] = (await client.get('/api/states/drifted').expect(200)).body.slice(-1);
    await client.post(`${dns}/records`, record({ name: 'again' })).expect(201);

    expect(first).toEqual({
      name,
      zone_id: expect.stringMatching(/^zone_/),
      drifted_at: expect.any(String),
      applied_at: expect.any(String),
      applied_by: { kind: 'key', id: expect.any(String) },
      zone_version: expect.any(Number),
    });
    expect(await names()).toEqual([name]);
    expect(await names(await limitedKey(name))).toEqual([name]);
    expect(await names(await limitedKey('state-1.com'))).toEqual([]);
    await client.put(state, wanted).expect(200);
    expect(await names()).toEqual([]);
  });

  it('is no longer listed as drifted once its records are changed back, however that is done', async () => {
    const isListed = async () =>
      (await client.get('/api/states/drifted').expect(200)).body.some((each: { name: string }) => each.name === name);
    const mine = async () => (await client.get(`${dns}/records`).expect(200)).body[0] as { id: string };
    await client.put(state, { managed_by: 'git', records: [record({ ttl: 300 })] }).expect(200);

    await client.put(`${dns}/records/${(await mine()).id}`, { content: '192.0.2.9' }).expect(200);
    await client.post(`${dns}/records`, record({ name: 'new', managed_by: 'git' })).expect(201);
    expect(await isListed()).toBe(true);
    await client.put(`${dns}/records/${(await mine()).id}`, { content: '192.0.2.1' }).expect(200);
    expect(await isListed()).toBe(true);

    for (const { id } of (await client.get(`${dns}/records`).expect(200)).body)
      await client.delete(`${dns}/records/${id}`).expect(200);
    await client.post(`${dns}/records`, record({ ttl: 300, managed_by: 'git' })).expect(201);

    expect(await isListed()).toBe(false);
    expect((await client.get(state).expect(200)).body.drift).toMatchObject({ empty: true });
  });

  it('is shown with the reason when the zone no longer permits it', async () => {
    const alias = record({ type: 'CNAME', content: 'www.example.net' });
    await client.put(state, { managed_by: 'git', records: [alias] }).expect(200);
    const [{ id }] = (await client.get(`${dns}/records`).expect(200)).body as [{ id: string }];
    await client.delete(`${dns}/records/${id}`).expect(200);
    await client.post(`${dns}/records`, record()).expect(201);

    const { body } = await client.get(state).expect(200);
    const { error } = (await client.put(state, { managed_by: 'git', records: [alias] }).expect(409)).body;

    expect(body).toMatchObject({ state: { records: [alias] }, drift: null });
    expect(body.invalid).toEqual({ code: error.code, message: error.message, details: error.details });
    expect(error.code).toBe('RECORD_CONFLICT');
  });

  it('is refused if its plan is older than the zone', async () => {
    const plan = await client.put(`${state}?dry_run=true`, { records: [record()] }).expect(200);
    await client.post(`${dns}/records`, record({ name: 'new' })).expect(201);

    const { body } = await client
      .put(state, { records: [record()] })
      .set('If-Match', etagOf(plan))
      .expect(412);

    expect(body.error.details).toContain('added new A 192.0.2.1');
    expect(await listed()).toEqual(['new A 192.0.2.1']);
  });

  it('is applied once for an Idempotency-Key', async () => {
    const send = () =>
      client
        .put(state, { records: [record()] })
        .set('Idempotency-Key', `state-${name}`)
        .expect(200);

    const first = await send();
    await client.post(`${dns}/records`, record({ name: 'later' })).expect(201);
    const second = await send();

    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replay']).toBe('true');
    expect(await listed()).toEqual(['www A 192.0.2.1', 'later A 192.0.2.1']);
  });

  it('names the part that is wrong', async () => {
    expect(await details({ records: [record(), record({ content: 'x' })] })).toMatch(/^records\[1\]\.content: /);
    expect(await details({ records: [record({ ttl: 'x' })], more: 1 })).toBe(
      'records[0].ttl must be an integer; more is not a known member (known: managed_by, records, nameservers, registrant, transfer_locked, auto_renew, tags, dnssec, register, max_price, years)',
    );
    expect(await details({ managed_by: ' ', records: [] })).toBe('managed_by must not be empty');
  });

  it('is JSON, YAML, a zone of octoDNS or a zone file, and a zone that is taken over does not change', async () => {
    const send = (text: string, type: string, query = '') =>
      client.put(`${state}${query}`, text).set('Content-Type', type);
    const octodns = readFileSync(join(__dirname, '../../fixtures/octodns/example.com.yaml'), 'utf8')
      // SSHFP is off by default.
      .replace(/^ssh:[^]*?(?=^sub:)/m, '');
    const yaml = 'records:\n  - { name: www, type: A, content: 192.0.2.7 }\n';

    await send(yaml, 'application/yaml').expect(200);
    expect(await listed()).toEqual(['www A 192.0.2.7']);
    await send('www 300 IN A 192.0.2.8\n', 'text/dns').expect(200);
    expect(await listed()).toEqual(['www A 192.0.2.8']);
    await send(octodns, 'application/yaml', '?format=octodns').expect(200);
    const zoneFile = (await client.get(`${dns}/zonefile`).expect(200)).text;
    const [again, ofFile] = [
      await send(octodns, 'application/yaml', '?format=octodns&dry_run=true').expect(200),
      await send(zoneFile, 'text/dns', '?dry_run=true').expect(200),
    ];

    expect((await listed()).length).toBe(12);
    expect([again.body.empty, ofFile.body.empty]).toEqual([true, true]);
    const wrong = octodns.replace('192.0.2.2', 'wrong');
    const { body } = await send(wrong, 'application/yaml', '?format=octodns').expect(400);
    expect(body.error.details).toMatch(/^''\[0\]\.values\[1\]\.content: /);
    expect((await send('www 300 IN A wrong\n', 'text/dns').expect(400)).body.error.details).toMatch(/^line 1/);
    await send('[1]', 'application/yaml').expect(400);
    await client.put(`${state}?format=xml`, {}).expect(400);
  });

  it('refuses another media type with the names of those that it takes, and a zone file with format=octodns', async () => {
    const text = 'www 300 IN A 192.0.2.8\n';

    const other = await client.put(state, text).set('Content-Type', 'application/octet-stream').expect(415);
    const octodns = await client.put(`${state}?format=octodns`, text).set('Content-Type', 'text/dns').expect(400);

    expect(other.body.error.details).toBe('Send it as application/json, application/yaml or text/dns in UTF-8');
    expect(octodns.body.error.details).toBe('format must not be octodns for a zone file');
    expect(await listed()).toEqual([]);
  });

  it('has its JSON Schema at /state.schema.json', async () => {
    const { text, headers } = await request(service().server).get('/state.schema.json').buffer().expect(200);
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(text));

    expect(headers['content-type']).toContain('application/schema+json');
    expect(validate({ records: [record()], tags: ['x'], dnssec: { enabled: true } })).toBe(true);
    expect(validate({ records: [{ ...record(), unknown: 1 }] })).toBe(false);
  });

  it('is stored, and changes by other ways are its drift and an event', async () => {
    const wanted = { managed_by: 'git', records: [record()] };
    await client
      .get(state)
      .expect(200)
      .expect(({ body }) => expect(body).toMatchObject({ state: null, drift: null }));
    await client.put(state, wanted).expect(200);
    const before = await client.get(state).expect(200);
    const [stored] = (await client.get(`${dns}/records`).expect(200)).body;

    await client.delete(`${dns}/records/${stored.id}`).expect(200);
    await client.post(`${dns}/records`, record({ name: 'other' })).expect(201);

    const { body } = await client.get(`/api/zones/by-name/${name}/state`).expect(200);
    expect(before.body).toMatchObject({ state: wanted, applied_by: { kind: 'key' }, drift: { empty: true } });
    expect(body).toMatchObject({ state: wanted, drift: { empty: false, records: { added: [{ name: 'www' }] } } });
    const { id: domain } = (await client.get(`/api/domains/by-name/${name}`).expect(200)).body;
    const events = await client.get(`/api/events?types=zone.drifted&domain=${domain}`).expect(200);
    expect(events.body).toMatchObject([{ type: 'zone.drifted', data: { managed_by: 'git', removed_count: 1 } }]);
  });

  it('is of names of the account, with and without a registration', async () => {
    const stranger = api(service(), await service().key(await service().account()));
    await stranger.put(state, { records: [record()] }).expect(404);
    await stranger.put(`/api/zones/by-name/${name}/state`, { records: [record()] }).expect(404);

    await client.put(`/api/zones/by-name/${name}/state`, { records: [record()] }).expect(200);

    expect(await listed()).toEqual(['www A 192.0.2.1']);
  });
});
