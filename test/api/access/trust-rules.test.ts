import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import request from 'supertest';
import { run } from '../../../clients/cli/src/program/program.ts';
import { startFakeProvider, type FakeProvider } from '../../support/identity/fake-provider';
import { startOidcProvider, type OidcProvider } from '../../support/identity/oidc-provider';
import { api, REGISTRANT, startService, type Api, type TestService } from '../../support/service/service';

const AUDIENCE = 'https://names.example.com';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt';

/** An unknown key id has the keys of an issuer fetched again at most once within it. */
const KEYS_COOLDOWN_MS = 30_000;

interface Rule {
  readonly id: string;
}
interface Issued {
  readonly access_token: string;
  readonly expires_in: number;
}

describe('trust rules', () => {
  let service: TestService;
  let github: FakeProvider;
  let other: FakeProvider;
  let real: OidcProvider;
  let accountId: string;
  let owner: Api;
  beforeAll(async () => {
    service = await startService({ FAILED_AUTH_PER_MINUTE: '0' });
    [github, other] = [await startFakeProvider(), await startFakeProvider()];
    real = await startOidcProvider('ci');
  });
  beforeEach(async () => {
    accountId = await service.account();
    owner = api(service, await service.key(accountId));
  });
  afterAll(async () => {
    await service.stop();
    await github.stop();
    await other.stop();
    real.stop();
  });

  const settings = (more: object = {}) => ({
    name: 'apply in CI',
    issuer: github.issuer,
    audience: AUDIENCE,
    claims: { repository_id: '123', ref: ['refs/heads/main', 'refs/heads/next'] },
    scope: 'WRITE',
    ...more,
  });
  const create = async (more: object = {}, client = owner) =>
    (await client.post('/api/trust-rules', settings(more)).expect(201)).body as Rule;
  const claims = (more: object = {}) => {
    const now = Math.floor(Date.now() / 1_000);
    return {
      iss: github.issuer,
      aud: AUDIENCE,
      sub: 'repo:acme/dns:ref:refs/heads/main',
      iat: now,
      exp: now + 300,
      jti: randomUUID(),
      repository_id: '123',
      ref: 'refs/heads/main',
      ...more,
    };
  };
  const exchange = ({ id }: Rule, token: string, more: object = {}) =>
    request(service.server)
      .post('/oauth/token')
      .type('form')
      .send({ grant_type: EXCHANGE, subject_token_type: JWT_TYPE, client_id: id, subject_token: token, ...more });
  const issue = async (rule: Rule, more: object = {}) =>
    (await exchange(rule, github.sign(claims(more))).expect(200)).body as Issued;

  it('are created, read, changed and deleted by ADMIN keys, and are those of the account', async () => {
    const rule = await create({ limits: { domains: ['example.com'] }, minutes: 5 });

    const shown = await owner.get(`/api/trust-rules/${rule.id}`).expect(200);
    const changed = await owner.put(`/api/trust-rules/${rule.id}`, settings({ scope: 'READ' })).expect(200);
    const stranger = api(service, await service.key(await service.account()));

    expect(shown.body).toMatchObject({
      issuer: github.issuer,
      claims: { repository_id: ['123'], ref: ['refs/heads/main', 'refs/heads/next'] },
      limits: { domains: ['example.com'] },
      minutes: 5,
      last_used_at: null,
    });
    expect(changed.body).toMatchObject({ scope: 'READ', limits: null, minutes: 15 });
    await stranger.get(`/api/trust-rules/${rule.id}`).expect(404);
    await stranger.put(`/api/trust-rules/${rule.id}`, settings()).expect(404);
    await stranger.delete(`/api/trust-rules/${rule.id}`).expect(404);
    expect((await stranger.get('/api/trust-rules').expect(200)).body).toEqual([]);
    await owner.delete(`/api/trust-rules/${rule.id}`).expect(200);
    await owner.get(`/api/trust-rules/${rule.id}`).expect(404);
  });

  it.each([
    ['an issuer without TLS', { issuer: 'ftp://gitlab.example.com' }, 'issuer'],
    ['an issuer with a query', { issuer: 'https://gitlab.example.com/?a=b' }, 'issuer'],
    ['no audience', { audience: '' }, 'audience'],
    ['no claims', { claims: {} }, 'claims'],
    ['a claim that the service checks itself', { claims: { aud: 'a' } }, 'claims'],
    ['a claim without a value', { claims: { ref: '' } }, 'claims.ref'],
    [
      'names of repositories only, which others can take over',
      { issuer: 'https://token.actions.githubusercontent.com', claims: { repository: 'acme/dns' } },
      'claims',
    ],
    ['keys that live longer than 15 minutes', { minutes: 16 }, 'minutes'],
  ])('are refused with %s', async (_what, more, path) => {
    const { body } = await owner.post('/api/trust-rules', settings(more)).expect(400);

    expect((body as { error: { details: string } }).error.details).toContain(path);
  });

  it('give a job a key for its token, with the scope and limits of the rule, once for each token', async () => {
    const rule = await create({ limits: { domains: ['example.com'] }, minutes: 5 });
    const token = github.sign(claims());

    const { body } = await exchange(rule, token).expect(200).expect('Cache-Control', 'no-store');
    const again = await exchange(rule, token).expect(400);

    const { access_token: key, ...rest } = body as Issued;
    expect(rest).toEqual({
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'WRITE',
    });
    expect(rest.expires_in).toBeGreaterThan(290);
    expect(rest.expires_in).toBeLessThanOrEqual(300);
    const own = await api(service, key).get('/api/key').expect(200);
    expect(own.body).toMatchObject({ name: 'apply in CI', scope: 'WRITE', limits: { domains: ['example.com'] } });
    await api(service, key).get('/api/keys').expect(403);
    expect(again.body).toEqual({ error: 'invalid_request', error_description: expect.stringContaining('jti') });
    expect((await owner.get(`/api/trust-rules/${rule.id}`)).body).toMatchObject({ last_used_at: expect.any(String) });
    const { body: events } = await owner.get('/api/events?types=key.created,trust_rule.created&limit=100').expect(200);
    expect(JSON.stringify(events)).toContain(`"trust_rule_id":"${rule.id}"`);
    expect(JSON.stringify(events)).not.toContain(token);
  });

  it('give a token that is sent twice at the same time one key', async () => {
    const rule = await create();
    const token = github.sign(claims());

    const statuses = await Promise.all([1, 2, 3].map(async () => (await exchange(rule, token)).status));

    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 400, 400]);
  });

  it('give a key of a lower scope if the job asks for it, and none of a higher one', async () => {
    const rule = await create();

    const lower = await exchange(rule, github.sign(claims()), { scope: 'READ' }).expect(200);
    const higher = await exchange(rule, github.sign(claims()), { scope: 'ADMIN' }).expect(400);

    expect(lower.body).toMatchObject({ scope: 'READ' });
    expect(higher.body).toMatchObject({ error: 'invalid_scope' });
  });

  it.each<[string, () => string]>([
    ['is signed with no algorithm', () => `${b64({ alg: 'none' })}.${b64(claims())}.`],
    ['is signed with a shared secret', () => github.sign(claims(), { alg: 'HS256' })],
    ['is of another issuer with the same claims', () => other.sign(claims())],
    ['names another issuer', () => other.sign(claims({ iss: other.issuer }))],
    ['has an issuer with a trailing slash', () => github.sign(claims({ iss: `${github.issuer}/` }))],
    ['has another audience', () => github.sign(claims({ aud: 'https://other.example.com' }))],
    ['has no audience', () => github.sign(claims({ aud: undefined }))],
    ['has expired', () => github.sign(claims({ iat: now() - 600, exp: now() - 61 }))],
    ['is not valid yet', () => github.sign(claims({ nbf: now() + 90 }))],
    ['was issued in the future', () => github.sign(claims({ iat: now() + 90 }))],
    ['lives longer than a day', () => github.sign(claims({ exp: now() + 90_000 }))],
    ['has no id', () => github.sign(claims({ jti: undefined }))],
    ['has a key id that the issuer does not have', () => github.sign(claims(), { kid: 'unknown' })],
    ['is of another kind', () => github.sign(claims(), { typ: 'logout+jwt' })],
    ['is of another repository', () => github.sign(claims({ repository_id: '1234' }))],
    ['is of another branch', () => github.sign(claims({ ref: 'refs/heads/main-2' }))],
    ['lacks a claim', () => github.sign(claims({ ref: undefined }))],
    ['has an object as a claim', () => github.sign(claims({ ref: { 0: 'refs/heads/main' } }))],
    ['is no JWT', () => 'a.b.c'],
    ['is huge', () => `${github.sign(claims())}${'A'.repeat(20_000)}`],
  ])('refuse a token that %s', async (_what, token) => {
    const rule = await create();

    const { body } = await exchange(rule, token()).expect(400);

    expect(body).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
    const { body: keys } = await owner.get('/api/keys?limit=10').expect(200);
    expect(keys).toHaveLength(1);
  });

  it('accept a token within a minute of its end, because clocks differ', async () => {
    await issue(await create(), { iat: now() - 300, exp: now() - 30 });
  });

  it('refuse requests of another form', async () => {
    const rule = await create();
    const token = github.sign(claims());

    const grant = await exchange(rule, token, { grant_type: 'client_credentials' }).expect(400);
    const type = await exchange(rule, token, { subject_token_type: 'urn:x' }).expect(400);
    const twice = await exchange(rule, token, { client_id: [rule.id, rule.id] }).expect(400);
    const unknown = await exchange({ id: 'tru_unknown' }, token).expect(401);

    expect(grant.body).toMatchObject({ error: 'unsupported_grant_type' });
    expect(type.body).toMatchObject({ error: 'invalid_request' });
    expect(twice.body).toMatchObject({ error: 'invalid_request' });
    expect(unknown.body).toMatchObject({ error: 'invalid_client' });
    await exchange(rule, 'A'.repeat(40_000)).expect(413);
  });

  it('say that an issuer does not respond, and not that the token is wrong', async () => {
    const provider = await startFakeProvider();
    const rule = await create({ issuer: provider.issuer });
    const token = provider.sign(claims({ iss: provider.issuer }));
    provider.setAway(true);

    const { body } = await exchange(rule, token).expect(503);

    expect(body).toMatchObject({ error: 'temporarily_unavailable' });
    await provider.stop();
  });

  it('grant no more than the key that makes them, and stop with it', async () => {
    const limited = async (limits: object) =>
      (await owner.post('/api/keys', { name: 'limited', limits }).expect(201)).body as { key: string; key_id: string };
    const ofDomain = api(service, (await limited({ domains: ['example.com'] })).key);
    const ofNetwork = await limited({ networks: ['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104'] });
    const maker = api(service, ofNetwork.key);

    await ofDomain.get('/api/trust-rules').expect(403);
    await maker.post('/api/trust-rules', settings()).expect(403);
    const rule = await create({ limits: { networks: ['127.0.0.1/32'] } }, maker);
    const { access_token: key } = await issue(rule);
    await owner.delete(`/api/keys/${ofNetwork.key_id}`).expect(200);

    const { body } = await exchange(rule, github.sign(claims())).expect(400);
    expect(body).toMatchObject({ error_description: expect.stringContaining('the key that made the trust rule') });
    expect(key).not.toBe('');
  });

  it('limit what all of its jobs spend together, at once as well', async () => {
    const { body } = await owner.post('/api/domains/quote', { domains: [{ name: 'price.com' }] }).expect(200);
    const price = (body as { total: { amount: number } }).total.amount;
    const rule = await create({ limits: { spend: { per_day: price * 2 } } });
    const keys = await Promise.all(Array.from({ length: 4 }, () => issue(rule)));

    const answers = await Promise.all(
      keys.map(({ access_token: key }, index) =>
        api(service, key).post('/api/domains', { name: `job-${index}.com`, contacts: { registrant: REGISTRANT } }),
      ),
    );

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 201, 403, 403]);
  });

  it('sign a job in with `namewright login --oidc`, and later commands use its key with NAMEWRIGHT_URL alone', async () => {
    const home = mkdtempSync(join(tmpdir(), 'namewright-job-'));
    const NAMEWRIGHT_URL = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
    const rule = await create({ audience: NAMEWRIGHT_URL });
    const NAMEWRIGHT_OIDC_TOKEN = github.sign(claims({ aud: NAMEWRIGHT_URL }));
    const job = async (words: readonly string[]) => {
      const env = { HOME: home, NAMEWRIGHT_URL, NAMEWRIGHT_OIDC_TOKEN };
      const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
      const code = await run(words, { input, output, errors, env });
      return { code, text: `${String(output.read() ?? '')}${String(errors.read() ?? '')}` };
    };

    const before = await job(['whoami']);
    const signedIn = await job(['login', '--oidc', rule.id]);
    const after = await job(['whoami', '--json']);
    const again = await job(['login', '--oidc', rule.id]);

    expect(before).toMatchObject({ code: 1, text: expect.stringContaining('NAMEWRIGHT_API_KEY is not set') });
    expect(signedIn).toMatchObject({ code: 0, text: expect.stringContaining(`Signed in to ${NAMEWRIGHT_URL}`) });
    expect(after.code).toBe(0);
    expect(JSON.parse(after.text)).toMatchObject({ url: NAMEWRIGHT_URL, key: { name: 'apply in CI', scope: 'WRITE' } });
    expect(again).toMatchObject({ code: 1, text: expect.stringContaining('the service gives no key for the token') });
    rmSync(home, { recursive: true });
  });

  it.each(['changed', 'deleted'])('revoke the keys that jobs got by them when they are %s', async (how) => {
    const rule = await create();
    const job = api(service, (await issue(rule)).access_token);
    await job.get('/api/domains').expect(200);

    if (how === 'deleted') await owner.delete(`/api/trust-rules/${rule.id}`).expect(200);
    else await owner.put(`/api/trust-rules/${rule.id}`, settings()).expect(200);

    await job.get('/api/domains').expect(401);
  });

  it('give keys for tokens of npm’s oidc-provider, also after it has changed its key, and none for those of the former key', async () => {
    await real.register('http://localhost');
    const rule = await create({ issuer: real.issuer, claims: { repository_id: '123', ref: 'refs/heads/main' } });
    const [token, unused] = [await real.jobToken(AUDIENCE), await real.jobToken(AUDIENCE)];
    const { body } = await exchange(rule, token).expect(200);
    await api(service, (body as Issued).access_token)
      .get('/api/domains')
      .expect(200);

    await real.register('http://localhost');
    const later = await real.jobToken(AUDIENCE);
    const early = await exchange(rule, later).expect(400);
    const monotonic = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + KEYS_COOLDOWN_MS);

    await exchange(rule, later).expect(200);
    const former = await exchange(rule, unused).expect(400);
    for (const refused of [early, former])
      expect(refused.body).toMatchObject({ error: 'invalid_request', error_description: expect.any(String) });
  });
});

const now = () => Math.floor(Date.now() / 1_000);

function b64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
