import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import request from 'supertest';
import { ChangeAccountSettings } from '../../../src/application/access/change-account-settings';
import { CreateAccount } from '../../../src/application/access/create-account';
import { OPERATOR } from '../../../src/domain/access/actor';
import { addDays, DAY_MS } from '../../../src/domain/shared/time/calendar';
import { signIn } from '../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../support/databases/databases';
import { waitForOperation } from '../../support/service/wait-for-operation';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const daysBetween = (from: Date, to: string) => Math.round((Date.parse(to) - from.getTime()) / DAY_MS);

interface Line {
  readonly kind: string;
  readonly name: string;
  readonly amount: number;
  readonly transaction_id: string | null;
}

onBothDatabases('The sandbox', (service) => {
  let client: Api;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });
  afterEach(async () => {
    await client.delete('/api/sandbox/faults').expect(200);
  });

  const timeThere = async () => new Date((await client.post('/api/sandbox/advance', { days: 0 }).expect(200)).body.now);
  const linesOf = async (name: string, caller = client): Promise<readonly Line[]> =>
    (await caller.get(`/api/sandbox/ledger?name=${name}`).expect(200)).body;

  it('advances the lifecycle clock only', async () => {
    const { body } = await client.post('/api/sandbox/advance', { days: 40 }).expect(200);

    const id = await registered(client, 'in-the-future.com');
    const { body: domain } = await client.get(`/api/domains/${id}`).expect(200);
    const {
      body: [operation],
    } = await client.get(`/api/domains/${id}/operations`).expect(200);
    expect(new Date(body.now).getTime()).toBeGreaterThanOrEqual(addDays(new Date(body.from), 40).getTime());
    expect([40 + 365, 40 + 366]).toContain(daysBetween(new Date(), domain.expires_at));
    expect(new Date(operation.created_at).getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('advances once per Idempotency-Key', async () => {
    const before = await timeThere();
    const advance = () =>
      client.post('/api/sandbox/advance', { days: 10 }).set('Idempotency-Key', `once-${before.getTime()}`).expect(200);

    const first = await advance();
    const second = await advance();

    expect(second.body).toEqual(first.body);
    expect((await timeThere()).getTime()).toBeLessThan(addDays(before, 20).getTime());
  });

  it('is controlled by accounts with that permission once several accounts exist', async () => {
    const { id } = await service().container.get(CreateAccount).execute({ actor: OPERATOR, name: 'A customer' });
    const customer = api(service(), await service().key(id));
    const before = await timeThere();

    const refused = [
      await customer.post('/api/sandbox/advance', { days: 1 }),
      await customer.get('/api/sandbox/faults'),
      await customer.post('/api/sandbox/faults', { kind: 'outage' }),
      await customer.delete('/api/sandbox/faults'),
    ];

    for (const { status, body } of refused)
      expect({ status, body }).toMatchObject({
        status: 403,
        body: { error: { code: 'INSUFFICIENT_SCOPE', message: 'This account may not control the sandbox' } },
      });
    expect((await timeThere()).getTime()).toBeLessThan(addDays(before, 1).getTime());
    await customer.post('/api/sandbox/advance', { days: 0 }).expect(200);
    await customer.get('/api/sandbox/ledger').expect(200, []);
    const owner = await signIn(service(), id);
    expect((await owner.get('/sandbox').expect(200)).text).not.toMatch(/action="\/sandbox\/(advance|faults)/);
    for (const path of ['advance', 'faults', 'faults/clear'])
      await owner.post(`/sandbox/${path}`, { days: '1', kind: 'outage' }).expect(403);
    await service()
      .container.get(ChangeAccountSettings)
      .execute({ accountId: id, actor: OPERATOR, settings: { controlsSandbox: true } });
    await customer.get('/api/sandbox/faults').expect(200);
  });

  it.each([
    [{ days: -1 }, 'days must be a number from 0 to 3660'],
    [{ days: 3_661 }, 'days must be a number from 0 to 3660'],
    [{ days: '1' }, 'days must be a number'],
    [{}, 'days is required'],
  ])('does not advance by %j', async (body, details) => {
    const answer = await client.post('/api/sandbox/advance', body).expect(400);

    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: expect.stringContaining(details) });
  });

  it('makes the registry reject one command on one name', async () => {
    const [met, spared] = [await registered(client, 'met.com'), await registered(client, 'spared.com')];
    const { body: fault } = await client
      .post('/api/sandbox/faults', { kind: 'refuse', target: 'MET.com', times: 1 })
      .expect(200);

    await client.post(`/api/domains/${spared}/renew`).expect(200);
    const { body } = await client.post(`/api/domains/${met}/renew`).expect(422);
    await client.post(`/api/domains/${met}/renew`).expect(200);

    expect(fault).toEqual({ kind: 'refuse', target: 'met.com', times: 1, milliseconds: null });
    expect(body.error.details).toContain('Rejected by a sandbox fault (refuse)');
    expect((await linesOf('met.com')).map(({ kind }) => kind)).toEqual(['register', 'renew']);
  });

  it('loses a response, and the renewal is neither lost nor charged twice', async () => {
    const id = await registered(client, 'unanswered.com');
    await client.post('/api/sandbox/faults', { kind: 'lose_answer', target: 'unanswered.com', times: 1 }).expect(200);

    await client.post(`/api/domains/${id}/renew`).expect(200);

    await waitForOperation(client, id, 'succeeded');
    const lines = await linesOf('unanswered.com');
    expect(lines.map(({ kind }) => kind)).toEqual(['register', 'renew']);
    expect(lines.every(({ transaction_id: transactionId }) => transactionId !== null)).toBe(true);
  });

  it('limits an outage to its TLD', async () => {
    await client.post('/api/sandbox/faults', { kind: 'outage', target: 'dev' }).expect(200);

    for (let time = 0; time < 8; time += 1)
      await client.post('/api/domains/quote', { domains: [{ name: 'dark.dev' }] }).expect(503);

    const { body } = await client.post('/api/domains/search', { query: 'dark', tlds: ['com', 'dev'] }).expect(200);
    expect([
      body.results.map((result: { name: string }) => result.name),
      body.errors.map((error: { name: string }) => error.name),
    ]).toEqual([['dark.com'], ['dark.dev']]);
  });

  it('lists active faults with their remaining count until they are cleared', async () => {
    await client.post('/api/sandbox/faults', { kind: 'latency', target: 'net', milliseconds: 1 }).expect(200);
    await client.post('/api/sandbox/faults', { kind: 'outage', target: 'listed.com', times: 2 }).expect(200);

    await client.post('/api/domains/quote', { domains: [{ name: 'listed.com' }] }).expect(503);

    expect((await client.get('/api/sandbox/faults').expect(200)).body).toEqual([
      { kind: 'latency', target: 'net', times: null, milliseconds: 1 },
      { kind: 'outage', target: 'listed.com', times: 1, milliseconds: null },
    ]);
    expect((await client.delete('/api/sandbox/faults').expect(200)).body).toEqual([]);
    await client.post('/api/domains/quote', { domains: [{ name: 'listed.com' }] }).expect(200);
  });

  it.each([
    [{ kind: 'flood' }, 'kind must be one of latency, refuse, lose_answer, outage'],
    [{ kind: 'latency' }, 'milliseconds must be an integer from 1 to 60000'],
    [{ kind: 'latency', milliseconds: 60_001 }, 'milliseconds must be an integer from 1 to 60000'],
    [{ kind: 'outage', milliseconds: 5 }, 'milliseconds is allowed only for kind latency'],
    [{ kind: 'outage', times: 0 }, 'times must be an integer from 1 to 1000000'],
    [{ kind: 'outage', target: 'nowhere' }, 'target must be a supported TLD or a name under one'],
    [{ kind: 'outage', target: 'a.b.com' }, 'target must be a supported TLD or a name under one'],
  ])('rejects the fault %j', async (fault, details) => {
    const { body } = await client.post('/api/sandbox/faults', fault).expect(400);

    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details });
  });

  it('transfers a name away only with a valid code and without a lock', async () => {
    const id = await registered(client, 'wanted.com');
    const {
      body: { auth_code: code },
    } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    const takeAway = (authCode: string) =>
      client.post('/api/sandbox/transfer-out', { name: 'wanted.com', auth_code: authCode });

    await takeAway(code).expect(422);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    await takeAway('guessed').expect(422);
    const before = await timeThere();
    const { body } = await takeAway(code).expect(200);

    expect(body.name).toBe('wanted.com');
    expect(daysBetween(before, body.completes_at)).toBe(5);
    await takeAway(code).expect(422);
  });

  it('returns the same transfer errors whichever account has the name', async () => {
    const stranger = api(service(), await service().key(await service().account()));
    await registered(client, 'mine.com');
    await registered(stranger, 'of-another-account.com');
    const guess = async (name: string) => {
      const { body } = await client.post('/api/sandbox/transfer-out', { name, auth_code: 'guessed' }).expect(422);
      return JSON.stringify(body).replaceAll(name, '…');
    };

    expect(await guess('of-another-account.com')).toBe(await guess('mine.com'));
  });

  it('shows charges to the charged account only', async () => {
    const stranger = api(service(), await service().key(await service().account()));
    const id = await registered(client, 'charged.com');
    await client.post(`/api/domains/${id}/renew`, { years: 2 }).expect(200);

    const { body: mine } = await client.get('/api/sandbox/ledger').expect(200);

    expect(mine.filter(({ name }: Line) => name === 'charged.com')).toEqual([
      expect.objectContaining({
        kind: 'register',
        years: 1,
        amount: 10.44,
        currency: 'USD',
        transaction_id: expect.stringMatching(/^op-/),
      }),
      expect.objectContaining({ kind: 'renew', years: 2, amount: 20.88 }),
    ]);
    expect((await stranger.get('/api/sandbox/ledger').expect(200)).body).toEqual([]);
    expect((await stranger.get('/api/sandbox/ledger?name=charged.com').expect(200)).body).toEqual([]);
    await client.get('/api/sandbox/ledger?name=-').expect(400);
  });

  it('shows successive holders of a name their own charges', async () => {
    const successor = api(service(), await service().key(await service().account()));
    const id = await registered(client, 'had-by-two.com');
    await client.delete(`/api/domains/${id}`).expect(200);
    await registered(successor, 'had-by-two.com');

    expect((await linesOf('had-by-two.com')).map(({ kind }) => kind)).toEqual(['register', 'refund']);
    expect((await linesOf('had-by-two.com', successor)).map(({ kind }) => kind)).toEqual(['register']);
  });

  it('requires an ADMIN key', async () => {
    const writer = api(service(), await service().key(await service().account(), 'WRITE'));

    await writer.post('/api/sandbox/advance', { days: 1 }).expect(403);
    await writer.get('/api/sandbox/faults').expect(403);
    await writer.post('/api/sandbox/faults', { kind: 'outage' }).expect(403);
    await writer.delete('/api/sandbox/faults').expect(403);
    await writer.post('/api/sandbox/transfer-out', { name: 'mine.com', auth_code: 'guessed' }).expect(403);
    const { body } = await writer.get('/api/sandbox/ledger').expect(403);

    expect(body.error).toMatchObject({ code: 'INSUFFICIENT_SCOPE', message: 'This operation requires ADMIN scope' });
  });
});

describe('Without a simulated registry, or together with another one', () => {
  const silent = {
    adapter: resolve(__dirname, '../../support/registries/silent-registry.ts'),
    tlds: ['de'],
    settings: { silent_to: 'questions' },
  };
  let folder: string;
  let service: TestService;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-registries-'));
    const file = join(folder, 'registries.json');
    writeFileSync(file, JSON.stringify({ registries: { simulated: { adapter: 'simulated', tlds: ['com'] }, silent } }));
    service = await startService({ REGISTRIES_FILE: file });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the sandbox routes do not exist, with or without a key', async () => {
    const client = api(service, await service.key(await service.account()));

    for (const path of ['advance', 'faults', 'transfer-out']) await client.post(`/api/sandbox/${path}`, {}).expect(404);
    await client.delete('/api/sandbox/faults').expect(404);
    await client.get('/api/sandbox/ledger').expect(404);
    const { body } = await request(service.server).get('/api/sandbox/ledger').expect(404);

    expect(body.error).toEqual({ code: 'NOT_FOUND', message: 'Not found' });
  });
});
