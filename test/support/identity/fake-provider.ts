import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT = { id: 'namewright', secret: 'a secret of the tests' };

interface Grant {
  readonly challenge: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly isForged: boolean;
}

export interface FakeProvider {
  readonly issuer: string;
  /** What the browser is sent back to after a person with these claims has signed in at the URL of the provider. Forged: another key signs the ID token. */
  authorize(url: string, claims: Readonly<Record<string, unknown>>, options?: { readonly isForged?: boolean }): string;
  /** A token that it signs. */
  sign(claims: object, header?: object): string;
  /** Stops to respond, or responds again. */
  setAway(away: boolean): void;
  stop(): Promise<void>;
}

const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url');

function anotherKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

/** An OpenID Connect provider whose ID tokens say what the test wants. It verifies PKCE and the client's secret. */
export async function startFakeProvider(
  authentication: 'client_secret_basic' | 'client_secret_post' = 'client_secret_basic',
): Promise<FakeProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  let away = false;
  let issuer = '';

  const sign = (claims: object, header: object = {}, key = privateKey) => {
    const content = `${base64url(JSON.stringify({ alg: 'RS256', kid: 'one', ...header }))}.${base64url(JSON.stringify(claims))}`;
    return `${content}.${createSign('sha256').update(content).sign(key).toString('base64url')}`;
  };
  const redeem = async (req: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const expected = `Basic ${Buffer.from(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret).replaceAll('%20', '+')}`).toString('base64')}`;
    const isClient =
      authentication === 'client_secret_basic'
        ? req.headers.authorization === expected
        : form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret;
    if (grant?.challenge !== challenge || !isClient) return { status: 400, body: { error: 'invalid_grant' } };
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: CLIENT.id, iat: now, exp: now + 300, auth_time: now, ...grant.claims };
    return {
      status: 200,
      body: {
        access_token: 'access',
        token_type: 'Bearer',
        id_token: sign(claims, {}, grant.isForged ? anotherKey() : privateKey),
      },
    };
  };
  const respond = async (req: IncomingMessage): Promise<{ status: number; body: object }> => {
    if (req.url === '/.well-known/openid-configuration')
      return {
        status: 200,
        body: {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          end_session_endpoint: `${issuer}/end`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          token_endpoint_auth_methods_supported: [authentication],
        },
      };
    if (req.url === '/keys')
      return { status: 200, body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] } };
    return req.url === '/token' ? redeem(req) : { status: 404, body: {} };
  };
  const server = createServer((req, res) => {
    if (away) req.socket.destroy();
    else
      respond(req).then(
        ({ status, body }) => res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
        () => res.destroy(),
      );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    sign,
    authorize: (url, claims, { isForged = false } = {}) => {
      const { searchParams: asked } = new URL(url);
      const code = randomBytes(16).toString('hex');
      grants.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        claims: { nonce: asked.get('nonce'), ...claims },
        isForged,
      });
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
      return `${back.pathname}${back.search}`;
    },
    setAway: (value) => {
      away = value;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
