import { DashboardPages } from '../../../src/http/dashboard/dashboard-route';
import { ACTION_LABELS } from '../../../src/http/dashboard/domains/bulk-labels';
import { DashboardRouter } from '../../../src/http/dashboard/dashboard-router';
import { ApiRouter } from '../../../src/http/api/api-router';
import { IssueApiKey } from '../../../src/application/access/api-keys/issue-api-key';
import { AuditReader } from '../../../src/application/ports/access/audit-and-events';
import { OPERATOR } from '../../../src/domain/access/actor';
import { KEY_ACTIONS, type KeyAction } from '../../../src/domain/access/key-limits';
import { zoneIdOf } from '../../../src/domain/dns/zone-id';
import { ROLE_ACTIONS, ROLES } from '../../../src/domain/access/people/role';
import { fillAccount, openAccount, type Account } from '../../support/access/filled-account';
import { API_REQUESTS, type ApiCall } from '../../support/access/api-requests';
import {
  BULK_FORMS,
  FORMS_THAT_READ,
  PROPOSAL_FORMS,
  isAllowed,
  MAY,
  PEOPLE,
  routesOf,
  TAG,
  TAGGED,
  type Person,
} from '../../support/access/role-model';
import { aUser, DashboardClient } from '../../support/dashboard/dashboard-client';
import { api, startService, type Api, type TestService } from '../../support/service/service';

/** Ask nameservers for up to 15 seconds. Every role may send them. */
const SLOW: readonly string[] = ['post /domains/:id/health', 'post /zones/:id/health'];

/** Of a form that is checked while it is filled in: says nothing about a domain that is not found. */
const NO_WARNINGS = '{"warnings":[]}';

const REFUSED = /Your role does not allow you|Your role is only for domains tagged|Only owners of the account/;
/** A response has twelve entries at most, so each search finds a part of the palette. */
const PALETTE_SEARCHES = ['own-name', 'own-name+renew', 'own-name+delete', 'register', 'transfer', 'create'].map(
  (words) => `/palette?q=${words}`,
);
const MARK = 'someone-else';
/** A domain of the account that has not the tag to which some people are limited. */
const UNTAGGED = 'not-their-domain';
/** Finds it. */
const PART = 'ot-their-domai';
/** The tag of a person and a key that have no domain with the tag above. */
const ELSEWHERE = 'elsewhere';

const send = (client: DashboardClient, { method, upload }: { method: string; upload: boolean }, path: string) => {
  if (method === 'get') return client.get(path);
  return upload ? client.upload(path, { on: 'no' }) : client.post(path, { on: 'no' });
};

const fill = (path: string, { ids }: Account) => path.replace(/:(\w+)/g, (_all, name: string) => ids[name] ?? 'none');
const call = (client: Api, route: string, account: Account, { body, query = '' }: ApiCall) => {
  const [method = '', path = ''] = route.split(' ');
  const ids = path.startsWith('/zones/') ? { ...account.ids, id: zoneIdOf(account.ids['id'] ?? '') } : account.ids;
  const url = `/api${fill(path, { ...account, ids })}${query}`;
  const filled = body && JSON.stringify(body).replaceAll(':name', account.ids['name'] ?? '');
  const sent = client[method as keyof Api](url, filled === undefined ? undefined : (JSON.parse(filled) as object));
  return typeof body === 'string' ? sent.set('Content-Type', 'text/dns') : sent;
};

describe('roles at every route', () => {
  let service: TestService;
  let own: Account;
  let foreign: Account;
  /** The domain of our account that people who are limited to a tag do not have. */
  let untagged: Account;

  beforeAll(async () => {
    service = await startService({ HEALTH_CHECKS_PER_MINUTE: '0', SIGN_IN_ATTEMPTS: '0' });
    [own, foreign] = [await openAccount(service, 'own-name'), await openAccount(service, MARK)];
    untagged = await fillAccount(service, own, UNTAGGED, [ELSEWHERE]);
    const limits = { tags: [ELSEWHERE] };
    await own.admin.post('/api/keys', { name: UNTAGGED, scope: 'READ', limits }).expect(201);
  });
  afterAll(() => service.stop());

  const signUp = async ({ role, isTagged }: Person) => {
    // Managers and owners have removed it.
    await own.admin.put(`/api/domains/${own.ids['id']}/tags`, { tags: [TAG] }).expect(200);
    return aUser(service, own.accountId, role, undefined, isTagged ? [TAG] : []);
  };
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
        new Set([...FORMS_THAT_READ, ...BULK_FORMS, ...PROPOSAL_FORMS]),
      );
    });

    it.each(PEOPLE)('allow the role %s exactly its actions', async (_name, person) => {
      const email = await signUp(person);
      let client = await new DashboardClient(service).signIn(email);
      const wrong: string[] = [];

      for (const route of list()) {
        const name = `${route.method} ${route.path}`;
        if (SLOW.includes(name)) continue;
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
        if (method !== 'get' || !isAllowed(person, access, `get ${path}`)) continue;
        const paths = path === '/palette' ? PALETTE_SEARCHES : [fill(path, own)];
        const text = (await Promise.all(paths.map((each) => client.get(each)))).map((page) => page.text).join('\n');
        const links = [...text.matchAll(/(?:<a [^>]*href=|"url":)"(\/[^"?#]*)/g)].map(
          ([, to = '']) => ['get', to] as const,
        );
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

    it.each(ROLES)('offer the role %s no first step of a new account that it may not take', async (role) => {
      const accountId = await service.account();
      const client = await new DashboardClient(service).signIn(await aUser(service, accountId, role));
      const { text } = await client.get('/').expect(200);
      const steps = /<ul class="plain-list first-steps">.*?<\/ul>/s.exec(text)?.[0] ?? '';

      expect([
        steps.includes('/transfers/new'),
        steps.includes('Add DNS records'),
        steps.includes('/api-keys'),
      ]).toEqual([MAY[role].includes('transfer'), MAY[role].includes('write'), role === 'owner']);
    });

    it.each(PEOPLE)(
      'judge the bulk changes of the role %s by the action, and offer no other',
      async (_name, person) => {
        const client = await new DashboardClient(service).signIn(await signUp(person));
        const { text: page } = await client.get('/domains').expect(200);
        const [list = ''] = /<select id="bulk-action".*?<\/select>/s.exec(page) ?? [];
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
      const colleague = await aUser(service, own.accountId, 'viewer', undefined, ['blog', TAG]);
      const { text: team } = await client.get('/team').expect(200);
      expect([team.includes(colleague), team.includes('blog')]).toEqual([true, false]);
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
        if (request.action === 'whole account' || request.action === 'none' || SLOW.includes(route)) continue;
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
