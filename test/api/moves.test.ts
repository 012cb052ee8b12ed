import { MailRunner } from '../../src/application/notices/mail-runner';
import { MailReader } from '../../src/application/ports/notices/mails-and-notices';
import { ReadEvents } from '../../src/application/events/read-events';
import { OPERATOR } from '../../src/domain/access/actor';
import { onBothDatabases } from '../support/databases/databases';
import { aUser, signIn } from '../support/dashboard/dashboard-client';
import { waitForOperation } from '../support/service/wait-for-operation';
import { api, REGISTRANT, registered, type Api } from '../support/service/service';

const WWW = { type: 'A', name: 'www', content: '192.0.2.1' };
const NEW_OWNER = { ...REGISTRANT, first_name: 'Grace', last_name: 'Hopper' };

onBothDatabases('moves to other accounts', (service) => {
  let from: Api;
  let to: Api;
  let other: Api;
  let fromId: string;
  let toId: string;
  let serial = 0;

  const keyWith = async (limits: object, by: Api) => {
    const { body } = await by.post('/api/keys', { name: 'limited', scope: 'WRITE', limits }).expect(201);
    return api(service(), body.key as string);
  };
  const nextName = () => `moved-${(serial += 1)}.com`;
  const offer = (domainId: string, by = from, more: object = {}) =>
    by.post('/api/moves', { domain_id: domainId, account_id: toId, reason: 'Sold', ...more });
  const offered = async (domainId: string) => (await offer(domainId).expect(201)).body as { id: string };
  const accept = (id: string, body: object = {}, by = to) => by.post(`/api/moves/${id}/accept`, body);
  const typesOf = async (accountId: string, domainName: string) => {
    const read = service().container.get(ReadEvents);
    const { events } = await read.execute({ accountId, actor: OPERATOR, seesAccess: true, limit: 500, waitMs: 0 });
    return events
      .filter((each) => each.domain?.name === domainName || each.data['name'] === domainName)
      .map(({ type }) => type);
  };

  beforeAll(async () => {
    [fromId, toId] = [await service().account(), await service().account()];
    [from, to] = [api(service(), await service().key(fromId)), api(service(), await service().key(toId))];
    other = api(service(), await service().key(await service().account()));
  });

  it('change nothing until the other account accepts, and tell both what the move means', async () => {
    const name = nextName();
    const id = await registered(from, name);
    await from.put(`/api/domains/${id}/tags`, { tags: ['shop'] }).expect(200);
    await keyWith({ domains: [name] }, from);

    const { body, headers } = await offer(id).expect(201);

    expect(headers['location']).toBe(`/api/moves/${body.id}`);
    expect(body).toMatchObject({
      state: 'open',
      direction: 'out',
      name,
      zones: [],
      from: { id: fromId },
      to: { id: toId },
    });
    expect(body.effects).toEqual(
      expect.arrayContaining(['Its tags end: shop.', 'Keys for this name only can do nothing more: limited.']),
    );
    const { body: seen } = await to.get(`/api/moves/${body.id}`).expect(200);
    expect(seen).toMatchObject({
      direction: 'in',
      proposed_by: null,
      effects: [expect.stringContaining(name), expect.anything()],
    });
    expect(JSON.stringify(seen)).not.toContain('shop');
    await to.get(`/api/domains/${id}`).expect(404);
    await from.get(`/api/domains/${id}`).expect(200);
    await other.get(`/api/moves/${body.id}`).expect(404);
    await accept(body.id, {}, other).expect(404);
    await accept(body.id, {}, from).expect(403);
    expect((await to.get('/api/moves?direction=in&open=true').expect(200)).body).toMatchObject([{ id: body.id }]);
    await offer(id).expect(409);
  });

  it('give the name, its zone and the zones below to the account that accepts, without what was before', async () => {
    const name = nextName();
    const id = await registered(from, name);
    await from.post(`/api/domains/${id}/dns/records`, WWW).expect(201);
    await from.put(`/api/domains/${id}/tags`, { tags: ['shop'] }).expect(200);
    const { body: zone } = await from.post('/api/zones', { name: `shop.${name}` }).expect(201);
    const limited = await keyWith({ domains: [name] }, from);
    const { body: records } = await from.get(`/api/domains/${id}/dns/records`).expect(200);
    const move = await offered(id);

    const { body } = await accept(move.id).expect(200);

    expect(body).toMatchObject({ state: 'accepted', zones: [`shop.${name}`], operation_id: null });
    await from.get(`/api/domains/${id}`).expect(404);
    await from.get(`/api/zones/${zone.id}`).expect(404);
    await limited.get(`/api/domains/${id}/dns/records`).expect(404);
    await to.get(`/api/zones/${zone.id}`).expect(200);
    expect((await to.get(`/api/domains/${id}`).expect(200)).body).toMatchObject({ name, status: 'active', tags: [] });
    expect((await to.get(`/api/domains/${id}/dns/records`).expect(200)).body).toEqual(records);
    expect((await to.get(`/api/domains/${id}/operations`).expect(200)).body).toEqual([]);
    expect((await to.get(`/api/domains/${id}`).expect(200)).body.contacts.registrant.last_name).toBe(
      REGISTRANT.last_name,
    );
    const { body: versions } = await to.get(`/api/domains/${id}/dns/history`).expect(200);
    expect(versions).toMatchObject([{ added: 0, changed: 0, removed: 0 }]);
    await to.get(`/api/domains/${id}/dns/history/${versions[0].version - 1}`).expect(404);
    expect(await typesOf(fromId, name)).toEqual(expect.arrayContaining(['move.proposed', 'domain.moved_out']));
    const events = await typesOf(toId, name);
    expect(events).toEqual(['move.proposed', 'domain.moved_in']);
    // The new account works with it: the zone can be changed, and rolled back to what came.
    await to.post(`/api/domains/${id}/dns/records`, { ...WWW, name: 'new' }).expect(201);
    await to.post(`/api/domains/${id}/dns/history/${versions[0].version}/restore`, {}).expect(200);
    expect((await to.get(`/api/domains/${id}/dns/records`).expect(200)).body).toHaveLength(records.length);
  });

  it('are mailed once to who may accept them, and not to the account that offers', async () => {
    const [owner, viewer] = [await aUser(service(), toId), await aUser(service(), toId, 'viewer')];
    const offering = await aUser(service(), fromId);
    const move = await offered(await registered(from, nextName()));

    for (let runs = 0; runs < 3; runs += 1) await service().container.get(MailRunner).runDue();

    const mails = service().container.get<MailReader>(MailReader);
    const all = [...(await mails.ofAccount(toId, 500)), ...(await mails.ofAccount(fromId, 500))];
    const sent = all.filter(({ data }) => data['move_id'] === move.id).map(({ address, kind }) => `${address} ${kind}`);
    expect(sent).toContain(`${owner} move_offered`);
    expect(sent.filter((line) => line.startsWith(owner))).toHaveLength(1);
    for (const untold of [viewer, offering]) expect(sent.join()).not.toContain(untold);
  });

  it('send the registrant that the accepting account gives to the registry', async () => {
    const id = await registered(from, nextName());
    const move = await offered(id);

    const { body } = await accept(move.id, { registrant: NEW_OWNER }).expect(200);

    await waitForOperation(to, id, 'succeeded');
    expect((await to.get(`/api/domains/${id}`).expect(200)).body.contacts.registrant.last_name).toBe('Hopper');
    await from.get(`/api/operations/${body.operation_id}`).expect(404);
  });

  it('have one effect for any number of acceptances at once, and for a repeated one', async () => {
    const id = await registered(from, nextName());
    const move = await offered(id);

    const responses = await Promise.all(Array.from({ length: 8 }, () => accept(move.id)));

    expect(responses.filter(({ status }) => status === 409)).toHaveLength(7);
    const name = (await to.get(`/api/domains/${id}`).expect(200)).body.name as string;
    expect((await typesOf(toId, name)).filter((type) => type === 'domain.moved_in')).toHaveLength(1);
  });

  it('are refused while an auth code is valid, and for a zone that another zone of the account delegates', async () => {
    const name = nextName();
    const id = await registered(from, name);
    const { body: zone } = await from.post('/api/zones', { name: `shop.${name}` }).expect(201);
    await from.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    await from.post(`/api/domains/${id}/auth-code`).expect(200);

    const withCode = await offer(id).expect(409);
    const below = await offer(zone.id).expect(409);
    const here = await offer(id, from, { account_id: fromId });
    const nowhere = await offer(await registered(from, nextName()), from, { account_id: 'acc_none' }).expect(400);

    expect(withCode.body.error).toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    expect(withCode.body.error.details).toContain('valid auth code');
    expect(below.body.error.details).toContain(`Move ${name}`);
    expect(here.status).toBe(409);
    expect(nowhere.body.error.details).toContain('account_id');
  });

  it('are not accepted if what comes along changed, or after they were withdrawn or rejected', async () => {
    const name = nextName();
    const id = await registered(from, name);
    const changed = await offered(id);
    await from.post('/api/zones', { name: `late.${name}` }).expect(201);

    const refused = await accept(changed.id).expect(409);
    expect(refused.body.error.details).toContain(`late.${name}`);
    await from.get(`/api/domains/${id}`).expect(200);
    expect((await from.post(`/api/moves/${changed.id}/withdraw`, {}).expect(200)).body.state).toBe('withdrawn');
    expect((await accept(changed.id).expect(409)).body.error.code).toBe('PROPOSAL_CLOSED');
    const again = await offered(id);
    await from.post(`/api/moves/${again.id}/reject`, {}).expect(403);
    const { body } = await to.post(`/api/moves/${again.id}/reject`, { comment: 'Not ours' }).expect(200);
    expect(body).toMatchObject({ state: 'rejected', decision: { comment: 'Not ours' } });
    expect((await from.get(`/api/moves/${again.id}`)).body.decision.by).toBeNull();
  });

  it('need a second person if a rule asks for one, and are proposed by keys that may only propose', async () => {
    const id = await registered(from, nextName());
    const agent = await keyWith({ propose: true }, from);

    const { body: proposal } = await offer(id, agent).expect(202);
    expect(proposal).toMatchObject({ method: 'POST', path: '/api/moves', plan: { changes: expect.any(Array) } });
    const { body } = await from.post(`/api/proposals/${proposal.id}/accept`).expect(200);

    expect(body.response).toMatchObject({ status: 201, body: { state: 'open', direction: 'out' } });
  });

  it('end the PTR records and the state of the former account, which cannot take the name up again', async () => {
    const name = nextName();
    const id = await registered(from, name);
    const network = `10.7.${serial}.0/24`;
    const { body: reverse } = await from.post('/api/zones', { network }).expect(201);
    const address = { type: 'A', name: 'www', content: `10.7.${serial}.9`, ptr: true };
    await from.post(`/api/domains/${id}/dns/records`, address).expect(201);
    const state = { managed_by: 'git', records: [{ type: 'TXT', name: 'git', content: 'text' }] };
    const path = `/api/domains/by-name/${name}/state`;
    await from.put(path, state).expect(200);
    const ptrs = async () => (await from.get(`/api/zones/${reverse.id}/dns/records?type=PTR`).expect(200)).body;
    expect(await ptrs()).toHaveLength(1);
    const move = await offered(id);

    await accept(move.id).expect(200);

    expect(await ptrs()).toEqual([]);
    await from.get(path).expect(404);
    await from.put(path, state).expect(404);
    await from.get(`/api/zones/by-name/${name}`).expect(404);
    expect((await to.put(path, state).expect(200)).body).toMatchObject({ name, empty: true });
  });

  it('end more PTR records than are removed at once, which the reverse zone has in several versions', async () => {
    const [{ body: zone }, { body: reverse }] = await Promise.all([
      from.post('/api/zones', { name: 'addresses.example' }).expect(201),
      from.post('/api/zones', { network: '10.6.0.0/16' }).expect(201),
    ]);
    const addresses = Array.from({ length: 1_001 }, (_each, index) => ({
      type: 'A',
      name: `h${index}`,
      content: `10.6.${Math.floor(index / 250)}.${index % 250}`,
      ptr: true,
    }));
    for (let at = 0; at < addresses.length; at += 500)
      await from.post(`/api/zones/${zone.id}/dns/records/batch`, { create: addresses.slice(at, at + 500) }).expect(200);
    const versions = async () =>
      ((await from.get(`/api/zones/${reverse.id}/dns/history`).expect(200)).body as { removed: number }[])
        .map(({ removed }) => removed)
        .filter((removed) => removed > 0);
    const move = await offered(zone.id as string);
    expect((await from.get(`/api/moves/${move.id}`).expect(200)).body.effects).toContainEqual(
      expect.stringContaining('are removed: at most 1001.'),
    );

    await accept(move.id).expect(200);

    expect((await from.get(`/api/zones/${reverse.id}/dns/records`).expect(200)).body).toEqual([]);
    expect((await versions()).toSorted((one, other) => one - other)).toEqual([1, 1_000]);
  });

  it('move a zone without a registration, which has no registrant', async () => {
    const name = `hosted-${(serial += 1)}.example`;
    const { body: zone } = await from.post('/api/zones', { name }).expect(201);
    await from.post(`/api/zones/${zone.id}/dns/records`, WWW).expect(201);
    const move = await offered(zone.id);

    await accept(move.id, { registrant: NEW_OWNER }).expect(409);
    await accept(move.id).expect(200);

    expect((await to.get(`/api/zones/${zone.id}`).expect(200)).body).toMatchObject({ name });
    await from.get(`/api/zones/${zone.id}`).expect(404);
    expect((await to.get(`/api/zones/${zone.id}/dns/records?name=www`).expect(200)).body).toMatchObject([WWW]);
  });

  it('are offered and accepted in the dashboard, by both sides, and counted in the navigation', async () => {
    const name = nextName();
    const id = await registered(from, name);
    const [giver, taker] = [await signIn(service(), fromId), await signIn(service(), toId)];
    expect((await giver.get(`/domains/${id}`).expect(200)).text).toContain(`href="/domains/${id}/move"`);
    const form = (await giver.get(`/domains/${id}/move`).expect(200)).text;
    expect(form).toContain('no longer reach it');
    const values = { account_id: toId, reason: 'The <shop> was sold' };

    const mistyped = await giver.post(`/domains/${id}/move`, { ...values, confirm_name: 'other.com' });
    expect(mistyped.text).toContain(`Must be ${name}`);
    const sent = await giver.post(`/domains/${id}/move`, { ...values, confirm_name: name }).expect(303);
    const path = String(sent.headers['location']);

    expect((await giver.get(path).expect(200)).text).toContain('Withdraw');
    expect((await taker.get('/proposals').expect(200)).text).toMatch(/Moves between accounts \(\d+\)/);
    expect((await taker.get('/moves').expect(200)).text).toContain(`<a href="${path}">${name}</a>`);
    const page = (await taker.get(path).expect(200)).text;
    expect(page).toContain('The &lt;shop> was sold');
    expect(page).toContain('Accept, and keep the registrant');
    const invalid = await taker.post(`${path}/accept`, { registrant: 'own', last_name: 'Hopper' });
    expect(invalid.text).toContain('Hopper');
    await taker.post(`${path}/accept`, { comment: 'Thank you' }).expect(303);
    expect((await taker.get(`/domains/${id}`).expect(200)).text).toContain(name);
    await giver.get(`/domains/${id}`).expect(404);
    expect((await giver.get(path).expect(200)).text).toContain('by the other account');
  });
});
