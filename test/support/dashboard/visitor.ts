import { CookieAccessInfo } from 'cookiejar';
import request from 'supertest';
import { InviteUser } from '../../../src/application/access/users/invite-user';
import { Passwords } from '../../../src/application/ports/access/passwords';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { Role } from '../../../src/domain/access/role';
import type { TestService } from '../service/service';

export const PASSWORD = 'nine violet tractors';

let serial = 0;
/** Slow to make, hence made once. */
let hash: Promise<string> | undefined;

/** A new person of the account who has set `PASSWORD`. Returns the e-mail. */
export async function aPerson(
  { container }: TestService,
  accountId: string,
  role: Role = 'owner',
  email = `person-${(serial += 1)}@example.com`,
): Promise<string> {
  const { user } = await container.get(InviteUser).execute({ accountId, actor: OPERATOR, email, role });
  user.setPasswordHash(await (hash ??= container.get<Passwords>(Passwords).hash(PASSWORD)), new Date());
  await container.get<UnitOfWork>(UnitOfWork).run(async ({ users, setupLinks }) => {
    await users.save(user);
    await setupLinks.takeFor(user.id);
  });
  return email;
}

/** A browser without scripts: keeps cookies, and sends forms with the token of the page that it last saw. */
export class Visitor {
  private agent;
  private token = '';
  /** What every form of the page carries besides. */
  private page: Record<string, string> = {};

  constructor(private readonly service: TestService) {
    this.agent = request.agent(service.server);
  }

  /** Keeps the page that is open. */
  loseCookies(): void {
    this.agent = request.agent(this.service.server);
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.agent
      .get(path)
      .set({ Accept: 'text/html', ...headers })
      .expect(({ text }) => this.look(text));
  }

  post(path: string, fields: Record<string, string> = {}) {
    return this.agent
      .post(path)
      .set('Accept', 'text/html')
      .type('form')
      .send({ _token: this.token, ...this.page, ...fields })
      .expect(({ text }) => this.look(text));
  }

  /** A multipart form, its token first, as browsers send it. */
  upload(path: string, fields: Record<string, string> = {}) {
    const form = Object.entries(fields).reduce(
      (sent, [name, value]) => sent.field(name, value),
      this.agent.post(path).set('Accept', 'text/html').field('_token', this.token),
    );
    return form.expect(({ text }: { text: string }) => this.look(text));
  }

  /** A body exactly as given. */
  raw(path: string, headers: Record<string, string>, body: string | Buffer) {
    return this.agent
      .post(path)
      .set({ Accept: 'text/html', ...headers })
      .serialize((sent: unknown) => sent as string)
      .send(body)
      .expect(({ text }) => this.look(text));
  }

  get formToken(): string {
    return this.token;
  }

  /** As the value of a Cookie header. */
  cookies(path: string): string {
    return this.agent.jar.getCookies(new CookieAccessInfo('127.0.0.1', path, false, false)).toValueString();
  }

  /** With fields that are sent many times. */
  postMany(path: string, fields: Record<string, readonly string[]>) {
    const body = new URLSearchParams([
      ['_token', this.token],
      ...Object.entries(this.page),
      ...Object.entries(fields).flatMap(([name, values]) => values.map((value) => [name, value])),
    ]);
    return this.agent
      .post(path)
      .set('Accept', 'text/html')
      .type('form')
      .send(body.toString())
      .expect(({ text }) => this.look(text));
  }

  async signIn(email: string, password = PASSWORD): Promise<this> {
    await this.get('/sign-in').expect(200);
    await this.post('/sign-in', { email, password }).expect(303);
    await this.get('/api-keys').expect(200);
    return this;
  }

  private look(html: string): void {
    this.token = /name="_token" value="([^"]+)"/.exec(html)?.[1] ?? this.token;
    this.page = Object.fromEntries(
      ['_owner', '_place'].flatMap(
        (name) =>
          new RegExp(`name="${name}" value="([^"]+)"`)
            .exec(html)
            ?.slice(1)
            .map((value) => [name, value]) ?? [],
      ),
    );
  }
}

/** Invites a person to the account and signs in as that person. */
export async function signedIn(service: TestService, accountId: string, role: Role = 'owner'): Promise<Visitor> {
  return new Visitor(service).signIn(await aPerson(service, accountId, role));
}
