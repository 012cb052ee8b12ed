import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IssuerKeys } from '../../../../src/infrastructure/identity/issuer-keys';
import { OpenIdJobTokens } from '../../../../src/infrastructure/identity/job-tokens';
import { ReceiverAddresses } from '../../../../src/infrastructure/webhooks/receiver-addresses';
import { startFakeProvider, type FakeProvider } from '../../../support/identity/fake-provider';

const LOOPBACK = [{ address: '127.0.0.0', prefix: 8 }];
const AUDIENCE = 'https://names.example.com';
const SECONDS = 1_000;

describe('the keys of an issuer', () => {
  let provider: FakeProvider;
  let server: Server;
  let issuer: string;
  let requests: string[];
  let respond: (path: string, res: ServerResponse) => void;
  let time: number;
  beforeAll(async () => {
    provider = await startFakeProvider();
  });
  afterAll(() => provider.stop());
  beforeEach(async () => {
    time = 0;
    requests = [];
    // Stands between, and serves what the provider does.
    server = createServer((req, res) => {
      requests.push(req.url ?? '');
      respond(req.url ?? '', res);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    respond = (path, res) => {
      if (path === '/keys') void fetch(`${provider.issuer}/keys`).then(async (keys) => res.end(await keys.text()));
      else res.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    };
  });
  afterEach(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );

  const open = (networks = LOOPBACK) => {
    const addresses = new ReceiverAddresses(networks);
    return new OpenIdJobTokens(new IssuerKeys(addresses, () => time), true);
  };
  const sign = (header: object = {}) => {
    const now = Math.floor(Date.now() / 1_000);
    return provider.sign({ iss: issuer, aud: AUDIENCE, iat: now, exp: now + 300, jti: 'one' }, header);
  };
  const verify = (tokens: OpenIdJobTokens, token = sign(), of = issuer) =>
    tokens.verify(token, { issuer: of, audience: AUDIENCE });

  it('are fetched once for tokens that come at the same time, and again after ten minutes', async () => {
    const tokens = open();

    await Promise.all([verify(tokens), verify(tokens), verify(tokens)]);
    time = 599 * SECONDS;
    await verify(tokens);
    expect(requests).toHaveLength(2);
    time = 601 * SECONDS;
    await verify(tokens);

    expect(requests).toHaveLength(4);
  });

  it('are fetched for an unknown key id at most once in 30 seconds', async () => {
    const tokens = open();
    const refuse = (kid: string) => expect(verify(tokens, sign({ kid }))).rejects.toThrow('the token is invalid');

    await verify(tokens);
    for (const kid of ['a', 'b', 'c']) await refuse(kid);
    expect(requests).toHaveLength(2);
    time = 31 * SECONDS;
    await Promise.all(['d', 'e', 'f'].map(refuse));
    await refuse('g');

    expect(requests).toHaveLength(4);
  });

  it('verify tokens while and after they cannot be fetched for an unknown key id, which is then not called invalid', async () => {
    const tokens = open();
    await verify(tokens);
    time = 31 * SECONDS;
    const waiting: ServerResponse[] = [];
    respond = (_path, res) => void waiting.push(res);

    const refusal = verify(tokens, sign({ kid: 'new' })).catch(String);
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await verify(tokens);
    waiting[0]?.writeHead(503).end();
    expect(await refusal).toContain('could not be fetched');

    await verify(tokens);
    await expect(verify(tokens, sign({ kid: 'new' }))).rejects.toThrow('could not be fetched');
    expect(requests).toHaveLength(3);
    time = 42 * SECONDS;
    respond = (_path, res) => void res.writeHead(503).end();
    await expect(verify(tokens, sign({ kid: 'new' }))).rejects.toThrow('could not be fetched');
    expect(requests).toHaveLength(4);
    await verify(tokens);
  });

  it('are not asked for with a token that names another issuer', async () => {
    await expect(verify(open(), sign(), `${issuer}/`)).rejects.toThrow('not exactly that of the trust rule');

    expect(requests).toEqual([]);
  });

  it('are not fetched from an address that is not public and that the operator does not permit', async () => {
    await expect(verify(open([]))).rejects.toThrow('could not be fetched');

    expect(requests).toEqual([]);
  });

  it.each<[string, (path: string, res: ServerResponse) => void]>([
    ['redirects', (_path, res) => void res.writeHead(302, { location: provider.issuer }).end()],
    [
      'calls itself differently',
      (_path, res) => void res.end(JSON.stringify({ issuer: `${issuer}/`, jwks_uri: issuer })),
    ],
    ['sends no JSON', (_path, res) => void res.end('<html>')],
    ['sends too much', (_path, res) => void res.end(`"${'a'.repeat(70_000)}"`)],
    [
      'has keys elsewhere, at an address that is not permitted',
      (_path, res) => void res.end(JSON.stringify({ issuer, jwks_uri: 'http://10.0.0.1/keys' })),
    ],
    [
      'has more keys than fit',
      (path, res) =>
        void res.end(
          path === '/keys'
            ? JSON.stringify({ keys: Array.from({ length: 51 }, () => ({ kty: 'RSA' })) })
            : JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }),
        ),
    ],
  ])('cannot be fetched if it %s, and are not asked for again for 10 seconds', async (_what, behavior) => {
    respond = behavior;
    const tokens = open();

    await expect(verify(tokens)).rejects.toThrow('could not be fetched');
    const before = requests.length;
    await expect(verify(tokens)).rejects.toThrow('could not be fetched');
    expect(requests).toHaveLength(before);
    time = 11 * SECONDS;
    await expect(verify(tokens)).rejects.toThrow('could not be fetched');

    expect(requests.length).toBeGreaterThan(before);
  });

  it('make a token invalid if they cannot verify anything', async () => {
    respond = (path, res) =>
      void res.end(
        path === '/keys'
          ? JSON.stringify({ keys: [{ kty: 'RSA', kid: 'one', n: 'AQAB', e: 'AQAB' }, null, 7] })
          : JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }),
      );

    await expect(verify(open())).rejects.toThrow('the token is invalid');
  });
});
