import { IdempotentRequests } from '../../src/application/idempotency/idempotent-requests';
import { ApiWrites } from '../../src/http/api/proposals/api-writes';
import { DecideProposal } from '../../src/application/proposals/decide-proposal';
import { onBothDatabases } from '../support/databases/databases';
import { api, REGISTRANT, registered, type Api } from '../support/service/service';

const NAMESERVERS = { nameservers: ['ns1.example.net', 'ns2.example.net'] };

/** Makes the change between the next acceptance and its write. */
function meanwhile(change: () => Promise<unknown>): void {
  const original = Reflect.get(DecideProposal.prototype, 'accept');
  jest.spyOn(DecideProposal.prototype, 'accept').mockImplementationOnce(async function (
    this: DecideProposal,
    ...given
  ) {
    const accepted = await original.apply(this, given);
    await change();
    return accepted;
  });
}

onBothDatabases('proposals', (service) => {
  let accountId: string;
  let admin: Api;
  let agent: Api;
  let serial = 0;

  const keyWith = async (limits: object, by = admin) => {
    const { body } = await by.post('/api/keys', { name: 'k', scope: 'WRITE', limits }).expect(201);
    return api(service(), body.key as string);
  };
  const domain = () => registered(admin, `proposed-${(serial += 1)}.com`);
  const accept = (id: string, by = admin) => by.post(`/api/proposals/${id}/accept`);
  const stateOf = async (id: string) => (await admin.get(`/api/proposals/${id}`).expect(200)).body.state as string;
  const propose = async (write: object, by = agent) =>
    (await by.post('/api/proposals', { reason: 'Because', ...write }).expect(201)).body as { id: string; plan: object };

  beforeAll(async () => {
    accountId = await service().account();
    admin = api(service(), await service().key(accountId));
    agent = await keyWith({ propose: true });
  });

  it('take the place of every write with a key that may only propose, and change nothing', async () => {
    const id = await domain();
    const before = await admin.get(`/api/domains/${id}`).expect(200);

    const { body, headers } = await agent.put(`/api/domains/${id}/nameservers`, NAMESERVERS).expect(202);
    await agent.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(202);
    await agent.delete(`/api/domains/${id}`).expect(202);

    expect(headers['location']).toBe(`/api/proposals/${body.id}`);
    expect(body).toMatchObject({
      state: 'open',
      method: 'PUT',
      path: `/api/domains/${id}/nameservers`,
      body: NAMESERVERS,
      plan: {
        operations: [
          { kind: 'set_nameservers', before: { nameservers: before.body.nameservers }, request: NAMESERVERS },
        ],
      },
    });
    expect((await admin.get(`/api/domains/${id}`)).body).toEqual(before.body);
    expect((await admin.get(`/api/domains/${id}/operations`)).body).toHaveLength(1);
    expect((await admin.get(`/api/domains/${id}/dns/records?name=www`)).body).toEqual([]);
  });

  it('show the plan of records as their dry run does, and are done as it says', async () => {
    const id = await domain();
    const record = { type: 'A', name: 'www', content: '192.0.2.1' };
    const { body } = await agent.post(`/api/domains/${id}/dns/records?dry_run=false`, record).expect(202);
    expect(body.path).toBe(`/api/domains/${id}/dns/records`);
    expect(body.plan).toMatchObject({ result: { added: [record], changed: [], removed: [] } });

    const accepted = await accept(body.id).expect(200);

    expect(accepted.body).toMatchObject({ state: 'accepted', response: { status: 201, body: record } });
    expect((await admin.get(`/api/domains/${id}/dns/records?name=www`)).body).toMatchObject([record]);
  });

  it('show what would be stored by the names that the API has', async () => {
    const id = await domain();

    const { body } = await agent.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(202);
    expect(body.plan.changes).toMatchObject([{ before: { auto_renew: true }, after: { auto_renew: false } }]);
    await admin.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
    await accept(body.id).expect(409);

    const { body: stale } = await admin.get(`/api/proposals/${body.id}`).expect(200);
    expect(JSON.stringify(stale)).not.toMatch(/"[a-z]+[A-Z][A-Za-z]*":/);
    const over = { amount: 100.5, currency: 'USD' };
    const account = api(service(), await service().key(await service().account()));
    const rules = [{ changes: ['purchases'], over }];
    await account.put('/api/approval-rules', { rules }).expect(200);
    const proposed = await account.put('/api/approval-rules', { rules: [] }).expect(202);
    expect(JSON.stringify(proposed.body.plan)).not.toContain('minor');
  });

  it('register a name by its quote when they are accepted, although the plan has another time then', async () => {
    const { body: quoted } = await agent.post('/api/domains/quote', { domains: [{ name: 'by-proposal.com' }] });
    const order = {
      name: 'by-proposal.com',
      quote_id: quoted.quotes[0].quote_id,
      contacts: { registrant: REGISTRANT },
    };
    const { body } = await agent.post('/api/domains', order).expect(202);

    const accepted = await accept(body.id).expect(200);

    expect(accepted.body).toMatchObject({ state: 'accepted', response: { status: 201 } });
    const { body: again } = await agent.post('/api/domains/quote', {
      domains: [{ name: 'by-proposal.com', renewal: true }],
    });
    expect(again.quotes).toMatchObject([{ quote_id: expect.any(String) }]);
  });

  it('are made once for an Idempotency-Key', async () => {
    const id = await domain();
    const send = () =>
      agent.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).set('Idempotency-Key', `once-${id}`).expect(202);

    const [first, again] = [await send(), await send()];

    expect([again.body.id, again.headers['idempotent-replay']]).toEqual([first.body.id, 'true']);
  });

  it('have one effect for any number of acceptances at once', async () => {
    const id = await domain();
    const { body } = await agent.post(`/api/domains/${id}/renew`, {}).expect(202);
    expect(body.plan).toMatchObject({ cost: { currency: 'USD' }, operations: [{ kind: 'renew' }] });
    const others = await Promise.all([1, 2, 3].map(async () => api(service(), await service().key(accountId))));

    await Promise.all(Array.from({ length: 20 }, (_, index) => accept(body.id, others[index % 3])));

    await accept(body.id).expect(409);
    expect(await stateOf(body.id)).toBe('accepted');
    const { body: operations } = await admin.get(`/api/domains/${id}/operations`).expect(200);
    expect(operations.filter(({ kind }: { kind: string }) => kind === 'renew')).toHaveLength(1);
  });

  it('are accepted although a client has used their id as its Idempotency-Key', async () => {
    const id = await domain();
    const { body } = await agent.post(`/api/domains/${id}/renew`, {}).expect(202);
    await agent
      .put(`/api/domains/${id}/tags`, { tags: ['a'] })
      .set('Idempotency-Key', body.id)
      .expect(202);

    const accepted = await accept(body.id).expect(200);

    expect(accepted.body).toMatchObject({ state: 'accepted', response: { status: 200 } });
  });

  it('are not stale because what they create has another id', async () => {
    const bulk = await agent.post('/api/bulk', { action: 'tags', add_tags: ['x'], domains: [await domain()] });
    const template = await agent.post('/api/record-templates', { name: 'Mine', records: '@ 300 A 192.0.2.1' });

    for (const { body } of [bulk, template])
      expect((await accept(body.id).expect(200)).body).toMatchObject({ state: 'accepted' });
  });

  it('of a bulk job name its domains, and are stale if its filter matches others', async () => {
    const [one, other] = [await domain(), await domain()];
    await admin.put(`/api/domains/${one}/tags`, { tags: ['chosen'] }).expect(200);
    const job = { action: 'tags', add_tags: ['done'], filter: { tag: 'chosen' } };
    const { body } = await agent.post('/api/bulk', job).expect(202);
    const { name } = (await admin.get(`/api/domains/${one}`).expect(200)).body;
    expect(body.plan.steps).toEqual([{ action: 'tags', add_tags: ['done'], remove_tags: [], domains: [name] }]);
    await admin.put(`/api/domains/${one}/tags`, { tags: [] }).expect(200);
    await admin.put(`/api/domains/${other}/tags`, { tags: ['chosen'] }).expect(200);

    await accept(body.id).expect(409);

    expect(await stateOf(body.id)).toBe('stale');
    expect((await admin.get(`/api/domains/${other}`).expect(200)).body.tags).toEqual(['chosen']);
  });

  it('of a bulk job are stale if its template has other records', async () => {
    const template = { name: 'Own', records: 'www 300 A 192.0.2.1' };
    const { body: made } = await admin.post('/api/record-templates', template).expect(201);
    const job = { action: 'template', template: made.id, values: {}, domains: [await domain()] };
    const { body } = await agent.post('/api/bulk', job).expect(202);
    expect(body.plan.steps).toMatchObject([{ action: 'template', template: made.id, records: 'www 300 A 192.0.2.1' }]);
    const changed = { ...template, records: 'shop 300 A 192.0.2.1' };
    await admin.put(`/api/record-templates/${made.id}`, changed).expect(200);

    await accept(body.id).expect(409);

    expect(await stateOf(body.id)).toBe('stale');
  });

  it('are listed without their plans and bodies, which may be long', async () => {
    const { id } = await propose({ method: 'PUT', path: `/api/domains/${await domain()}/tags`, body: { tags: ['x'] } });

    const { body } = await admin.get('/api/proposals?undecided=true').expect(200);

    const listed = body.find((each: { id: string }) => each.id === id);
    expect(listed).toMatchObject({ state: 'open', reason: 'Because' });
    expect(Object.keys(listed)).not.toEqual(expect.arrayContaining(['plan']));
    expect(Object.keys(listed)).not.toEqual(expect.arrayContaining(['body']));
  });

  it('are stale when the write would do something else, and show what', async () => {
    const id = await domain();
    const records = `/api/domains/${id}/dns/records`;
    const { body: record } = await admin.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
    const { body } = await agent.put(`${records}/${record.id}`, { content: '192.0.2.9' }).expect(202);
    await admin.put(`${records}/${record.id}`, { content: '192.0.2.2' }).expect(200);

    const refused = await accept(body.id).expect(409);

    expect(refused.body.error).toMatchObject({ code: 'PROPOSAL_CLOSED', details: expect.stringContaining('stale') });
    const { body: stale } = await admin.get(`/api/proposals/${body.id}`).expect(200);
    expect(stale).toMatchObject({
      state: 'stale',
      current_plan: { result: { changed: [{ before: { content: '192.0.2.2' }, after: { content: '192.0.2.9' } }] } },
    });
    expect((await admin.get(`${records}/${record.id}`)).body.content).toBe('192.0.2.2');
  });

  describe('whose zone is changed after the look at their plan', () => {
    let records: string;
    beforeEach(async () => {
      records = `/api/domains/${await domain()}/dns/records`;
    });
    afterEach(() => jest.restoreAllMocks());

    it('are done if they still do what it says', async () => {
      const { body } = await agent.post(records, { type: 'TXT', name: 'a', content: 'x' }).expect(202);
      meanwhile(() => admin.post(records, { type: 'TXT', name: 'b', content: 'y' }).expect(201));

      const { body: accepted } = await accept(body.id).expect(200);

      expect(accepted).toMatchObject({ state: 'accepted', response: { status: 201, body: { name: 'a' } } });
      expect((await admin.get(`${records}?name=a`)).body).toHaveLength(1);
    });

    it('are done by a repeated acceptance, if the one before was killed', async () => {
      const { body } = await agent.post(records, { type: 'TXT', name: 'a', content: 'x' }).expect(202);
      jest.spyOn(ApiWrites.prototype, 'run').mockRejectedValueOnce(new Error('killed'));
      await accept(body.id).expect(500);
      await admin.post(records, { type: 'TXT', name: 'b', content: 'y' }).expect(201);

      const { body: accepted } = await accept(body.id).expect(200);

      expect(accepted).toMatchObject({ state: 'accepted', response: { status: 201, body: { name: 'a' } } });
    });

    it('are stale if they do something else, and change nothing', async () => {
      const { body: record } = await admin.post(records, { type: 'A', name: 'www', content: '192.0.2.1' }).expect(201);
      const { body } = await agent.put(`${records}/${record.id}`, { content: '192.0.2.9' }).expect(202);
      meanwhile(() => admin.put(`${records}/${record.id}`, { content: '192.0.2.2' }).expect(200));

      const refused = await accept(body.id).expect(409);

      expect(refused.body.error).toMatchObject({ code: 'PROPOSAL_CLOSED', details: expect.stringContaining('stale') });
      expect((await admin.get(`/api/proposals/${body.id}`)).body).toMatchObject({
        state: 'stale',
        current_plan: { result: { changed: [{ before: { content: '192.0.2.2' } }] } },
      });
      expect((await admin.get(`${records}/${record.id}`)).body.content).toBe('192.0.2.2');
    });

    it('fail if others change it whenever they are sent, and change nothing', async () => {
      const { body } = await agent.post(records, { type: 'TXT', name: 'a', content: 'x' }).expect(202);
      const run = Reflect.get(ApiWrites.prototype, 'run');
      let sends = 0;
      jest.spyOn(ApiWrites.prototype, 'run').mockImplementation(async function (this: ApiWrites, ...given) {
        sends += 1;
        await admin.post(records, { type: 'TXT', name: 'b', content: `y${sends}` }).expect(201);
        return run.apply(this, given);
      });

      const { body: accepted } = await accept(body.id).expect(200);

      expect(accepted).toMatchObject({ state: 'failed', error: { code: 'PRECONDITION_FAILED' } });
      expect(sends).toBe(10);
      expect((await admin.get(`${records}?name=a`)).body).toEqual([]);
    });

    it('have one effect for several acceptances at once', async () => {
      const { body } = await agent.post(records, { type: 'TXT', name: 'a', content: 'x' }).expect(202);
      meanwhile(() => admin.post(records, { type: 'TXT', name: 'b', content: 'y' }).expect(201));
      const others = await Promise.all([1, 2, 3].map(async () => api(service(), await service().key(accountId))));

      await Promise.all(others.map((by) => accept(body.id, by)));

      expect(await stateOf(body.id)).toBe('accepted');
      expect((await admin.get(`${records}?name=a`)).body).toHaveLength(1);
    });
  });

  it('have a shortened plan if it is long, and are done only if what it leaves out is the same', async () => {
    const id = await domain();
    const file = Array.from({ length: 450 }, (_, index) => `t${index} 300 TXT ${`"${'x'.repeat(250)}" `.repeat(10)}\n`);
    const path = `/api/domains/${id}/dns/zonefile?mode=add`;
    const { body } = await agent.put(path, file.join('')).set('Content-Type', 'text/dns').expect(202);
    expect(body.plan).toMatchObject({ result: { added_count: 450, changed: [] }, whole: expect.anything() });
    expect(body.plan.result.added.length).toBeLessThan(200);
    const { body: same } = await agent.put(path, file.join('')).set('Content-Type', 'text/dns').expect(202);

    await accept(body.id).expect(200);
    await accept(same.id).expect(409);

    expect(await stateOf(same.id)).toBe('stale');
    expect((await admin.get(`/api/domains/${id}/dns/records?name=t449`)).body).toHaveLength(1);
    expect((await admin.get(`/api/domains/${id}/dns/records?limit=500`)).body).toHaveLength(450);
  });

  it('are not stale because of other changes of the zone', async () => {
    const id = await domain();
    const records = `/api/domains/${id}/dns/records`;
    const { body } = await agent.post(records, { type: 'TXT', name: 'a', content: 'x' }).expect(202);
    await admin.post(records, { type: 'TXT', name: 'b', content: 'y' }).expect(201);

    await accept(body.id).expect(200);
  });

  it('are accepted with the rights of who accepts, and not by who proposed', async () => {
    const id = await domain();
    const { body } = await agent.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(202);
    const own = await propose(
      { method: 'PUT', path: `/api/domains/${id}/autorenew`, body: { auto_renew: false } },
      admin,
    );

    for (const [limits, status] of [
      [{ actions: ['read', 'write'] }, 403],
      [{ tags: ['other'] }, 404],
      [{ types: ['TXT'], actions: ['read', 'write', 'settings'] }, 404],
      [{ propose: true }, 403],
    ] as const)
      await accept(body.id, await keyWith(limits)).expect(status);
    await accept(body.id, agent).expect(403);
    await accept(own.id, admin).expect(403);

    expect([await stateOf(body.id), await stateOf(own.id)]).toEqual(['open', 'open']);
    expect((await admin.get(`/api/domains/${id}`)).body.auto_renew).toBe(true);
  });

  it('are of their account', async () => {
    const { id } = await propose({ method: 'PUT', path: `/api/domains/${await domain()}/tags`, body: { tags: ['x'] } });
    const stranger = api(service(), await service().key(await service().account()));

    await stranger.get(`/api/proposals/${id}`).expect(404);
    await accept(id, stranger).expect(404);
    await stranger.post(`/api/proposals/${id}/reject`).expect(404);
    expect((await stranger.get('/api/proposals')).body).toEqual([]);
  });

  it('are turned down with the stored response, which a kill cannot come before', async () => {
    const id = await domain();
    const write = { method: 'PUT', path: `/api/domains/${id}/tags`, body: { tags: ['x'] } };
    const [rejected, withdrawn] = [await propose(write), await propose(write)];
    const reject = () => admin.post(`/api/proposals/${rejected.id}/reject`).set('Idempotency-Key', 'reject');
    const withdraw = () => agent.post(`/api/proposals/${withdrawn.id}/withdraw`).set('Idempotency-Key', 'withdraw');
    const later = jest
      .spyOn(service().container.get(IdempotentRequests), 'complete')
      .mockRejectedValue(new Error('killed'));

    const first = [await reject().expect(200), await withdraw().expect(200)];
    later.mockRestore();
    const second = [await reject().expect(200), await withdraw().expect(200)];

    expect(second.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
    await admin.post(`/api/proposals/${rejected.id}/reject`).expect(409);
  });

  it('are rejected by someone else, and withdrawn by who proposed', async () => {
    const id = await domain();
    const write = { method: 'PUT', path: `/api/domains/${id}/tags`, body: { tags: ['x'] } };
    const [rejected, withdrawn] = [await propose(write), await propose(write)];
    await agent.post(`/api/proposals/${rejected.id}/reject`).expect(403);
    await admin.post(`/api/proposals/${withdrawn.id}/withdraw`).expect(403);

    const { body } = await admin.post(`/api/proposals/${rejected.id}/reject`, { comment: 'Not now' }).expect(200);
    await agent.post(`/api/proposals/${withdrawn.id}/withdraw`).expect(200);

    expect(body).toMatchObject({ state: 'rejected', decision: { comment: 'Not now' } });
    await accept(rejected.id).expect(409);
    await accept(withdrawn.id).expect(409);
    const { body: events } = await admin.get('/api/events?types=proposal.*&limit=1000').expect(200);
    expect(events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['proposal.created', 'proposal.accepted', 'proposal.rejected', 'proposal.stale']),
    );
  });

  it('are refused at once if the write would be refused', async () => {
    const id = await domain();
    const wrong = { nameservers: ['not a host', 'ns2.example.net'] };

    await agent.put(`/api/domains/${id}/nameservers`, wrong).expect(400);
    await agent.put('/api/domains/dom_unknown/autorenew', { auto_renew: true }).expect(404);
    await agent.post('/api/domains', { name: 'google.com', contacts: { registrant: REGISTRANT } }).expect(409);
  });

  it.each([
    ['GET', '/api/domains'],
    ['POST', '/api/domains/search'],
    ['POST', '/api/keys'],
    ['POST', '/api/proposals'],
    ['POST', '/api/sandbox/advance'],
    ['POST', '/api/%73andbox/advance'],
    ['POST', '/api/%6Beys'],
    ['PUT', '/api/domains/x/dns/../autorenew'],
    ['PUT', '/api/domains/x/dns/%2e%2e/autorenew'],
    ['POST', '/api/domains/x/dns/discover'],
    ['POST', '/api/nothing'],
    ['POST', '/healthz'],
    ['POST', '//evil.example/api/domains'],
    ['POST', 'https://evil.example/api/domains'],
    ['POST', '/api/../api/domains/%zz/renew'],
    ['PUT', '/api/domains/x/autorenew?dry_run=true'],
  ])('are not made of %s %s', async (method, path) => {
    const { body } = await admin.post('/api/proposals', { method, path, body: {}, reason: 'r' }).expect(400);

    expect(body.error.details).toMatch(/^(path|method) /);
  });

  it('answer dry runs of keys that may only propose', async () => {
    const id = await domain();

    const { body } = await agent
      .post(`/api/domains/${id}/dns/records?dry_run=true`, { type: 'A', name: 'w', content: '192.0.2.1' })
      .expect(200);

    expect(body).toMatchObject({ dry_run: true, added: [{ name: 'w' }] });
  });

  it('never show the auth code of a transfer, and send it when they are accepted', async () => {
    const { body: held } = await admin
      .post('/api/sandbox/other-registrar/domains', { name: 'proposed-in.com' })
      .expect(200);
    const transfer = { name: 'proposed-in.com', auth_code: held.auth_code as string, registrant: REGISTRANT };

    const { body } = await agent.post('/api/transfers', transfer).expect(202);
    const accepted = await accept(body.id).expect(200);

    expect([body.body.auth_code, JSON.stringify(body).includes(held.auth_code)]).toEqual(['(not shown)', false]);
    expect(accepted.body).toMatchObject({ state: 'accepted', response: { status: 201, body: { state: 'queued' } } });
  });
});
