import { CookieAccessInfo } from 'cookiejar';
import request from 'supertest';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { Passwords } from '../../../src/application/ports/access/authentication';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { Role } from '../../../src/domain/access/people/role';
import type { TestService } from '../service/service';

export const PASSWORD = 'nine violet tractors';

let serial = 0;
/** Calculated once because bcrypt is slow. */
let hash: Promise<string> | undefined;

/** Adds a user with the password `PASSWORD` to the account. Returns the e-mail. */
export async function aUser(
  { container }: TestService,
  accountId: string,
  role: Role = 'owner',
  email = `person-${(serial += 1)}@example.com`,
  tags: readonly string[] = [],
): Promise<string> {
  const { user } = await container.get(InviteUser).execute({ accountId, actor: OPERATOR, email, role, tags });
  user.setPasswordHash(await (hash ??= container.get<Passwords>(Passwords).hash(PASSWORD)), new Date());
  await container.get(UnitOfWork).run(async ({ users, setupLinks }) => {
    await users.save(user);
    await setupLinks.takeFor(user.id);
  });
  return email;
}

/** A browser without scripts: stores cookies and sends forms with the CSRF token of the last page. */
export class DashboardClient {
  private agent;
  private token = '';
  /** The other hidden fields of the last page's forms. */
  private hiddenFields: Record<string, string> = {};

  constructor(private readonly service: TestService) {
    this.agent = this.newAgent();
  }

  /** Loses the session but keeps the open page. */
  loseCookies(): void {
    this.agent = this.newAgent();
  }

  /** Without compression, which takes a seventh of the processor time of a page. */
  private newAgent() {
    return request.agent(this.service.server).set('Accept-Encoding', 'identity');
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.agent
      .get(path)
      .set({ Accept: 'text/html', ...headers })
      .expect(({ text }) => this.readHiddenFields(text));
  }

  post(path: string, fields: Record<string, string | string[]> = {}) {
    return this.agent
      .post(path)
      .set('Accept', 'text/html')
      .type('form')
      .send({ _token: this.token, ...this.hiddenFields, ...fields })
      .expect(({ text }) => this.readHiddenFields(text));
  }

  /** Sends a multipart form with its token first, as browsers do. */
  upload(path: string, fields: Record<string, string> = {}) {
    const form = Object.entries(fields).reduce(
      (sent, [name, value]) => sent.field(name, value),
      this.agent.post(path).set('Accept', 'text/html').field('_token', this.token),
    );
    return form.expect(({ text }: { text: string }) => this.readHiddenFields(text));
  }

  /** Sends `body` unchanged. */
  raw(path: string, headers: Record<string, string>, body: string | Buffer) {
    return this.agent
      .post(path)
      .set({ Accept: 'text/html', ...headers })
      .serialize((sent: unknown) => sent as string)
      .send(body)
      .expect(({ text }) => this.readHiddenFields(text));
  }

  get formToken(): string {
    return this.token;
  }

  /** The value of the Cookie header. */
  cookies(path: string): string {
    return this.agent.jar.getCookies(new CookieAccessInfo('127.0.0.1', path, false, false)).toValueString();
  }

  /** Sends a form with repeated fields. */
  postMany(path: string, fields: Record<string, readonly string[]>) {
    const body = new URLSearchParams([
      ['_token', this.token],
      ...Object.entries(this.hiddenFields),
      ...Object.entries(fields).flatMap(([name, values]) => values.map((value) => [name, value])),
    ]);
    return this.agent
      .post(path)
      .set('Accept', 'text/html')
      .type('form')
      .send(body.toString())
      .expect(({ text }) => this.readHiddenFields(text));
  }

  async signIn(email: string, password = PASSWORD): Promise<this> {
    await this.get('/sign-in').expect(200);
    await this.post('/sign-in', { email, password }).expect(303);
    await this.get('/settings').expect(200);
    return this;
  }

  private readHiddenFields(html: string): void {
    this.token = /name="_token" value="([^"]+)"/.exec(html)?.[1] ?? this.token;
    this.hiddenFields = Object.fromEntries(
      ['_owner', '_return_path'].flatMap(
        (name) =>
          new RegExp(`name="${name}" value="([^"]+)"`)
            .exec(html)
            ?.slice(1)
            .map((value) => [name, value]) ?? [],
      ),
    );
  }
}

/** Adds a user to the account and signs the user in. */
export async function signIn(service: TestService, accountId: string, role: Role = 'owner'): Promise<DashboardClient> {
  return new DashboardClient(service).signIn(await aUser(service, accountId, role));
}
