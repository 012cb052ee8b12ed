import { LifecycleSync } from '../../../src/application/lifecycle/lifecycle-sync';
import { freshName } from '../../../src/testing/registry-fixtures';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { runServicesOn } from '../../support/registries/external-registry';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

let outside: ExternalEppRegistry;

runServicesOn(
  async () =>
    (outside = await startExternalEppRegistry({}, { renewal: 'none', delete_unrenewed_days: 5, command_seconds: 2 })),
);

const renewals = async (name: string) =>
  (await outside.sandbox.ledger()).filter((entry) => entry.name.value === name && entry.kind === 'auto_renew').length;

describe('auto-renewal off at an EPP registry that renews every name by itself', () => {
  let service: TestService;
  let client: Api;

  beforeAll(async () => {
    service = await startService();
    client = api(service, await service.key(await service.account()));
  });
  afterAll(() => service.stop());

  const pass = async (days: number) => {
    await outside.registry.server.advance(days);
    await service.container.get(LifecycleSync).runDue();
  };
  const read = async (path: string) => (await client.get(path).expect(200)).body;

  it('deletes the name once before the renewal, although the response is lost, and keeps one with auto-renewal on', async () => {
    const [left, kept] = [freshName().value, freshName().value];
    const at = `/api/domains/${await registered(client, left)}`;
    const keptAt = `/api/domains/${await registered(client, kept)}`;
    await client.put(`${at}/autorenew`, { auto_renew: false }).expect(200);
    await client.put(`${keptAt}/autorenew`, { auto_renew: false }).expect(200);
    const { expires_at: expiresAt, renewed_by: renewedBy, lifecycle } = await read(at);
    expect([renewedBy, Date.parse(expiresAt) - Date.parse(lifecycle.deletion_due_at)]).toEqual([
      'registrar',
      5 * 86_400_000,
    ]);

    await pass(358);
    await client.put(`${keptAt}/autorenew`, { auto_renew: true }).expect(200);
    expect(await read(at)).toMatchObject({ status: 'active', auto_renew: false });
    await outside.registry.server.faults.inject({ kind: 'drop_after', target: 'domain:delete', times: 1 });
    await pass(3);

    // The outcome is found in the background.
    while ((await read(at)).status === 'active') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await read(at)).toMatchObject({ status: 'redemption', lifecycle: { deletion_due_at: null } });
    await pass(10);
    expect(await read(keptAt)).toMatchObject({ status: 'active', auto_renew: true });
    expect([await renewals(left), await renewals(kept)]).toEqual([0, 1]);
  });
});
