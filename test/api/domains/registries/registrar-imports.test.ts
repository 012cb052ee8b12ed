import { setTimeout as sleep } from 'node:timers/promises';
import { onBothDatabases } from '../../../support/databases/databases';
import { HOSTS_ELSEWHERE, registerAtRegistry } from '../../../support/registries/register-at-registry';
import { api, type Api } from '../../../support/service/service';

onBothDatabases('imports from a registrar', (service) => {
  let client: Api;
  let accountId: string;

  async function finished(id: string): Promise<Record<string, unknown>> {
    for (;;) {
      const { body } = await client.get(`/api/imports/${id}`).expect(200);
      if (body.finished_at !== null) return body as Record<string, unknown>;
      await sleep(50);
    }
  }

  beforeAll(async () => {
    accountId = await service().account();
    client = api(service(), await service().key(accountId));
    for (const name of ['first.com', 'second.com', 'third.net']) await registerAtRegistry(service(), name);
  });

  it('adopt the given names in the background, with what the registry shows', async () => {
    const started = await client
      .post('/api/imports', { registry: 'simulated', names: ['FIRST.com', 'unknown.com'] })
      .expect(202);
    expect(started.body).toMatchObject({ registry: 'simulated', status: 'running', total: 2, imported: 0 });

    const report = await finished(started.body.id);

    expect(report).toMatchObject({
      status: 'finished',
      total: 2,
      imported: 1,
      present: 0,
      failed: 1,
      failures: [{ name: 'unknown.com', reason: expect.stringContaining('does not hold this name') }],
      error: null,
    });
    const { body: domain } = await client.get('/api/domains/by-name/first.com').expect(200);
    expect(domain).toMatchObject({
      status: 'active',
      nameservers: HOSTS_ELSEWHERE,
      transfer_locked: true,
      auto_renew: true,
      renewed_by: 'service',
      contacts: { registrant: { first_name: 'Ada', email: 'ada@example.com' } },
    });
    await client.get(`/api/domains/${domain.id}/dns/records`).expect(200, []);
    const { body: events } = await client.get('/api/events?types=import.finished').expect(200);
    const outcome = { registry: 'simulated', status: 'finished', imported: 1, present: 0, failed: 1 };
    expect(events).toMatchObject([{ actor: 'service', data: { import_id: started.body.id, ...outcome } }]);
  });

  it('adopt all names of the registrar without names, and those that are here stay as they are', async () => {
    const { body } = await client.post('/api/imports', { registry: 'simulated' }).expect(202);
    expect(body).toMatchObject({ total: null });

    expect(await finished(body.id)).toMatchObject({ status: 'finished', imported: 2, present: 1, failed: 0 });
    expect((await client.get('/api/domains').expect(200)).body).toHaveLength(3);
  });

  it('start once for a repeated Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'import-once' };
    const send = () =>
      client
        .post('/api/imports', { registry: 'simulated', names: ['first.com'] })
        .set(key)
        .expect(202);

    expect((await send()).body.id).toBe((await send()).body.id);
  });

  it('need ADMIN scope, a registry that exists and valid names', async () => {
    const writer = api(service(), await service().key(accountId, 'WRITE'));

    await writer.post('/api/imports', { registry: 'simulated' }).expect(403);
    const wrong = await client.post('/api/imports', { registry: 'acme' }).expect(400);
    expect(wrong.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: 'registry must be one of simulated' });
    await client.post('/api/imports', { registry: 'simulated', names: [] }).expect(400);
    await client.post('/api/imports', { registry: 'simulated', names: ['no name'] }).expect(400);
  });

  it('are not open to an account among several, and not shown to other accounts', async () => {
    const { body } = await client.post('/api/imports', { registry: 'simulated', names: ['first.com'] }).expect(202);
    const stranger = api(service(), await service().key(await service().account()));

    const refused = await stranger.post('/api/imports', { registry: 'simulated' }).expect(400);

    expect(refused.body.error.details).toMatch(/^registry is not open to this account/);
    const { body: missing } = await stranger.get(`/api/imports/${body.id}`).expect(404);
    expect(missing).toEqual({ error: { code: 'IMPORT_NOT_FOUND', message: 'Specified import not found' } });
  });
});
