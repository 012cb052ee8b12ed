// cspell:words backchannel customizers
// npm's oidc-provider on a free port of this machine. The parent sends the client's redirect URIs once it knows them.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

let handle = (_req, res) => res.writeHead(503).end();
const server = createServer((req, res) => handle(req, res));
server.listen(0, '127.0.0.1', () => process.send({ issuer: `http://127.0.0.1:${server.address().port}` }));

/** As of a job of GitHub Actions. */
const JOB = { repository_id: '123', ref: 'refs/heads/main' };

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig' };
}

process.on('message', ({ issuer, client, redirectUri, signedOutUri, logoutUri }) => {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        grant_types: ['authorization_code', 'client_credentials'],
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [signedOutUri],
        backchannel_logout_uri: logoutUri,
      },
    ],
    // By default, it sends nothing to addresses of this machine.
    fetch: (url, { dispatcher: _dispatcher, ...options }) => fetch(url, options),
    features: {
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: '', accessTokenFormat: 'jwt', accessTokenTTL: 300 }),
      },
    },
    jwks: { keys: [newKey()] },
    extraTokenClaims: () => JOB,
    formats: { customizers: { jwt: (_ctx, _token, parts) => void (parts.header = { typ: 'JWT' }) } },
    claims: { openid: ['sub'], email: ['email'] },
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@acme.example` }) }),
    pkce: { required: () => true },
  });
  handle = provider.callback();
  process.send('ready');
});
process.on('disconnect', () => process.exit());
