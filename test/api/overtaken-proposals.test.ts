import { DecideProposal } from '../../src/application/proposals/decide-proposal';
import { onBothDatabases } from '../support/databases/databases';
import { api, registered, type Api } from '../support/service/service';

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

/** Holds acceptances until `count` of them have been authenticated and planned: rules that one sets are not asked of another. */
function allBeforeAny(count: number): void {
  const original = Reflect.get(DecideProposal.prototype, 'accept');
  let [planned, release] = [0, (): void => undefined];
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  jest.spyOn(DecideProposal.prototype, 'accept').mockImplementation(async function (this: DecideProposal, ...given) {
    if ((planned += 1) === count) release();
    await all;
    return original.apply(this, given);
  });
}

onBothDatabases('proposals whose account is changed after the look at their plan', (service) => {
  let admin: Api;
  let agent: Api;
  let serial = 0;
  const domain = () => registered(admin, `overtaken-${(serial += 1)}.com`);
  const accept = (id: string, by = admin) => by.post(`/api/proposals/${id}/accept`);
  const stateOf = async (id: string) => (await admin.get(`/api/proposals/${id}`).expect(200)).body.state as string;

  beforeAll(async () => {
    admin = api(service(), await service().key(await service().account()));
    const limited = { name: 'k', scope: 'WRITE', limits: { propose: true } };
    agent = api(service(), (await admin.post('/api/keys', limited).expect(201)).body.key as string);
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['nameservers', NAMESERVERS, { nameservers: ['ns1.other.example', 'ns2.other.example'] }],
    ['autorenew', { auto_renew: false }, { auto_renew: false }],
    ['tags', { tags: ['proposed'] }, { tags: ['other'] }],
  ] as const)('are stale if the same setting was changed, and do not undo that: %s', async (path, wanted, other) => {
    const target = `/api/domains/${await domain()}`;
    const { body } = await agent.put(`${target}/${path}`, wanted).expect(202);
    meanwhile(() => admin.put(`${target}/${path}`, other).expect(200));

    await accept(body.id).expect(409);

    expect(await stateOf(body.id)).toBe('stale');
    expect((await admin.get(target).expect(200)).body).toMatchObject(other);
  });

  it('are done if another setting was changed, or the same one twice', async () => {
    const [target, path] = [`/api/domains/${await domain()}`, 'transfer-lock'];
    const [unlocked, locked] = [{ transfer_locked: false }, { transfer_locked: true }];
    const { body } = await agent.put(`${target}/${path}`, unlocked).expect(202);
    meanwhile(async () => {
      await admin.put(`${target}/tags`, { tags: ['other'] }).expect(200);
      await admin.put(`${target}/${path}`, unlocked).expect(200);
      await admin.put(`${target}/${path}`, locked).expect(200);
    });

    await accept(body.id).expect(200);

    expect(await stateOf(body.id)).toBe('accepted');
    expect((await admin.get(target).expect(200)).body).toMatchObject({ ...unlocked, tags: ['other'] });
  });

  it('renew a name once', async () => {
    const target = `/api/domains/${await domain()}`;
    const { body } = await agent.post(`${target}/renew`, { years: 1 }).expect(202);
    meanwhile(() => admin.post(`${target}/renew`, { years: 1 }).expect(200));

    await accept(body.id).expect(409);

    expect(await stateOf(body.id)).toBe('stale');
    const { body: operations } = await admin.get(`${target}/operations`).expect(200);
    expect(operations.filter(({ kind }: { kind: string }) => kind === 'renew')).toHaveLength(1);
  });

  it('replace the approval rules that they show, one of several at once', async () => {
    const own = await service().account();
    const owner = api(service(), await service().key(own));
    const { body: key } = await owner
      .post('/api/keys', { name: 'k', scope: 'ADMIN', limits: { propose: true } })
      .expect(201);
    const proposer = api(service(), key.key as string);
    const proposed = ['nameservers', 'dnssec'].map(async (changes) =>
      proposer.put('/api/approval-rules', { rules: [{ changes: [changes] }] }).expect(202),
    );
    const ids = (await Promise.all(proposed)).map(({ body }) => body.id as string);
    allBeforeAny(ids.length);

    const answers = await Promise.all(ids.map((id) => accept(id, owner)));

    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409]);
    const states = ids.map(async (id) => (await owner.get(`/api/proposals/${id}`)).body.state as string);
    expect((await Promise.all(states)).toSorted()).toEqual(['accepted', 'stale']);
    const done = answers.find(({ status }) => status === 200)?.body.response.body;
    expect((await owner.get('/api/approval-rules').expect(200)).body).toEqual(done);
  });
});
