import { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import { CreateAccount } from '../../../src/application/access/create-account';
import { OPERATOR } from '../../../src/domain/access/actor';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { ChangeAccountSettings } from '../../../src/application/access/change-account-settings';
import { A_REGISTRANT } from '../../support/data/a-domain';
import { signIn } from '../../support/dashboard/dashboard-client';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

onBothDatabases("The sandbox's other registrar", (service) => {
  let client: Api;
  let serial = 0;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  const port = () => service().container.get<RegistryPort>(RegistryPort);
  const elsewhere = async (name: string): Promise<string> =>
    (await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200)).body.auth_code;
  const decide = (name: string, decision: string, caller = client) =>
    caller.post('/api/sandbox/other-registrar/decisions', { name, decision });
  const requestTransfer = async (text: string, authCode: string) => {
    const name = DomainName.parse(text);
    return port().requestTransfer({
      name,
      authCode,
      term: RegistrationTerm.ofYears(1),
      registrant: A_REGISTRANT,
      price: await port().transferPrice(name),
      transactionId: `transfer-${(serial += 1)}`,
    });
  };

  it('registers a name that is then not available here, and shows it as sponsored by another registrar', async () => {
    const { body } = await client.post('/api/sandbox/other-registrar/domains', { name: 'Elsewhere.com' }).expect(200);

    expect(body).toEqual({ name: 'elsewhere.com', auth_code: expect.any(String), expires_at: expect.any(String) });
    const { body: quoted } = await client.post('/api/domains/quote', { domains: [{ name: 'elsewhere.com' }] });
    expect(quoted.quotes[0]).toMatchObject({ name: 'elsewhere.com', available: false });
    expect(await port().info(DomainName.parse('elsewhere.com'))).toMatchObject({
      sponsoredByUs: false,
      createdByUs: false,
      transferLocked: false,
    });
  });

  it.each([
    ['other-registrar/domains', { actions: ['read', 'write'] }, 'actions'],
    ['other-registrar/domains', { domains: ['mine.com'] }, 'domains'],
    ['other-registrar/domains', { tags: ['shop'] }, 'tags'],
    ['other-registrar/decisions', { actions: ['read', 'transfer'] }, 'actions'],
    ['transfer-out', { actions: ['read'] }, 'actions'],
    ['transfer-out', { domains: ['mine.com'] }, 'domains'],
    ['advance', { actions: ['write'] }, 'actions'],
  ])('refuses POST /api/sandbox/%s to a key with the limits %j', async (path, limits, limit) => {
    const { key } = (await client.post('/api/keys', { name: 'limited', scope: 'ADMIN', limits }).expect(201)).body;
    const bodies: Readonly<Record<string, object>> = {
      'other-registrar/domains': { name: 'not-mine.com' },
      'other-registrar/decisions': { name: 'not-mine.com', decision: 'approve' },
      'transfer-out': { name: 'not-mine.com', auth_code: 'a code' },
      advance: { days: 0 },
    };

    const { body } = await api(service(), key).post(`/api/sandbox/${path}`, bodies[path]).expect(403);

    expect(body.error).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(body.error.details).toMatch(new RegExp(`^limits\\.${limit}: `));
  });

  it('lets a key that is limited to transfers prepare one', async () => {
    const limits = { actions: ['read', 'transfer'] };
    const { key } = (await client.post('/api/keys', { name: 'limited', scope: 'ADMIN', limits }).expect(201)).body;

    await api(service(), key).post('/api/sandbox/other-registrar/domains', { name: 'for-transfers.com' }).expect(200);
  });

  it('registers no name that is taken or under an unserved TLD', async () => {
    await registered(client, 'taken-here.com');

    for (const name of ['taken-here.com', 'some.unknowntld'])
      expect((await client.post('/api/sandbox/other-registrar/domains', { name }).expect(422)).body.error.code).toBe(
        'REGISTRY_REJECTED',
      );
    await client.post('/api/sandbox/other-registrar/domains', { name: 'no name' }).expect(400);
  });

  it('approves a transfer in, which is then ours and charged once', async () => {
    const code = await elsewhere('approved-in.com');

    expect(await requestTransfer('approved-in.com', code)).toMatchObject({ direction: 'in', status: 'pending' });
    const { body } = await decide('approved-in.com', 'approve').expect(200);

    expect(body).toEqual({ name: 'approved-in.com', decision: 'approve' });
    const name = DomainName.parse('approved-in.com');
    expect(await port().info(name)).toMatchObject({ sponsoredByUs: true, createdByUs: false });
    expect(await port().registrant(name)).toEqual(A_REGISTRANT);
    expect(await port().transferStatus(name)).toMatchObject({ status: 'completed', charged: { minor: 10_44 } });
  });

  it('rejects a transfer in, which stays elsewhere', async () => {
    const code = await elsewhere('rejected-in.com');
    await requestTransfer('rejected-in.com', code);

    await decide('rejected-in.com', 'reject').expect(200);

    const name = DomainName.parse('rejected-in.com');
    expect(await port().info(name)).toMatchObject({ sponsoredByUs: false, transferPending: false });
    expect(await port().transferStatus(name)).toMatchObject({ direction: 'in', status: 'rejected' });
    await decide('rejected-in.com', 'approve').expect(422);
  });

  it('cancels a transfer out that it has requested', async () => {
    const id = await registered(client, 'cancelled-out.com');
    const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    await client
      .post('/api/sandbox/transfer-out', { name: 'cancelled-out.com', auth_code: body.auth_code })
      .expect(200);

    await decide('cancelled-out.com', 'approve').expect(422);
    await decide('cancelled-out.com', 'cancel').expect(200);

    expect(await port().transferStatus(DomainName.parse('cancelled-out.com'))).toMatchObject({
      direction: 'out',
      status: 'cancelled',
    });
  });

  it('is offered in the dashboard, which shows the auth code once and nowhere else', async () => {
    const accountId = await service().account();
    const owner = await signIn(service(), accountId);

    await owner.get('/sandbox').expect(/href="\/sandbox\/other-registrar"/);
    const { text } = await owner.post('/sandbox/other-registrar/domains', { name: 'from-dashboard.com' }).expect(200);
    const code = /<code[^>]*id="auth-code"[^>]*>([0-9a-f]{32})</.exec(text)?.[1] ?? '';
    expect((await owner.get('/sandbox/other-registrar').expect(200)).text).not.toContain(code);
    await requestTransfer('from-dashboard.com', code);
    await owner.post('/sandbox/other-registrar/domains', { name: 'from-dashboard.com' }).expect(422);
    await service()
      .container.get(ChangeAccountSettings)
      .execute({ accountId, actor: OPERATOR, settings: { controlsSandbox: true } });
    await owner
      .post('/sandbox/other-registrar/decisions', { name: 'from-dashboard.com', decision: 'lapse' })
      .expect(400);
    await owner
      .post('/sandbox/other-registrar/decisions', { name: 'from-dashboard.com', decision: 'approve' })
      .expect(303);

    expect(await port().info(DomainName.parse('from-dashboard.com'))).toMatchObject({ sponsoredByUs: true });
  });

  it('decides nothing for an account that does not control the sandbox', async () => {
    const { id } = await service().container.get(CreateAccount).execute({ actor: OPERATOR, name: 'A customer' });
    const customer = api(service(), await service().key(id));

    await decide('any-name.com', 'approve', customer).expect(403);
    await decide('any-name.com', 'lapse').expect(400);
  });
});
