import { setTimeout as sleep } from 'node:timers/promises';
import { AddSecondary } from '../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../src/application/dns/publishing/create-tsig-key';
import { SigningRunner } from '../../../src/application/dnssec/steps/signing-runner';
import { SecondaryDirectory } from '../../../src/application/ports/dns/publishing';
import { SigningReader } from '../../../src/application/ports/dns/signing-repository';
import { ZoneReader } from '../../../src/application/ports/dns/zone-repository';
import { ParentalAgent } from '../../../src/application/ports/dns/other-nameservers';
import { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import { TldPolicies, type TldPolicy } from '../../../src/domain/registration/names/tld-policy';
import { Domain } from '../../../src/domain/registration/domain';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { onBothDatabases } from '../../support/databases/databases';
import { StubNameserver } from '../../support/nameservers/stub-nameserver';
import { signIn } from '../../support/dashboard/dashboard-client';
import { sandboxOf } from '../../support/registries/sandbox';
import { api, registered, type Api } from '../../support/service/service';

const ELSEWHERE = ['ns1.elsewhere.test', 'ns2.elsewhere.test'];
const FAR_SERIAL = 100_000;

onBothDatabases('DNSSEC', (service) => {
  let client: Api;
  let account: string;
  let secondary: StubNameserver;
  let name: string;
  let id: string;
  let path: string;
  let count = 0;

  beforeAll(async () => {
    account = await service().account();
    client = api(service(), await service().key(account));
    await service().container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
    secondary = await StubNameserver.start();
    await service()
      .container.get(AddSecondary)
      .execute({ name: 'stub', address: `127.0.0.1:${secondary.port}`, key: 'k', signs: false });
  });

  beforeEach(async () => {
    name = `signed-${(count += 1)}.com`;
    id = await registered(client, name);
    path = `/api/domains/${id}/dnssec`;
    secondary.serials.set(name, FAR_SERIAL);
  });

  afterAll(() => secondary.stop());

  const read = async () => (await client.get(path).expect(200)).body as Record<string, unknown>;
  const atRegistry = async () =>
    (await service().container.get<RegistryPort>(RegistryPort).dsRecords(DomainName.fromState(name))).map(
      ({ keyTag }) => keyTag,
    );
  /** Polls, and lets every wait for caches end at once. */
  async function until(state: string, waitsFor?: string): Promise<Record<string, unknown>> {
    for (;;) {
      const body = await read();
      if (body['state'] === state && (waitsFor === undefined || body['waits_for'] === waitsFor)) return body;
      await endWait();
      await sleep(20);
    }
  }
  async function endWait(): Promise<void> {
    await service()
      .container.get(UnitOfWork)
      .run(async ({ zoneSignings }) => {
        const signing = await zoneSignings.lock(id);
        if (!signing || signing.toState().until === null || signing.step === 'check') return;
        const past = new Date(0);
        await zoneSignings.save(ZoneSigning.fromState({ ...signing.toState(), until: past, dueAt: past }));
      });
    service().container.get(SigningRunner).wake(id);
  }
  const switchOn = () => client.put(path, { enabled: true }).expect(200);

  it('is off at first, and says whether the registry accepts DS records', async () => {
    expect(await read()).toEqual({
      id,
      name,
      enabled: false,
      state: 'off',
      since: null,
      waits_for: null,
      until: null,
      denial: null,
      rollover: false,
      reason: null,
      remedy: null,
      ds: [],
      supported: true,
      parent: null,
      cds: null,
      keys: [],
    });
  });

  it('waits for every secondary, then for caches, then for the registry, and is active when it has the DS records', async () => {
    secondary.serials.set(name, 0);

    const { body } = await switchOn();
    expect(body).toMatchObject({ enabled: true, state: 'publishing', waits_for: 'service', denial: 'nsec' });
    await until('publishing', 'secondaries');
    expect(await atRegistry()).toEqual([]);
    secondary.serials.set(name, FAR_SERIAL);
    const active = await until('active');

    expect(active['keys']).toHaveLength(1);
    expect(await atRegistry()).toEqual([(active['keys'] as { key_tag: number }[])[0]?.key_tag]);
    expect(active['ds']).toEqual([(active['keys'] as { ds: object }[])[0]?.ds]);
  });

  it('does not change the version of the zone, so that If-Match does not fail', async () => {
    const before = (await client.get(`/api/domains/${id}/dns/records`).expect(200)).headers['zone-version'];

    await switchOn();
    await until('active');

    const after = await client.get(`/api/domains/${id}/dns/records`).expect(200);
    expect(after.headers['zone-version']).toBe(before);
    expect((await service().container.get<ZoneReader>(ZoneReader).find(id))?.serial).toBeGreaterThan(Number(before));
  });

  it('replaces the key on request, and the DS record with it', async () => {
    await client.post(`${path}/roll`).expect(409);
    await switchOn();
    await until('active');
    const [old] = await atRegistry();

    const { body } = await client.post(`${path}/roll`).expect(200);
    expect(body).toMatchObject({ state: 'active', rollover: true });
    await client.post(`${path}/roll`).expect(409);
    for (let report = await read(); report['rollover'] === true; report = await read()) {
      await endWait();
      await sleep(20);
    }

    const { keys, ds } = await read();
    expect(keys).toHaveLength(1);
    expect(ds).toHaveLength(1);
    expect(await atRegistry()).not.toEqual([old]);
  });

  it('is switched off in reverse, and is off when the registry has no DS records and nothing is signed', async () => {
    await switchOn();
    await until('active');

    const { body } = await client.put(path, { enabled: false }).expect(200);
    expect(body).toMatchObject({ enabled: false, state: 'removing_ds' });
    await until('off');

    expect(await atRegistry()).toEqual([]);
    expect(await read()).toMatchObject({ keys: [], ds: [] });
    expect(await service().container.get<SigningReader>(SigningReader).derived(id)).toEqual([]);
  });

  it('is switched off also if its key cannot be read, because the secret key was lost', async () => {
    await switchOn();
    await until('active');
    await service()
      .container.get(UnitOfWork)
      .run(async ({ signing, zones }) => {
        await zones.lock(id);
        const [key] = (await signing.find(id))?.keys ?? [];
        if (!key) throw new Error('the zone has no key');
        await signing.removeKey(id, key.id);
        await signing.addKey(id, { ...key, id: `${key.id}x`, sealedPrivateKey: 'lost' }, new Date());
      });

    await client.put(path, { enabled: false }).expect(200);
    await until('off');

    expect(await atRegistry()).toEqual([]);
  });

  it('warns before nameservers or the registrar of a signed domain change, and offers the safe order', async () => {
    await switchOn();
    await until('active');

    const check = await client.post(`/api/domains/${id}/nameservers/check`, { nameservers: [] }).expect(200);
    const code = await client.post(`/api/domains/${id}/auth-code`).expect(200);
    const changed = await client.put(`/api/domains/${id}/nameservers`, { nameservers: ELSEWHERE }).expect(200);

    const warning = expect.stringContaining('Switch DNSSEC off, wait until its state is off');
    expect((check.body as { warnings: unknown }).warnings).toContainEqual(warning);
    expect((code.body as { warnings: unknown }).warnings).toEqual([warning]);
    expect((changed.body as { warnings: unknown }).warnings).toEqual([warning]);
  });

  it('answers a repeated request with the stored response', async () => {
    const first = await switchOn().set('Idempotency-Key', `on-${service().config.database.kind}-${count}`);
    await until('active');
    const again = await switchOn().set('Idempotency-Key', `on-${service().config.database.kind}-${count}`);

    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
  });

  it('is refused for a domain that is delegated elsewhere', async () => {
    await client.put(`/api/domains/${id}/nameservers`, { nameservers: ELSEWHERE }).expect(200);

    const { body } = await client.put(path, { enabled: true }).expect(409);

    expect((body as { error: object }).error).toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });
    expect(await read()).toMatchObject({ state: 'off' });
  });

  it('is refused while a secondary signs all zones, and no signing secondary is added while a zone is signed', async () => {
    const { container } = service();
    const signer = { name: 'signer', address: '127.0.0.1:1', key: 'k', signs: true };
    const directory = container.get<SecondaryDirectory>(SecondaryDirectory);
    await switchOn();
    await expect(container.get(AddSecondary).execute(signer)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await client.put(path, { enabled: false }).expect(200);
    await until('off');
    await directory.add({
      name: 'signer',
      endpoint: { address: '127.0.0.1', port: 1 },
      keyName: 'k',
      signs: true,
      createdAt: new Date(),
    });

    const { body } = await client.put(path, { enabled: true }).expect(409);
    await directory.remove('signer');

    expect((body as { error: { details: string } }).error.details).toContain('signer');
  });

  it('leaves DS records of zones that other nameservers sign to the caller, and checks them', async () => {
    const signer = { key_tag: 1, algorithm: 13, digest_type: 2, digest: 'ab'.repeat(32) };
    await client.put(`${path}/ds`, { ds: [signer] }).expect(409);
    await client.put(`/api/domains/${id}/nameservers`, { nameservers: ELSEWHERE }).expect(200);

    await client.put(`${path}/ds`, {}).expect(400);
    await client.put(`${path}/ds`, { ds: [{ ...signer, digest: 'xyz' }] }).expect(400);
    await client.put(`${path}/ds`, { ds: [signer] }).expect(422);
    const { body } = await client.put(`${path}/ds`, { ds: [] }).expect(200);

    expect(body).toEqual({ id, name, ds: [] });
  });

  it('warns before a domain with DS records of other nameservers is moved to new ones', async () => {
    const nameservers = ['ns1.new.test', 'ns2.new.test'];
    const warnings = async () =>
      (
        (await client.post(`/api/domains/${id}/nameservers/check`, { nameservers }).expect(200)).body as {
          warnings: string[];
        }
      ).warnings;
    const registry = service().container.get<RegistryPort>(RegistryPort);
    const signer = { keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) };

    const before = await warnings();
    await registry.setDsRecords(DomainName.fromState(name), [signer], 'tx-1');

    expect(await warnings()).toEqual([expect.stringContaining('The registry has DS records'), ...before]);
    await sandboxOf(service()).injectFault({ kind: 'outage', target: name });
    const unread = await warnings();
    await sandboxOf(service()).clearFaults();
    expect(unread).toEqual([expect.stringContaining('could not be read'), ...before]);
  });

  it('refuses another form of denial while it is on', async () => {
    await client.put(path, { enabled: true, denial: 'nsec3' }).expect(200);
    await until('active');

    await client.put(path, { enabled: true, denial: 'nsec' }).expect(409);
    await client.put(path, { enabled: true, denial: 'nsec5' }).expect(400);
    expect(await read()).toMatchObject({ denial: 'nsec3' });
  });

  it('needs a WRITE key that may change settings', async () => {
    const limited = async (actions: readonly string[]) =>
      api(
        service(),
        (
          (await client.post('/api/keys', { name: 'l', scope: 'WRITE', limits: { actions } }).expect(201)).body as {
            key: string;
          }
        ).key,
      );

    await api(service(), await service().key(account, 'READ'))
      .put(path, { enabled: true })
      .expect(403);
    await (await limited(['read', 'write'])).put(path, { enabled: true }).expect(403);
    await (await limited(['read', 'settings'])).put(path, { enabled: true }).expect(200);
  });

  it('has a switch with its progress in the dashboard', async () => {
    const dashboard = await signIn(service(), account);
    const page = `/domains/${id}/dnssec`;
    secondary.serials.set(name, 0);

    expect((await dashboard.get(page)).text).toContain('aria-checked="false"');
    await dashboard.post(page, { on: 'yes' });
    await until('publishing', 'secondaries');
    const { text: waiting } = await dashboard.get(page).expect(200);
    expect(waiting).toContain('aria-current="step"');
    expect(waiting).toMatch(
      /every nameserver serves the change\. Since <time [^>]+>[^.]+ UTC<\/time>\. <a href="[^"]+\/publication">See which/,
    );
    secondary.serials.set(name, FAR_SERIAL);
    await until('active');
    await service()
      .container.get(UnitOfWork)
      .run(async ({ zoneSignings }) => {
        const signing = await zoneSignings.lock(id);
        const until = new Date('2060-01-02T03:04:00Z');
        // Due then, so that the first check of the active zone does not change it back.
        await zoneSignings.save(ZoneSigning.fromState({ ...signing!.toState(), until, dueAt: until }));
      });
    const { text: active } = await dashboard.get(page).expect(200);
    expect(active.replaceAll(/<\/?time[^>]*>/g, '')).toContain(
      'reject forged answers for this domain. The key is replaced after 2 Jan 2060, 03:04 UTC.',
    );
    await dashboard.post(`${page}/roll`);

    expect(await read()).toMatchObject({ rollover: true });
    expect((await dashboard.get(`/domains/${id}/nameservers`)).text).toContain('Switch DNSSEC off');
  });

  it('shows the DS records to copy, and the last notification, if the registrar takes no DS records', async () => {
    const { container } = service();
    const policies = container.get(TldPolicies);
    const agent = container.get<ParentalAgent>(ParentalAgent);
    const [policy] = policies.all();
    const without: TldPolicy = { ...policy!, unsupported: ['delegation_signers'] };
    const published = jest.spyOn(agent, 'queryDsRecords');
    published.mockResolvedValue({ sets: [[]], isComplete: true, ttl: undefined });
    const spies = [
      published,
      jest.spyOn(policies, 'forName').mockReturnValue(without),
      jest.spyOn(agent, 'notify').mockResolvedValue({ outcome: 'refused', receiver: 'a.test:53', error: 'REFUSED' }),
    ];
    const dashboard = await signIn(service(), account);

    await switchOn();
    const waiting = await until('waiting_for_ds', 'parent');
    const { text } = await dashboard.get(`/domains/${id}/dnssec`).expect(200);
    const { ds } = waiting['parent'] as { ds: { key_tag: number; digest_type: number; digest: string }[] };
    published.mockResolvedValue({
      sets: [
        ds.slice(1).map(({ key_tag, digest_type, digest }) => ({
          keyTag: key_tag,
          algorithm: 13,
          digestType: digest_type,
          digest,
        })),
      ],
      isComplete: true,
      ttl: 60,
    });
    const active = await until('active');
    for (const spy of spies) spy.mockRestore();

    expect(waiting).toMatchObject({
      supported: false,
      parent: { notice: { outcome: 'refused', receiver: 'a.test:53' } },
    });
    expect(ds.map((each) => each.digest_type)).toEqual([2, 4]);
    expect(text).toContain(ds[1]?.digest);
    expect(text).toContain('The parent refused the notification. Receiver: a.test:53. Response: REFUSED.');
    expect(active).toMatchObject({ state: 'active', parent: { notice: { error: 'REFUSED' } } });
    expect(await atRegistry()).toEqual([]);
  });

  it('keeps its key while the status of the domain forbids changes at the registry', async () => {
    const dashboard = await signIn(service(), account);
    await switchOn();
    await until('active');
    expect((await dashboard.get(`/domains/${id}/dnssec`)).text).toContain('Replace the key');
    await service()
      .container.get(UnitOfWork)
      .run(async ({ domains }) => {
        const domain = await domains.lock(account, id);
        await domains.save(Domain.fromState({ ...domain!.toState(), status: 'redemption' }));
      });

    expect((await dashboard.get(`/domains/${id}/dnssec`)).text).not.toContain('Replace the key');
    const { body } = await client.post(`${path}/roll`).expect(409);
    expect(body.error.code).toBe('DOMAIN_STATUS_CONFLICT');
  });
});
