import request from 'supertest';
import { signIn } from '../../support/dashboard/dashboard-client';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

const ZONE = 'challenge-client.com';
const KEY = /nw_live_([\w-]{12})\.([\w-]{43})/;
const values = ['A', 'B', 'C'].map((letter) => letter.repeat(43)) as [string, string, string];

describe('the APIs for ACME challenges', () => {
  let service: TestService;
  let client: Api;
  let account: string;
  let domainId: string;
  let keyId: string;
  let secret: string;

  beforeAll(async () => {
    service = await startService({ COMPATIBILITY_APIS: 'httpreq,acme-dns' });
    account = await service.account();
    client = api(service, await service.key(account));
    domainId = await registered(client, ZONE);
    [, keyId = '', secret = ''] = /^nw_live_(.*?)\.(.*)$/.exec(await service.key(account, 'WRITE')) ?? [];
  });

  afterAll(() => service.stop());

  const challenges = async (name: string): Promise<readonly string[]> => {
    const { body } = await client.get(`/api/domains/${domainId}/dns/records?name=${name}`).expect(200);
    return (body as { content: string }[]).map(({ content }) => content).toSorted();
  };

  const sendHttpReq = (path: string, body: object, password = secret) =>
    request(service.server).post(`/compat/httpreq${path}`).auth(keyId, password).send(body);

  const sendAcmeDns = (body: object, password = secret) =>
    request(service.server)
      .post('/compat/acme-dns/update')
      .set({ 'X-Api-User': keyId, 'X-Api-Key': password })
      .type('application/x-www-form-urlencoded')
      .send(JSON.stringify(body));

  const acmeDnsError = async (status: number, body: object, password?: string) =>
    ((await sendAcmeDns(body, password).expect(status)).body as { error: string }).error;

  describe('httpreq', () => {
    const fqdn = `_acme-challenge.www.${ZONE}.`;

    it('adds both values of a domain and its wildcard at the same time, and removes them', async () => {
      const [one, two] = values;
      await Promise.all([
        sendHttpReq('/present', { fqdn, value: one }).expect(200, {}),
        sendHttpReq('/present', { fqdn, value: two }).expect(200, {}),
      ]);
      expect(await challenges('_acme-challenge.www')).toEqual([one, two]);

      await sendHttpReq('/cleanup', { fqdn, value: one }).expect(200, {});
      await sendHttpReq('/cleanup', { fqdn, value: one }).expect(200, {});
      expect(await challenges('_acme-challenge.www')).toEqual([two]);
    });

    it('responds to a wrong secret with 401 and a challenge, and to other errors with the code of the REST API', async () => {
      await sendHttpReq('/present', { fqdn, value: values[0] }, 'x')
        .expect(401)
        .expect('WWW-Authenticate', /^Basic realm=/);
      const { body } = await sendHttpReq('/present', { fqdn: 'x.example.org.', value: values[0] }).expect(404);
      expect(body).toMatchObject({ error: { code: 'DOMAIN_NOT_FOUND' } });
      await sendHttpReq('/present', { fqdn, value: 'x' }).expect(400);
    });
  });

  describe('acme-dns', () => {
    it('keeps the two latest values of a name, for every media type of the request', async () => {
      for (const txt of values) await sendAcmeDns({ subdomain: ZONE, txt }).expect(200, { txt });

      expect(await challenges('_acme-challenge')).toEqual(values.slice(1));
    });

    it('responds with the errors of acme-dns', async () => {
      const [txt] = values;
      expect(await acmeDnsError(401, { subdomain: ZONE, txt }, 'x')).toBe('forbidden');
      expect(await acmeDnsError(400, { subdomain: 'x', txt })).toBe('bad_subdomain');
      expect(await acmeDnsError(400, { subdomain: ZONE, txt: 'x' })).toBe('bad_txt');
      expect(await acmeDnsError(404, { subdomain: 'example.org', txt })).toBe('domain_not_found');
      await request(service.server)
        .post('/compat/acme-dns/update')
        .set({ 'X-Api-User': keyId, 'X-Api-Key': secret })
        .type('application/json')
        .send('{')
        .expect(400, /malformed_json_payload/);
    });

    it('has its storage file and the environment of lego in the dashboard, also for a rotated key with its limits', async () => {
      const dashboard = await signIn(service, account);
      const form = { name: 'certificates', domain: ZONE, purpose: 'certificates-https', record: 'www' };
      const created = await dashboard.post('/api-keys', form).expect(200);
      const [, firstId = ''] = KEY.exec(created.text) ?? [];
      expect(created.text).toContain(`HTTPREQ_USERNAME=${firstId}`);
      const { text } = await dashboard.post(`/api-keys/${firstId}/rotate`, {}).expect(200);
      const [, newId = '', newSecret = ''] = KEY.exec(text) ?? [];

      expect(text).toContain(`HTTPREQ_USERNAME=${newId}\nHTTPREQ_PASSWORD=${newSecret}`);
      expect(text).toContain(`&quot;subdomain&quot;: &quot;www.${ZONE}&quot;`);
      const post = (subdomain: string) =>
        sendAcmeDns({ subdomain, txt: values[0] }).set({ 'X-Api-User': newId, 'X-Api-Key': newSecret });
      await post(`www.${ZONE}`).expect(200);
      await post(`mail.${ZONE}`).expect(403);
    });

    it('has a health check without a key, and no registration', async () => {
      await request(service.server).get('/compat/acme-dns/health').expect(200, '');
      await request(service.server).post('/compat/acme-dns/register').expect(404);
    });
  });
});
