import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import request from 'supertest';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { SessionReader, UserReader } from '../../../src/application/ports/access/users';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { Role } from '../../../src/domain/access/people/role';
import { DashboardClient } from '../dashboard/dashboard-client';
import { startService, type TestService } from '../service/service';
import { CLIENT, startFakeProvider, type FakeProvider } from './fake-provider';

type Claims = Readonly<Record<string, unknown>>;
const SECRET_VARIABLE = 'TEST_OIDC_SESSIONS_SECRET';
export const SETTINGS = '/settings/providers';
const APP = '/settings/second-factor/app';
let serial = 0;
export const fresh = (text: string) => `${text}-${(serial += 1)}`;

export const linkIn = (html: string) =>
  (/class="button primary" href="(http[^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
export const fieldIn = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';
export const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;
/** Of the present step or the next one. A code of the former step is invalid if a step ends before the service reads it. */
export const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor((Date.now() + steps * 30_000) / 1_000) });

export const isSignedIn = async (client: DashboardClient) => (await client.get(SETTINGS)).status === 200;
/** Sends a sensitive step. */
export const takeStep = (client: DashboardClient) => client.post(`${SETTINGS}/acme/link`);
/** Adds an authenticator app and returns its secret. */
export async function addApp(client: DashboardClient) {
  const { text } = await client.get(APP).expect(200);
  const secret = (/id="totp-key"[^>]*>([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '');
  await client.post(APP, { sealed: fieldIn(text, 'sealed'), code: codeOf(secret) }).expect(200);
  return secret;
}

/** The service with the providers `acme`, which invitations accept and which can count as a second factor, and `plain`. */
export class ProviderService {
  private constructor(
    readonly service: TestService,
    readonly provider: FakeProvider,
    readonly accountId: string,
    readonly file: string,
  ) {}

  static async start(): Promise<ProviderService> {
    const file = join(mkdtempSync(join(tmpdir(), 'namewright-oidc-sessions-')), 'providers.yaml');
    const provider = await startFakeProvider();
    process.env[SECRET_VARIABLE] = CLIENT.secret;
    const common = { client_id: CLIENT.id, client_secret: { env: SECRET_VARIABLE } };
    // Issuers are compared as URLs: Auth0, among others, shows its own with a slash that tokens lack.
    const issuer = `${provider.issuer}/`;
    const acme = { name: 'ACME', issuer, ...common, invitations: true, second_factor: { amr: ['mfa'] } };
    const plain = { name: 'Plain', issuer: provider.issuer, ...common };
    writeFileSync(file, JSON.stringify({ providers: { acme, plain } }));
    const service = await startService({
      SIGN_IN_ATTEMPTS: '0',
      FAILED_AUTH_PER_MINUTE: '40',
      REQUIRE_SECOND_FACTOR: 'none',
      PUBLIC_URL: 'http://localhost',
      OIDC_PROVIDERS_FILE: file,
    });
    return new ProviderService(service, provider, await service.account(), file);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.provider.stop();
    delete process.env[SECRET_VARIABLE];
    rmSync(join(this.file, '..'), { recursive: true });
  }

  unitOfWork() {
    return this.service.container.get(UnitOfWork);
  }

  async userOf(email: string) {
    return (await this.service.container.get<UserReader>(UserReader).ofEmail(email))[0]!.toState();
  }

  async signInWith(claims: Claims, client = new DashboardClient(this.service)) {
    const { headers } = await client.get('/sign-in/with/acme').expect(303);
    return { client, response: await client.get(this.provider.authorize(headers['location'] ?? '', claims)) };
  }

  async signedInWith(claims: Claims) {
    const { client } = await this.signInWith(claims);
    await client.get(SETTINGS).expect(200);
    return client;
  }

  /** A user who accepted the invitation with the provider and has no password. */
  async aUserWithoutPassword(role: Role = 'viewer') {
    const [email, sub] = [`${fresh('invited')}@example.com`, fresh('sub')];
    const invitation = { accountId: this.accountId, actor: OPERATOR, email, role };
    const { token } = await this.service.container.get(InviteUser).execute(invitation);
    const client = new DashboardClient(this.service);
    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/with/acme', { token }).expect(200);
    await client.get(this.provider.authorize(linkIn(text), { sub })).expect(303);
    await client.get(SETTINGS).expect(200);
    return { email, client, sub };
  }

  async addPasskey(email: string, id = fresh('passkey')) {
    const { personId: userId } = await this.userOf(email);
    const passkey = { id, userId, name: 'laptop', publicKey: 'key', counter: 0, transports: [] };
    await this.unitOfWork().run(({ factors }) =>
      factors.addPasskey({ ...passkey, createdAt: new Date(), lastUsedAt: null }),
    );
    return id;
  }

  /** As if the user had authenticated long ago. */
  async forgetConfirmation(email: string) {
    const sessions = await this.service.container
      .get<SessionReader>(SessionReader)
      .ofUser((await this.userOf(email)).id);
    await this.unitOfWork().run(async (stores) => {
      for (const { digest } of sessions) await stores.sessions.recordAuthentication(digest, new Date(0));
    });
  }

  /** Confirms at the provider; the text of the settings afterwards. */
  async confirm(client: DashboardClient, claims: Claims, fields: Record<string, string> = {}) {
    const { text } = await client.post(`${SETTINGS}/acme/confirm`, { next: '/settings', ...fields }).expect(200);
    await client.get(this.provider.authorize(linkIn(text), claims)).expect('Location', '/settings');
    return (await client.get('/settings').expect(200)).text;
  }

  /** A logout token of the provider. */
  tokenOf(claims: Claims, header: object = { typ: 'logout+jwt' }) {
    return this.provider.sign(
      {
        iss: this.provider.issuer,
        aud: CLIENT.id,
        iat: secondsAgo(0),
        exp: secondsAgo(-120),
        jti: fresh('jti'),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      },
      header,
    );
  }

  /** Sends a logout token, as the provider does. */
  send(token: string, id = 'acme') {
    return request(this.service.server).post(`/sign-in/with/${id}/logout`).type('form').send({ logout_token: token });
  }
}
