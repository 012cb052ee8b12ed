import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

onBothDatabases('Transfers to other registrars', (service) => {
  let client: Api;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  /** A domain whose transfer another registrar has requested. */
  async function leaving(name: string): Promise<string> {
    const id = await registered(client, name);
    const { body } = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    await client.put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).expect(200);
    await client.post('/api/sandbox/transfer-out', { name, auth_code: body.auth_code }).expect(200);
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
    return id;
  }

  it('show on the domain with their deadline', async () => {
    const id = await leaving('shown.com');

    const { body } = await client.get(`/api/domains/${id}`).expect(200);

    expect(body.transfer_out).toEqual({ requested_at: expect.any(String), ends_at: expect.any(String) });
    expect(Date.parse(body.transfer_out.ends_at) - Date.parse(body.transfer_out.requested_at)).toBe(5 * 86_400_000);
  });

  it('are rejected: the domain stays', async () => {
    const id = await leaving('stays.com');

    const { body } = await client.post(`/api/domains/${id}/transfer-out/reject`).expect(200);

    expect(body).toEqual({ id, name: 'stays.com', transfer_locked: false, updated_at: expect.any(String) });
    expect((await client.get(`/api/domains/${id}`).expect(200)).body).toMatchObject({
      status: 'active',
      transfer_out: null,
    });
    await client.post(`/api/domains/${id}/transfer-out/reject`).expect(409);
  });

  it('are approved: the domain leaves at once, and a repetition with the same key gets the same response', async () => {
    const id = await leaving('leaves.com');
    const approve = () =>
      client.post(`/api/domains/${id}/transfer-out/approve`).set('Idempotency-Key', 'approve-leaves').expect(200);

    const { body } = await approve();

    expect(body).toEqual({ id, name: 'leaves.com', status: 'transferred_out', updated_at: expect.any(String) });
    expect((await approve()).body).toEqual(body);
    const { body: operations } = await client.get(`/api/domains/${id}/operations?limit=1`).expect(200);
    expect(operations).toMatchObject([{ kind: 'approve_transfer', state: 'succeeded' }]);
  });

  it('need the WRITE scope and a pending transfer to be decided', async () => {
    const id = await registered(client, 'calm.com');
    expect((await client.get(`/api/domains/${id}`).expect(200)).body.transfer_out).toBeNull();

    await client.post(`/api/domains/${id}/transfer-out/approve`).expect(409);
    await client.post('/api/domains/dom_unknown/transfer-out/approve').expect(404);
  });
});
