import request from 'supertest';
import { RemoveUser } from '../../../src/application/access/users/remove-user';
import { OPERATOR } from '../../../src/domain/access/actor';
import type { Role } from '../../../src/domain/access/people/role';
import { addApp, fresh, ProviderService, secondsAgo } from '../../support/identity/provider-service';
import { startFakeProvider } from '../../support/identity/fake-provider';
import { McpClient } from '../../support/mcp/mcp-client';
import { api, registered, startService, type Api } from '../../support/service/service';

const RESOURCE = 'http://localhost/mcp';
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const CHALLENGE = `Bearer resource_metadata="http://localhost${METADATA}", scope="namewright:read namewright:propose"`;
const AT_JWT = { typ: 'at+jwt' };
const CHANGE = { records: { create: [{ name: 'www', type: 'A', content: '192.0.2.1' }] } };
const answerTo = (client: McpClient) => client.post(client.message('tools/list'), client.headers('tools/list', {}));

describe('/mcp for people who sign in at an identity provider', () => {
  let at: ProviderService;
  let rest: Api;
  let name: string;
  let domainId: string;

  const tokenOf = (claims: object, header: object = AT_JWT) =>
    at.provider.sign(
      {
        iss: at.provider.issuer,
        aud: RESOURCE,
        client_id: 'agent',
        iat: secondsAgo(0),
        exp: secondsAgo(-300),
        jti: fresh('jti'),
        ...claims,
      },
      header,
    );
  const withToken = (token: string) => new McpClient(at.service.server, token, { asksPeople: true });
  const agentOf = (sub: string, scope: string, claims: object = {}) => withToken(tokenOf({ sub, scope, ...claims }));
  const aPerson = (role: Role) => at.aUserWithoutPassword(role);
  const apply = async (client: McpClient) => {
    const { plan_id: planId } = await client.use('plan_change', { name, change: CHANGE });
    return client.call('apply_change', { name, change: CHANGE, plan_id: planId });
  };
  const records = async () => (await rest.get(`/api/domains/${domainId}/dns/records`).expect(200)).body as object[];

  beforeAll(async () => {
    at = await ProviderService.start();
    rest = api(at.service, await at.service.key(at.accountId));
  });
  afterAll(() => at.stop());
  beforeEach(async () => {
    name = `${fresh('agent')}.com`;
    domainId = await registered(rest, name);
  });

  it('says where people sign in, in a document and in the refusal of a request without credentials', async () => {
    for (const path of [METADATA, '/.well-known/oauth-protected-resource'])
      expect((await request(at.service.server).get(path).expect(200)).body).toEqual({
        resource: RESOURCE,
        authorization_servers: [`${at.provider.issuer}/`, at.provider.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: ['namewright:read', 'namewright:propose', 'namewright:write'],
        resource_name: 'Namewright',
        resource_documentation: 'http://localhost/docs',
      });

    const refused = await answerTo(withToken('nothing'));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, CHALLENGE]);
  });

  it('says nothing of the kind where the operator has no provider', async () => {
    const other = await startService({ PUBLIC_URL: 'http://localhost' });
    try {
      await request(other.server).get(METADATA).expect(404);
      const refused = await answerTo(new McpClient(other.server, tokenOf({ sub: 'someone' })));
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    } finally {
      await other.stop();
    }
  });

  it('reads as the person, with a token of no known scope', async () => {
    const { sub } = await aPerson('manager');
    const agent = agentOf(sub, 'openid profile');

    expect(await agent.use('get_name', { name })).toMatchObject({ name });
    expect(await agent.use('list_keys')).toMatchObject({ own: { scope: 'READ' } });
    expect(await agent.refusalOf('plan_change', { name, change: CHANGE })).toBe('INSUFFICIENT_SCOPE');
  });

  it('proposes as the person, with a token for proposals', async () => {
    const { sub, email } = await aPerson('manager');
    const before = await records();

    await apply(agentOf(sub, 'namewright:propose'));

    expect(await records()).toEqual(before);
    const { id } = await at.userOf(email);
    const [proposal] = (await rest.get('/api/proposals').expect(200)).body as object[];
    expect(proposal).toMatchObject({ state: 'open', proposed_by: { kind: 'user', id } });
  });

  it('changes as the person, with a token for writing', async () => {
    const { sub, email } = await aPerson('dns-editor');

    await apply(agentOf(sub, 'namewright:propose namewright:write'));

    expect(await records()).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'www', type: 'A' })]));
    const { id } = await at.userOf(email);
    const [entry] = (await rest.get(`/api/domains/${domainId}/dns/history`).expect(200)).body as object[];
    expect(entry).toMatchObject({ by: { kind: 'user', id } });
  });

  it('does no more than the role of the person allows', async () => {
    const { sub } = await aPerson('viewer');

    expect(await agentOf(sub, 'namewright:write').refusalOf('plan_change', { name, change: CHANGE })).toBe(
      'ROLE_FORBIDS',
    );
    expect(await records()).not.toEqual(expect.arrayContaining([expect.objectContaining({ name: 'www', type: 'A' })]));
  });

  it.each([
    ['of another audience', { aud: 'https://other.example/mcp' }, AT_JWT],
    ['which is an ID token', { aud: 'namewright' }, AT_JWT],
    ['that has expired', { iat: secondsAgo(900), exp: secondsAgo(600) }, AT_JWT],
    ['that lives for more than a day', { exp: secondsAgo(-90_000) }, AT_JWT],
    ['that says no time of issue', { iat: undefined }, AT_JWT],
    ['without a subject', { sub: undefined }, AT_JWT],
    ['of a person who is not here', { sub: 'stranger' }, AT_JWT],
    ['of another type', {}, { typ: 'logout+jwt' }],
    ['signed by no one', {}, { typ: 'at+jwt', alg: 'none' }],
  ])('refuses a token %s, and says that it is the token', async (_title, claims: object, header: object) => {
    const { sub } = await aPerson('manager');

    const refused = await answerTo(withToken(tokenOf({ sub, scope: 'namewright:write', ...claims }, header)));

    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `${CHALLENGE}, error="invalid_token"`,
    ]);
  });

  it('refuses a token that another key has signed', async () => {
    const { sub } = await aPerson('manager');
    const forger = await startFakeProvider();
    await forger.stop();
    const { iss, aud } = { iss: at.provider.issuer, aud: RESOURCE };

    const forged = forger.sign({ iss, aud, sub, iat: secondsAgo(0), exp: secondsAgo(-300) }, { typ: 'at+jwt' });

    expect((await answerTo(withToken(forged))).status).toBe(401);
  });

  it('asks for a second factor as a sign-in does', async () => {
    const { sub, client } = await aPerson('manager');
    await addApp(client);

    const refused = await answerTo(agentOf(sub, 'namewright:read'));
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('second factor');
    expect((await answerTo(agentOf(sub, 'namewright:read', { amr: ['pwd', 'mfa'] }))).status).toBe(200);
  });

  it('is closed to a person from the moment in which they are removed, and to accounts in which they have no user', async () => {
    const { sub, email } = await aPerson('manager');
    const agent = agentOf(sub, 'namewright:read');
    expect((await answerTo(agent)).status).toBe(200);
    const other = await at.service.account();
    const message = agent.message('tools/list');
    const elsewhere = await fetch(`${agent.url}?account=${other}`, {
      method: 'POST',
      headers: {
        ...agent.headers('tools/list', {}),
        Authorization: `Bearer ${tokenOf({ sub })}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message),
    });
    expect(elsewhere.status).toBe(401);

    const { id: userId } = await at.userOf(email);
    const removal = { accountId: at.accountId, actor: OPERATOR, userId, revokeKeys: true };
    await at.service.container.get(RemoveUser).execute(removal);

    expect((await answerTo(agent)).status).toBe(401);
  });

  it('is the only place where such a token opens anything', async () => {
    const { sub } = await aPerson('manager');

    await api(at.service, tokenOf({ sub, scope: 'namewright:write' }))
      .get('/api/domains')
      .expect(401);
  });
});
