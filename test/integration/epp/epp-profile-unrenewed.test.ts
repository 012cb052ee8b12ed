import { LifecycleSync } from '../../../src/application/lifecycle/lifecycle-sync';
import { freshName } from '../../../src/testing/registry-fixtures';
import type { Personality } from '../../../src/infrastructure/registry/sandbox/epp-server/personalities/personality';
import { PERSONALITIES } from '../../../src/infrastructure/registry/sandbox/epp-server/personalities/personalities';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { signIn } from '../../support/dashboard/dashboard-client';
import { runServicesOn } from '../../support/registries/external-registry';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

let outside: ExternalEppRegistry;
let service: TestService;
let client: Api;
let accountId: string;

runServicesOn(async () => outside);

const openAt = async (registry: Promise<ExternalEppRegistry>) => {
  outside = await registry;
  service = await startService();
  accountId = await service.account();
  client = api(service, await service.key(accountId));
};
const pass = async (days: number) => {
  await outside.sandbox.advance(days);
  await service.container.get(LifecycleSync).runDue();
};
const read = async (path: string) => (await client.get(path).expect(200)).body;
const charges = async (name: string) =>
  (await outside.sandbox.ledger()).filter((entry) => entry.name.value === name).map(({ kind }) => kind);
const renewals = async (name: string) => (await charges(name)).filter((kind) => kind === 'auto_renew').length;

describe('auto-renewal off at an EPP registry that renews every name automatically', () => {
  beforeAll(() => openAt(startExternalEppRegistry({}, { renewal: 'none', delete_unrenewed_days: 5 })));
  afterAll(() => service.stop());

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
    const { text: overview } = await (await signIn(service, accountId)).get('/').expect(200);
    expect(overview).toContain(`>${left}</a> before the registry would renew it`);
    expect(overview).toMatch(/Turn auto-renewal on to keep it\..*?Deadline: <time[^>]+>[^<]+<\/time>, in 2 days/s);
    expect(overview).not.toContain('/renew"');
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

describe('auto-renewal off at an EPP registry that renews at expiry without showing autoRenewPeriod', () => {
  /** The RFCs', whose info shows an automatic renewal by the new expiry only. */
  const silent: Personality = {
    ...PERSONALITIES.rfc,
    respond: (_request, reply) => ({
      ...reply,
      extensions:
        reply.extensions?.filter(
          (extension) => !extension?.children.some(({ attributes }) => attributes.get('s') === 'autoRenewPeriod'),
        ) ?? [],
    }),
  };

  beforeAll(() => {
    jest.replaceProperty(PERSONALITIES, 'rfc', silent);
    return openAt(startExternalEppRegistry());
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });

  it('deletes the name in the renewal grace period, with a refund, and keeps one that is renewed in it', async () => {
    const [left, kept] = [freshName().value, freshName().value];
    const at = `/api/domains/${await registered(client, left)}`;
    const keptAt = `/api/domains/${await registered(client, kept)}`;
    const { expires_at: paidUntil } = await read(at);
    for (const path of [at, keptAt]) await client.put(`${path}/autorenew`, { auto_renew: false }).expect(200);

    await pass(370);

    expect([await charges(left), await charges(kept)]).toEqual([
      ['register', 'auto_renew'],
      ['register', 'auto_renew'],
    ]);
    expect(await read(at)).toMatchObject({ status: 'expired', expires_at: paidUntil, auto_renew: false });
    await client.post(`${keptAt}/renew`).expect(200);
    await pass(30);
    expect(await read(at)).toMatchObject({ status: 'redemption', auto_renew: false });
    expect(await charges(left)).toEqual(['register', 'auto_renew', 'refund']);
    expect(await read(keptAt)).toMatchObject({ status: 'active', auto_renew: false });
    expect(await charges(kept)).toEqual(['register', 'auto_renew']);
  });
});
