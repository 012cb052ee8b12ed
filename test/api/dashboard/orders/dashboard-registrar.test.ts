import { ListHeldNames } from '../../../../src/application/registrar/imports/list-held-names';
import type { TsigKey } from '../../../../src/domain/dns/secondaries/tsig-key';
import { readTsig } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { TsigSigner } from '../../../../src/infrastructure/nameserver/wire/tsig';
import { signIn, type DashboardClient } from '../../../support/dashboard/dashboard-client';
import { StubZoneServer, ZONE } from '../../../support/nameservers/stub-zone-server';
import { HOSTS_ELSEWHERE, registerAtRegistry } from '../../../support/registries/register-at-registry';
import { api, registered, startService, type Api, type TestService } from '../../../support/service/service';

describe('domains at a registrar, in the dashboard', () => {
  let service: TestService;
  let owner: DashboardClient;
  let member: DashboardClient;
  let client: Api;

  beforeAll(async () => {
    service = await startService({ ZONE_SOURCE_NETWORKS: '127.0.0.0/8' });
    const accountId = await service.account();
    [owner, member] = [await signIn(service, accountId), await signIn(service, accountId, 'manager')];
    client = api(service, await service.key(accountId));
    await registerAtRegistry(service, 'held.com');
  });
  afterAll(() => service.stop());

  it('are listed to owners, who see which names the account has already, and not to members', async () => {
    await owner
      .get('/imports')
      .expect(200)
      .expect(/Domains that you hold at the registrar simulated[\s\S]*held\.com/);
    await member.get('/imports').expect(403);
  });

  it('are listed with the entries of the list that cannot be used, and why', async () => {
    const page = jest.spyOn(ListHeldNames.prototype, 'page');
    const skipped = [{ name: 'line 7', reason: 'must be a domain name' }];
    page.mockResolvedValueOnce({ names: [], skipped, next: undefined });

    const { text } = await owner.get('/imports').expect(200);

    page.mockRestore();
    expect(text).toMatch(/cannot be used[\s\S]*line 7[\s\S]*must be a domain name/);
  });

  it('are switched to this service only after a check that shows which nameservers answer', async () => {
    const { body } = await client.post('/api/imports', { registry: 'simulated', names: ['held.com'] }).expect(202);
    for (let done = false; !done;)
      done = (await client.get(`/api/imports/${body.id}`).expect(200)).body.finished_at !== null;
    const { body: domain } = await client.get('/api/domains/by-name/held.com').expect(200);
    expect(domain.nameservers).toEqual(HOSTS_ELSEWHERE);

    const page = `/domains/${domain.id}/switch`;
    await member
      .get(page)
      .expect(200)
      .expect(/does not answer[\s\S]*Switch anyway/);
    expect((await client.get(`/api/domains/${domain.id}`).expect(200)).body.nameservers).toEqual(HOSTS_ELSEWHERE);
    await member.post(page).expect(303);
    const { text: switched } = await member.get(`/domains/${domain.id}`).expect(200);
    expect(switched).toContain(`name="nameservers" value="${HOSTS_ELSEWHERE.join(' ')}"`);
    expect(switched).toContain('Undo');

    const { nameservers } = (await client.get(`/api/domains/${domain.id}`).expect(200)).body;
    expect(nameservers).toEqual(service.config.defaultNameservers);
    const { text } = await member.get(page).expect(200);
    expect(text).toContain('has the nameservers of this service already');
    expect(text).not.toContain('Switch anyway');
  });

  describe('read from a nameserver that transfers the zone only with a TSIG key', () => {
    const key: TsigKey = { name: 'transfer', algorithm: 'hmac-sha384', secret: Buffer.alloc(32, 7) };
    const secret = key.secret.toString('base64');
    let stub: StubZoneServer;
    let fields: Record<string, string>;
    let page: string;

    beforeAll(async () => {
      stub = new StubZoneServer();
      const nameserver = await stub.start();
      const now = Math.floor(Date.now() / 1_000);
      stub.send = (message, request) => {
        const tsig = readTsig(request);
        const signed = new TsigSigner(key, tsig?.mac).sign(message, now);
        return [tsig?.keyName === key.name ? signed : message];
      };
      fields = { source: 'transfer', nameserver, 'tsig.name': 'Transfer.', 'tsig.algorithm': 'hmac-sha384' };
      page = `/domains/${await registered(client, ZONE)}/zone-file`;
      await member.get(page).expect(200);
    });
    afterAll(() => stub.stop());

    it('fill the import form with its records, and the secret is not sent back', async () => {
      const { text } = await member.post(`${page}/read`, { ...fields, 'tsig.secret': ` ${secret} ` }).expect(200);

      expect(text).toContain('unusual-name.stub-zone.com.');
      expect(text).not.toContain(secret);
    });

    it('keep the entries except the secret after an error', async () => {
      const wrong = Buffer.alloc(32, 8).toString('base64');
      const { text } = await member.post(`${page}/read`, { ...fields, 'tsig.secret': wrong }).expect(422);

      expect(text).toContain('its signature is invalid');
      for (const kept of [String(fields['nameserver']), 'Transfer.']) expect(text).toContain(`value="${kept}"`);
      expect(text).toMatch(/<option value="hmac-sha384" selected/);
      expect(text).not.toContain(wrong);
    });

    it.each([
      ['tsig.name', '', 'read-tsig-name-error'],
      ['tsig.algorithm', 'hmac-md5', 'read-tsig-algorithm-error'],
      ['tsig.secret', 'not=base64', 'read-tsig-secret-error'],
      ['tsig.secret', '', 'read-tsig-secret-error'],
    ])('name the invalid field of the key: %s %j', async (field, value, error) => {
      const invalid = { ...fields, 'tsig.secret': secret, [field]: value };
      const { text } = await member.post(`${page}/read`, invalid).expect(400);

      expect(text.match(/id="read-[a-z-]*-error"/g)).toEqual([`id="${error}"`]);
      expect(text).not.toContain(secret);
    });
  });
});
