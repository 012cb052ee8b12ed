import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenIdProviders } from '../../../../src/infrastructure/identity/openid-providers';
import type { ProviderDefinition } from '../../../../src/infrastructure/identity/read-providers';
import { RecordingLog } from '../../../support/fakes/recording-log';
import { CLIENT, startFakeProvider, type FakeProvider } from '../../../support/identity/fake-provider';

describe('discovery of an OpenID Connect provider', () => {
  let server: Server;
  let requests = 0;
  let providers: OpenIdProviders;
  beforeAll(async () => {
    server = createServer((req) => {
      requests += 1;
      req.socket.destroy();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const definition: ProviderDefinition = {
      id: 'acme',
      name: 'ACME',
      issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      clientId: 'a',
      clientSecret: 'b',
      clientAuthentication: undefined,
      scopes: ['openid'],
      secondFactor: 'never',
      invitations: false,
      groupsClaim: '',
    };
    providers = new OpenIdProviders([definition], new RecordingLog());
  });
  afterAll(() => server.close());
  afterEach(() => jest.restoreAllMocks());

  const start = () => providers.start(providers.all[0]!, { redirectUri: 'http://localhost/', fresh: false });

  it('asks a provider that does not respond once for all sign-ins, and again after ten seconds', async () => {
    const refusal = { code: 'SERVICE_UNAVAILABLE' };

    await Promise.all([1, 2, 3].map(() => expect(start()).rejects.toMatchObject(refusal)));
    await expect(start()).rejects.toMatchObject(refusal);
    expect(requests).toBe(1);

    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 10_000);
    await expect(start()).rejects.toMatchObject(refusal);
    expect(requests).toBe(2);
  });
});

const definitionOf = (issuer: string): ProviderDefinition => ({
  id: 'acme',
  name: 'ACME',
  issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  clientAuthentication: undefined,
  scopes: ['openid'],
  secondFactor: 'never',
  invitations: false,
  groupsClaim: 'groups',
});

/** A sign-in from its start to what the provider says. */
async function signIn(
  fake: FakeProvider,
  providers: OpenIdProviders,
  claims: Readonly<Record<string, unknown>>,
  { fresh = false, isForged = false } = {},
) {
  const [definition] = providers.all as [ProviderDefinition];
  const redirectUri = 'http://localhost/callback';
  const { url, request } = await providers.start(definition, { redirectUri, fresh });
  const back = fake.authorize(url, { sub: 'ada', email: 'ada@example.com', ...claims }, { isForged });
  return providers.finish(definition, { ...request, currentUrl: `http://localhost${back}`, fresh });
}

const signInBy = async (clientAuthentication: ProviderDefinition['clientAuthentication'], fake: FakeProvider) =>
  signIn(fake, new OpenIdProviders([{ ...definitionOf(fake.issuer), clientAuthentication }], new RecordingLog()), {});

describe('a response of an OpenID Connect provider', () => {
  let fake: FakeProvider;
  let providers: OpenIdProviders;
  const log = new RecordingLog();
  const told = () => log.entries.map(({ facts, message }) => ({ ...facts, message }));
  beforeAll(async () => {
    fake = await startFakeProvider();
    providers = new OpenIdProviders([definitionOf(fake.issuer)], log);
  });
  afterAll(() => fake.stop());
  beforeEach(() => {
    log.entries.length = 0;
  });

  it('is accepted with an ID token that a key of the provider has signed, and no other', async () => {
    expect(await signIn(fake, providers, {})).toMatchObject({ subject: 'ada' });

    await expect(signIn(fake, providers, {}, { isForged: true })).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
  });

  it.each([
    ['nonce', { nonce: 'another' }],
    ['iss', { iss: 'https://another.example' }],
    ['aud', { aud: 'another' }],
    ['exp', { exp: 1 }],
    ['iat', { iat: undefined }],
    ['nbf', { nbf: 9_999_999_999 }],
  ])('has the name of the claim in the log if it is refused for its claim %s', async (claim, claims) => {
    await expect(signIn(fake, providers, claims)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });

    expect(told()).toEqual([
      expect.objectContaining({ provider: 'acme', claim, message: 'a sign-in at an identity provider failed' }),
    ]);
  });

  it.each([
    ['is old', { auth_time: 1 }],
    ['is missing', { auth_time: undefined }],
  ])('offers another way if the person was to sign in again and auth_time %s', async (_what, claims) => {
    await expect(signIn(fake, providers, claims, { fresh: true })).rejects.toMatchObject({
      message: 'ACME did not ask you to sign in again',
      details: expect.stringContaining('Confirm with your password or a passkey') as string,
    });
    expect(told()).toEqual([expect.objectContaining({ claim: 'auth_time' })]);
  });

  it('says no groups if there are too many for the token, and that there are none if the claim is missing', async () => {
    const elsewhere = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x.example' } } };

    expect((await signIn(fake, providers, elsewhere)).groups).toBeUndefined();
    expect((await signIn(fake, providers, {})).groups).toEqual([]);
  });

  it('is redeemed with the secret in the body if the provider or the operator says so', async () => {
    const posted = await startFakeProvider('client_secret_post');

    expect(await signInBy(undefined, posted)).toMatchObject({ subject: 'ada' });
    expect(await signInBy('client_secret_post', posted)).toMatchObject({ subject: 'ada' });
    await expect(signInBy('client_secret_basic', posted)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
    await expect(signInBy('client_secret_post', fake)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' });
    await posted.stop();
  });
});

describe('a logout token of an OpenID Connect provider', () => {
  let fake: FakeProvider;
  beforeAll(async () => {
    fake = await startFakeProvider();
  });
  afterAll(() => fake.stop());

  it.each([
    ['iss', { iss: 'https://another.example' }],
    ['aud', { aud: 'another' }],
    ['iat', { iat: 1 }],
    ['exp', { exp: 1 }],
    ['events', { events: {} }],
    ['nonce', { nonce: 'x' }],
    ['jti', { jti: '' }],
    ['sub', { sub: undefined }],
  ])('says so if it is refused for its claim %s', async (reason, claims) => {
    const providers = new OpenIdProviders([definitionOf(fake.issuer)], new RecordingLog());
    const now = Math.floor(Date.now() / 1_000);
    const token = {
      iss: fake.issuer,
      aud: CLIENT.id,
      sub: 'ada',
      iat: now,
      exp: now + 60,
      jti: 'one',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    const verify = (changes: object) =>
      providers.verifyLogout(providers.all[0]!, fake.sign({ ...token, ...changes }, { typ: 'logout+jwt' }));

    expect(await verify({})).toMatchObject({ subject: 'ada' });
    await expect(verify(claims)).rejects.toMatchObject({ reason });
  });
});
