import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateAccount } from '../../../src/application/access/create-account';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { UserReader } from '../../../src/application/ports/access/users';
import { OPERATOR } from '../../../src/domain/access/actor';
import { DashboardClient } from '../dashboard/dashboard-client';
import { startService, type TestService } from '../service/service';
import { CLIENT, startFakeProvider, type FakeProvider } from './fake-provider';
import { fresh, linkIn } from './provider-service';

type Claims = Readonly<Record<string, unknown>>;
export const SECRET_VARIABLE = 'TEST_OIDC_SECRET';

/** The service with the providers `acme`, whose groups decide about roles in the account `mapped`, and `plain`. */
export class GroupsService {
  private constructor(
    readonly service: TestService,
    readonly provider: FakeProvider,
    readonly accountId: string,
    readonly mapped: string,
    readonly file: string,
  ) {}

  static async start(): Promise<GroupsService> {
    const folder = mkdtempSync(join(tmpdir(), 'namewright-oidc-'));
    const provider = await startFakeProvider();
    process.env[SECRET_VARIABLE] = CLIENT.secret;
    const settings = {
      DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
      SIGN_IN_ATTEMPTS: '0',
      REQUIRE_SECOND_FACTOR: 'owners',
    };
    // The account exists before the service, because the file names it.
    const before = await startService(settings);
    const mapped = (await before.container.get(CreateAccount).execute({ name: 'Mapped', actor: OPERATOR })).id;
    await before.stop();
    const common = { issuer: provider.issuer, client_id: CLIENT.id, client_secret: { env: SECRET_VARIABLE } };
    const groups = {
      claim: 'groups',
      account: mapped,
      roles: { admins: 'owner', dns: 'dns-editor', shop: { role: 'manager', tags: ['Shop'] } },
    };
    const providers = {
      acme: { name: 'ACME', ...common, invitations: true, groups, second_factor: { amr: ['mfa'] } },
      plain: { name: 'Plain', ...common },
    };
    const file = join(folder, 'providers.yaml');
    writeFileSync(file, JSON.stringify({ providers }));
    const service = await startService({ ...settings, OIDC_PROVIDERS_FILE: file });
    return new GroupsService(service, provider, await service.account(), mapped, file);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.provider.stop();
    delete process.env[SECRET_VARIABLE];
    rmSync(join(this.file, '..'), { recursive: true });
  }

  async userOf(email: string, account: string) {
    return (await this.service.container.get<UserReader>(UserReader).ofEmail(email))
      .find((user) => user.toState().accountId === account)
      ?.toState();
  }

  async signInWith(claims: Claims, client = new DashboardClient(this.service)) {
    const { headers } = await client.get('/sign-in/with/acme').expect(303);
    return { client, response: await client.get(this.provider.authorize(headers['location'] ?? '', claims)) };
  }

  /** Invites a viewer, who accepts with the provider. */
  async accept(claims: Claims, account: string) {
    const email = `${fresh('invited')}@example.com`;
    const invitation = { accountId: account, actor: OPERATOR, email, role: 'viewer' } as const;
    const { token } = await this.service.container.get(InviteUser).execute(invitation);
    const client = new DashboardClient(this.service);
    await client.get(`/set-up?token=${token}`).expect(200);
    const { text } = await client.post('/set-up/with/acme', { token }).expect(200);
    return { email, token, client, response: await client.get(this.provider.authorize(linkIn(text), claims)) };
  }
}
