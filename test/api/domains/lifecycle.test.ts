import { LifecycleSync } from '../../../src/application/lifecycle/lifecycle-sync';
import { AccountRegistries } from '../../../src/application/ports/registry/registries';
import type { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered, type Api } from '../../support/service/service';

const DAY_MS = 86_400_000;
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

onBothDatabases('the lifecycle of a domain', (service) => {
  let client: Api;
  let serial = 0;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
  });

  const sandbox = () => service().container.get<RegistrySandbox>(RegistrySandbox);
  /** Lets days go by, and everything happen that is due by then. */
  const pass = async (days: number) => {
    await sandbox().advance(days);
    await service().container.get(LifecycleSync).runDue();
  };
  const given = async (autoRenew = false) => {
    const name = `life-${(serial += 1)}.com`;
    const id = await registered(client, name);
    await client.put(`/api/domains/${id}/autorenew`, { auto_renew: autoRenew }).expect(200);
    return { id, name, path: `/api/domains/${id}` };
  };
  const read = async (path: string) => (await client.get(path).expect(200)).body;
  const chargesOf = async (name: string) =>
    (await sandbox().ledger())
      .filter((entry) => entry.name.value === name)
      .map(({ kind, amount }) => `${kind} ${amount.minor}`);

  it('ends without renewal: expired, redemption, pending deletion, gone, and the name is available again', async () => {
    const { id, name, path } = await given();
    const { expires_at: expiry } = await read(path);

    await pass(366);
    const expired = await read(path);
    expect(expired).toMatchObject({ status: 'expired', expires_at: expiry });
    expect(daysBetween(expiry, expired.lifecycle.renewable_until)).toBe(30);
    await pass(30);
    expect(await read(path)).toMatchObject({
      status: 'redemption',
      lifecycle: { redemption_ends_at: expect.any(String), deletes_at: expect.any(String), renewable_until: null },
    });
    expect((await client.post(`${path}/renew`).expect(409)).body.error).toMatchObject({
      code: 'DOMAIN_STATUS_CONFLICT',
      details: expect.stringContaining('restore'),
    });
    await client.post(`${path}/dns/records`, { type: 'A', name: '@', content: '192.0.2.1' }).expect(201);
    await pass(31);
    expect(await read(path)).toMatchObject({ status: 'pending_delete' });
    await pass(6);
    await client.get(path).expect(404);

    expect(await chargesOf(name)).toEqual([
      expect.stringMatching(/^register /),
      expect.stringMatching(/^auto_renew /),
      expect.stringMatching(/^refund -/),
    ]);
    const again = await registered(client, name);
    expect(again).not.toBe(id);
  });

  it('continues by a renewal within the grace period, charged once', async () => {
    const { name, path } = await given();
    await pass(370);

    const { body } = await client.post(`${path}/renew`).expect(200);

    expect(body).toMatchObject({ status: 'active', renewal: { years: 1 } });
    await pass(60);
    expect(await read(path)).toMatchObject({ status: 'active', expires_at: body.expires_at });
    expect(await chargesOf(name)).toEqual([expect.stringMatching(/^register /), expect.stringMatching(/^auto_renew /)]);
  });

  it('is auto-renewed a month before each expiry', async () => {
    const { name, path } = await given(true);
    const { expires_at: first } = await read(path);

    await pass(340);
    const { expires_at: second } = await read(path);
    await pass(365);
    const { expires_at: third } = await read(path);

    expect([daysBetween(first, second), daysBetween(second, third)].every((days) => days === 365 || days === 366)).toBe(
      true,
    );
    expect(await chargesOf(name)).toEqual([
      expect.stringMatching(/^register /),
      expect.stringMatching(/^renew /),
      expect.stringMatching(/^renew /),
    ]);
    expect(
      (await client.get(`${path}/operations`).expect(200)).body.filter(
        ({ kind }: { kind: string }) => kind === 'renew',
      ),
    ).toHaveLength(2);
  });

  it('is restored from redemption for the price of the restore and one year', async () => {
    const { name, path } = await given();
    await pass(366);
    await pass(31);

    const { body, headers } = await client.post(`${path}/restore`).expect(200);

    expect(body).toMatchObject({ status: 'active', restore: { price: expect.any(Number), currency: 'USD' } });
    expect(headers['operation-location']).toMatch(/^\/api\/operations\/op_/);
    expect((await chargesOf(name)).slice(-2)).toEqual([
      expect.stringMatching(/^restore /),
      expect.stringMatching(/^renew /),
    ]);
  });

  it('is not restored, and the response is 503, if the registry returns no price of a restore', async () => {
    const { name, path } = await given();
    await pass(366);
    await pass(31);
    const registries = service().container.get<AccountRegistries>(AccountRegistries);
    const registry = registries.forAccount('any');
    const withoutRestorePrice = Object.create(registry, {
      price: {
        value: async (...request: Parameters<RegistryPort['price']>) => {
          const { restore: _restore, ...prices } = await registry.price(...request);
          return prices;
        },
      },
    }) as RegistryPort;
    const spy = jest.spyOn(registries, 'forAccount').mockReturnValue(withoutRestorePrice);

    const { body } = await client.post(`${path}/restore`).expect(503);
    spy.mockRestore();

    expect(body.error.code).toBe('REGISTRY_UNAVAILABLE');
    expect(await read(path)).toMatchObject({ status: 'redemption' });
    expect((await chargesOf(name)).filter((charge) => charge.startsWith('restore'))).toEqual([]);
  });

  it("is restored and charged once if the registry's response to the restore is lost", async () => {
    const { name, path } = await given();
    await pass(366);
    await pass(31);
    await sandbox().injectFault({ kind: 'lose_answer', target: name, times: 1 });

    const { body } = await client.post(`${path}/restore`).expect(200);

    expect(body).toMatchObject({ status: 'active' });
    expect((await chargesOf(name)).filter((charge) => charge.startsWith('restore'))).toHaveLength(1);
  });

  it('can be deleted with a refund within the add grace period only', async () => {
    const { id, name, path } = await given();

    expect((await client.delete(path).expect(200)).body).toEqual({ id, name, deleted: true });
    await client.get(path).expect(404);
    expect(await chargesOf(name)).toEqual([expect.stringMatching(/^register /), expect.stringMatching(/^refund -/)]);

    const { path: older } = await given();
    await pass(5);
    expect((await client.delete(older).expect(409)).body.error.code).toBe('DOMAIN_STATUS_CONFLICT');
    expect(await read(older)).toMatchObject({ status: 'active' });
  });

  it('is transferred out with a valid auth code and without the lock', async () => {
    const { name, path } = await given();
    const { body: code } = await client.post(`${path}/auth-code`).expect(200);
    await client.put(`${path}/transfer-lock`, { transfer_locked: false }).expect(200);
    const [entry] = (await sandbox().ledger()).filter((charge) => charge.name.value === name);
    if (entry) await sandbox().transferOut(entry.name, code.auth_code);

    await pass(6);

    expect(await read(path)).toMatchObject({ status: 'transferred_out' });
    expect(
      (await client.post(`${path}/dns/records`, { type: 'A', name: '@', content: '192.0.2.1' }).expect(409)).body.error
        .code,
    ).toBe('DOMAIN_STATUS_CONFLICT');
  });
});
