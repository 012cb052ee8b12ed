import { DashboardPages, type Access } from '../../../src/http/dashboard/dashboard-route';
import { ACTION_LABELS } from '../../../src/http/dashboard/bulk/bulk-labels';
import { DashboardRouter } from '../../../src/http/dashboard/dashboard-router';
import { ApiRouter } from '../../../src/http/api/api-router';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { AuditReader } from '../../../src/application/ports/access/audit-log';
import { UserReader } from '../../../src/application/ports/access/user-repository';
import { OPERATOR } from '../../../src/domain/access/actor';
import { KEY_ACTIONS, type KeyAction } from '../../../src/domain/access/key-limits';
import { ROLE_ACTIONS, ROLES, type Role } from '../../../src/domain/access/people/role';
import { API_REQUESTS, type ApiCall } from '../../support/access/api-requests';
import { aUser, DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

/** What each role may do, written down a second time. */
const MAY: Readonly<Record<Role, readonly KeyAction[]>> = {
  owner: ['read', 'write', 'register', 'renew', 'transfer', 'settings'],
  manager: ['read', 'write', 'register', 'renew', 'transfer', 'settings'],
  'dns-editor': ['read', 'write'],
  billing: ['read', 'renew'],
  viewer: ['read'],
};

/** A manager may send these only if an owner has allowed it, because they let a domain leave the account. */
const LETS_GO = new Set([
  'get /domains/:id/auth-code',
  'get /domains/:id/delete',
  'post /domains/:id/delete',
  'post /domains/:id/auth-code',
  'post /domains/:id/transfer-lock',
  'post /domains/:id/transfer-out/approve',
]);

/** Forms that change nothing, so that `read` is enough. */
const FORMS_THAT_READ = new Set(['post /domains/:id/health', 'post /register/progress/:operationId']);

/** Judged by what the chosen bulk action needs. */
const BULK_FORMS = ['post /bulk', 'post /bulk/:jobId/retry', 'post /bulk/:jobId/undo'];

/** Asks nameservers for up to 15 seconds. Every role may send it. */
const SLOW = 'post /domains/:id/health';

/** Of a form that is checked while it is filled in: says nothing about a domain that is not found. */
const NO_WARNINGS = '{"warnings":[]}';

const REFUSED = /Your role does not allow you|Your role is only for domains tagged|Only owners of the account/;
const MARK = 'someone-else';
/** A domain of the account that has not the tag to which some people are limited. */
const UNTAGGED = 'not-their-domain';
/** Finds it. */
const PART = 'ot-their-domai';
const TAG = 'shop';
/** The tag of a person and a key that have no domain with the tag above. */
const ELSEWHERE = 'elsewhere';

interface Person {
  readonly role: Role;
  /** Limited to domains with the tag `shop`. */
  readonly isTagged: boolean;
}
const PEOPLE: readonly (readonly [string, Person])[] = [
  ...ROLES.map((role) => [role, { role, isTagged: false }] as const),
  ...ROLES.flatMap((role) => (role === 'owner' ? [] : [[`${role} for a tag`, { role, isTagged: true }] as const])),
];
const TAGGED = PEOPLE.filter(([, { isTagged }]) => isTagged);
/** What people who are limited to a tag may never do: by these, domains come to the account and leave it. */
const OF_ACCOUNT = new Set<Access>(['register', 'transfer']);
/** Pages and forms that are about more than a domain, which people who are limited to a tag may not have. */
const FOR_EVERY_DOMAIN = new Set([
  'get /api-keys',
  'get /api-keys/inactive',
  'post /domain-views',
  'post /domain-views/delete',
  'post /domains/:id/tags',
  'post /record-templates',
  'get /record-templates/new',
  'post /record-templates/:templateId',
  'post /record-templates/:templateId/delete',
]);

interface Account {
  readonly admin: Api;
  readonly accountId: string;
  /** Values of path parameters. */
  readonly ids: Readonly<Record<string, string>>;
}

interface Layer {
  readonly route?: { readonly path: string; readonly stack: readonly { readonly method: string }[] };
}

function routesOf({ stack }: { readonly stack: readonly unknown[] }): string[] {
  return (stack as readonly Layer[]).flatMap(({ route }) =>
    route
      ? [...new Set(route.stack.map(({ method }) => method))].flatMap((method) =>
          method ? [`${method} ${route.path}`] : [],
        )
      : [],
  );
}

const isAllowed = ({ role, isTagged }: Person, access: Access, route: string): boolean => {
  if (access === 'public' || access === 'signed-in') return true;
  if (access === 'owner') return role === 'owner';
  if (isTagged && (OF_ACCOUNT.has(access) || FOR_EVERY_DOMAIN.has(route))) return false;
  return MAY[role].includes(access) && (role === 'owner' || !LETS_GO.has(route));
};

const send = (client: DashboardClient, { method, upload }: { method: string; upload: boolean }, path: string) => {
  if (method === 'get') return client.get(path);
  return upload ? client.upload(path, { on: 'no' }) : client.post(path, { on: 'no' });
};

describe('roles at every route', () => {
  let service: TestService;
  let own: Account;
  let foreign: Account;
  /** The domain of our account that people who are limited to a tag do not have. */
  let untagged: Account;

  beforeAll(async () => {
    service = await startService({ HEALTH_CHECKS_PER_MINUTE: '0' });
    [own, foreign] = [await openAccount('own-name'), await openAccount(MARK)];
    untagged = await fillAccount(own, UNTAGGED);
    const limits = { tags: [ELSEWHERE] };
    await own.admin.post('/api/keys', { name: UNTAGGED, scope: 'READ', limits }).expect(201);
  });
  afterAll(() => service.stop());

  async function openAccount(label: string): Promise<Account> {
    const accountId = await service.account();
    return fillAccount({ accountId, admin: api(service, await service.key(accountId)) }, label);
  }

  /** A domain with a record, an operation, a key and a person. */
  async function fillAccount(
    { accountId, admin }: Pick<Account, 'accountId' | 'admin'>,
    label: string,
  ): Promise<Account> {
    const id = await registered(admin, `${label}.com`);
    await admin.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    const { body: record } = await admin
      .post(`/api/domains/${id}/dns/records`, { name: 'www', type: 'TXT', content: label })
      .expect(201);
    const { body: operations } = await admin.get(`/api/domains/${id}/operations`).expect(200);
    const { body: key } = await admin.get('/api/key').expect(200);
    const email = await aUser(
      service,
      accountId,
      'viewer',
      `${label}@example.com`,
      label === UNTAGGED ? [ELSEWHERE] : [],
    );
    const [user] = await service.container.get<UserReader>(UserReader).ofEmail(email);
    const ids = {
      id,
      name: `${label}.com`,
      recordId: (record as { id: string }).id,
      operationId: (operations as { id: string }[])[0]?.id ?? '',
      keyId: (key as { id: string }).id,
      userId: user?.id ?? '',
      version: '2',
    };
    return { admin, accountId, ids };
  }

  const signUp = async ({ role, isTagged }: Person) => {
    // Managers and owners have removed it.
    await own.admin.put(`/api/domains/${own.ids['id']}/tags`, { tags: [TAG] }).expect(200);
    return aUser(service, own.accountId, role, undefined, isTagged ? [TAG] : []);
  };
  const fill = (path: string, { ids }: Account) => path.replace(/:(\w+)/g, (_all, name: string) => ids[name] ?? 'none');
  const auditOf = async ({ accountId }: Account) =>
    service.container.get<AuditReader>(AuditReader).page(accountId, {}, 100);

  /** The routes and what they need; those that end sessions or domains come last. */
  const list = () =>
    service.container
      .getAll<DashboardPages>(DashboardPages)
      .flatMap(({ routes }) => routes)
      .filter(([, , access]) => access !== 'public')
      .map(([method, path, access, , options]) => ({ method, path, access, upload: options?.upload === true }))
      .toSorted((one, other) => Number(/end-all|delete$/.test(one.path)) - Number(/end-all|delete$/.test(other.path)));

  const call = (client: Api, route: string, account: Account, { body, query = '' }: ApiCall) => {
    const [method = '', path = ''] = route.split(' ');
    const url = `/api${fill(path, account)}${query}`;
    const filled = body && JSON.stringify(body).replaceAll(':name', account.ids['name'] ?? '');
    const sent = client[method as keyof Api](url, filled === undefined ? undefined : (JSON.parse(filled) as object));
    return typeof body === 'string' ? sent.set('Content-Type', 'text/dns') : sent;
  };
  const keyOf = async (actions: readonly KeyAction[]) => {
    const { text } = await service.container.get(IssueApiKey).execute({
      accountId: own.accountId,
      actor: OPERATOR,
      name: 'role',
      scope: 'ADMIN',
      limits: { actions },
    });
    return api(service, text);
  };

  /** The routes at which the person gets something of the other's ids, or another response than for ids that do not exist. */
  async function findLeaks(person: Person, other: Account, mark: string): Promise<readonly string[]> {
    const email = await signUp(person);
    let client = await new DashboardClient(service).signIn(email);
    const wrong: string[] = [];
    // People and keys are the account's, not a domain's.
    const isAbout = (path: string) => other.accountId !== own.accountId || !/:(userId|keyId)/.test(path);
    for (const route of list().filter(({ path }) => path.includes(':') && isAbout(path))) {
      const { status, text, headers } = await send(client, route, fill(route.path, other));
      if (headers['location'] === '/sign-in') client = await new DashboardClient(service).signIn(email);
      const allowed = isAllowed(person, route.access, `${route.method} ${route.path}`);
      const expected = allowed ? status !== 200 || text === NO_WARNINGS : status === 403;
      if (!expected || text.includes(mark)) wrong.push(`${route.method} ${route.path}: ${status}`);
    }
    return wrong;
  }

  describe('of the dashboard', () => {
    it('are the routes that the router serves, each with an action', () => {
      const served = routesOf(service.container.get(DashboardRouter).router).filter((route) => !/assets/.test(route));
      const named = service.container
        .getAll<DashboardPages>(DashboardPages)
        .flatMap(({ routes }) => routes)
        .map(([method, path, access]) => ({ route: `${method} ${path}`, access }));

      expect(served.toSorted()).toEqual(named.map(({ route }) => route).toSorted());
      for (const { access } of named) expect(['public', 'signed-in', 'owner', ...KEY_ACTIONS]).toContain(access);
    });

    it('let no form that changes something be sent by a viewer', () => {
      const forms = list().filter(({ method, access }) => method === 'post' && access === 'read');

      expect(new Set(forms.map(({ method, path }) => `${method} ${path}`))).toEqual(
        new Set([...FORMS_THAT_READ, ...BULK_FORMS]),
      );
    });

    it.each(PEOPLE)('allow the role %s exactly its actions', async (_name, person) => {
      const email = await signUp(person);
      let client = await new DashboardClient(service).signIn(email);
      const wrong: string[] = [];

      for (const route of list()) {
        const name = `${route.method} ${route.path}`;
        if (name === SLOW) continue;
        const { status, text, headers } = await send(client, route, fill(route.path, own));
        if (headers['location'] === '/sign-in') client = await new DashboardClient(service).signIn(email);
        const refused = status === 403 && REFUSED.test(text);
        if (refused === isAllowed(person, route.access, name)) wrong.push(`${name}: ${status}`);
        if (status >= 500) wrong.push(`${name}: ${status}`);
      }

      expect(wrong).toEqual([]);
    });

    it.each(PEOPLE)('show the role %s no link or form that leads to a refusal', async (_name, person) => {
      const client = await new DashboardClient(service).signIn(await signUp(person));
      const patterns = list().map((route) => ({
        ...route,
        pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`),
      }));
      const wrong = new Set<string>();

      for (const { method, path, access } of list()) {
        if (method !== 'get' || !isAllowed(person, access, `get ${path}`) || path === '/palette') continue;
        const { text } = await client.get(fill(path, own));
        const links = [...text.matchAll(/<a [^>]*href="(\/[^"?#]*)/g)].map(([, to = '']) => ['get', to] as const);
        // Everybody who may change settings may switch the transfer lock on.
        const forms = [...text.matchAll(/<form method="post" action="(\/[^"?#]*)"(.*?)<\/form>/gs)].flatMap(
          ([, to = '', content = '']) =>
            to.endsWith('/transfer-lock') && content.includes('name="on" value="yes"') ? [] : [['post', to] as const],
        );
        for (const [kind, to] of [...links, ...forms]) {
          const target = patterns.find((each) => each.method === kind && each.pattern.test(to));
          if (target && !isAllowed(person, target.access, `${kind} ${target.path}`))
            wrong.add(`${path}: ${kind} ${target.path}`);
        }
      }

      expect([...wrong]).toEqual([]);
    });

    it.each(PEOPLE)(
      'judge the bulk changes of the role %s by the action, and offer no other',
      async (_name, person) => {
        const client = await new DashboardClient(service).signIn(await signUp(person));
        const { text: list } = await client.get('/domains').expect(200);
        const wrong: string[] = [];

        for (const [action, { needs }] of Object.entries(ACTION_LABELS)) {
          const allowed = MAY[person.role].includes(needs) && !(person.isTagged && action === 'tags');
          const { status } = await client.get(`/bulk/new?action=${action}&id=${own.ids['id']}`);
          if ((status === 403) === allowed) wrong.push(`get ${action}: ${status}`);
          if (list.includes(`<option value="${action}">`) !== allowed) wrong.push(`offers ${action}: ${!allowed}`);
          if (allowed) continue;
          const sent = await client.post('/bulk', { action, id: own.ids['id'] ?? '' });
          if (sent.status !== 403) wrong.push(`post ${action}: ${sent.status}`);
        }

        expect(wrong).toEqual([]);
      },
    );

    it.each(ROLES)('show the role %s nothing of another account, and change nothing there', async (role) => {
      const before = await auditOf(foreign);

      expect(await findLeaks({ role, isTagged: false }, foreign, MARK)).toEqual([]);
      expect(await auditOf(foreign)).toEqual(before);
      expect((await foreign.admin.get(`/api/domains/${foreign.ids['id']}`).expect(200)).body).toMatchObject({
        status: 'active',
      });
    });

    it.each(TAGGED)('show the role %s nothing of other domains, and change nothing there', async (_name, person) => {
      const { ids, admin } = untagged;
      const before = (await admin.get(`/api/domains/${ids['id']}`).expect(200)).body as object;

      expect(await findLeaks(person, untagged, UNTAGGED)).toEqual([]);
      expect((await admin.get(`/api/domains/${ids['id']}`).expect(200)).body).toEqual(before);
    });

    it.each(TAGGED)('name no other domain, person or key to the role %s on any page', async (_name, person) => {
      const client = await new DashboardClient(service).signIn(await signUp(person));
      const wrong: string[] = [];

      for (const { method, path, access } of list()) {
        if (method !== 'get' || !isAllowed(person, access, `get ${path}`)) continue;
        const queries = path.includes(':') ? [''] : ['', `?q=${PART}`, `?domain=${PART}`];
        for (const query of queries)
          if ((await client.get(`${fill(path, own)}${query}`)).text.includes(UNTAGGED)) wrong.push(`${path}${query}`);
      }

      expect(wrong).toEqual([]);
      for (const path of ['/', '/activity', '/domains', '/domains.csv', '/palette?q=own'])
        expect((await client.get(path).expect(200)).text).toContain('own-name.com');
      expect((await client.get('/team')).text).toContain('own-name@example.com');
    });
  });

  describe('of the API, for keys with the actions of a role', () => {
    it('are the routes that the router serves, each with an action', () => {
      const served = routesOf(service.container.get(ApiRouter).router);

      expect(Object.keys(API_REQUESTS).toSorted()).toEqual(served.toSorted());
    });

    it.each(ROLES.filter((role) => role !== 'owner'))('allow the actions of the role %s only', async (role) => {
      const client = await keyOf(ROLE_ACTIONS[role]);
      const wrong: string[] = [];

      for (const [route, request] of Object.entries(API_REQUESTS)) {
        if (request.action === 'whole account' || request.action === 'none' || route === SLOW) continue;
        const allowed = MAY[role].includes(request.action);
        if (allowed && request.action !== 'read') continue;
        const { status, body } = await call(client, route, own, request);
        const code = (body as { error?: { code?: string } }).error?.code;
        if ((status === 403 && code === 'INSUFFICIENT_SCOPE') === allowed) wrong.push(`${route}: ${status} ${code}`);
      }

      expect(wrong).toEqual([]);
    });

    it('find nothing of another account', async () => {
      const client = own.admin;
      const before = await auditOf(foreign);
      const wrong: string[] = [];

      for (const [route, request] of Object.entries(API_REQUESTS)) {
        if (!/:(id|name)/.test(route) || request.action === 'none') continue;
        const { status, text } = await call(client, route, foreign, request);
        if (status !== 404 || text.includes(MARK)) wrong.push(`${route}: ${status}`);
      }

      expect(wrong).toEqual([]);
      expect(await auditOf(foreign)).toEqual(before);
    });
  });
});
