import { setTimeout as sleep } from 'node:timers/promises';
import { ZoneSigner } from '../../../../src/application/dns/signing/zone-signer';
import { DomainSync } from '../../../../src/application/lifecycle/domain-sync';
import { PublishedZones } from '../../../../src/application/ports/dns/publishing';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { FixDifference } from '../../../../src/application/registrar/reconciliation/fix-difference';
import { ZoneSigning } from '../../../../src/domain/dns/dnssec/zone-signing';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import { onBothDatabases } from '../../../support/databases/databases';
import { HOSTS_ELSEWHERE, registerAtRegistry } from '../../../support/registries/register-at-registry';
import { api, REGISTRANT, type Api } from '../../../support/service/service';

type Body = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

const domainIdOf = (zone: Body) => zone.id.replace('zone_', 'dom_');

onBothDatabases('The zone of a name', (service) => {
  let account: string;
  let client: Api;
  let other: Api;
  let count = 0;

  beforeAll(async () => {
    account = await service().account();
    client = api(service(), await service().key(account));
    other = api(service(), await service().key(await service().account()));
  });

  const aName = () => `life-${(count += 1)}.com`;
  const host = async (name: string, by = client): Promise<Body> => {
    const zone = (await by.post('/api/zones', { name }).expect(201)).body as Body;
    const record = { type: 'A', name: 'www', content: '192.0.2.1' };
    await by.post(`/api/zones/${zone.id}/dns/records`, record).expect(201);
    return zone;
  };
  const readZone = async ({ id }: Body, by = client) => (await by.get(`/api/zones/${id}`).expect(200)).body as Body;
  const records = async ({ id }: Body, by = client) =>
    (await by.get(`/api/zones/${id}/dns/records`).expect(200)).body as Body[];
  const versions = async ({ id }: Body) =>
    ((await client.get(`/api/zones/${id}/dns/history?limit=50`).expect(200)).body as { version: number }[]).map(
      ({ version }) => version,
    );
  const published = async ({ name }: Body) => service().container.get(PublishedZones).find(name);
  const refuse = (name: string) => client.post('/api/sandbox/faults', { kind: 'refuse', target: name, times: 1 });
  const register = (name: string, by = client) =>
    by.post('/api/domains', { name, contacts: { registrant: REGISTRANT } }).expect(201);
  /** Reads the zone until it has the status, and expects it to be served each time. */
  const served = async (zone: Body, status: string, kind: string): Promise<void> => {
    for (;;) {
      expect(await published(zone)).toMatchObject({ domainId: domainIdOf(zone) });
      const { body } = await client.get(`/api/domains/${domainIdOf(zone)}`);
      const now = await readZone(zone);
      if (now['kind'] === kind && (status === 'none' ? body.error !== undefined : body.status === status)) return;
      await sleep(5);
    }
  };
  /** As the first step of DNSSEC does, which asks the parent first. */
  const sign = async (zone: Body): Promise<void> => {
    const signer = service().container.get(ZoneSigner);
    const key = await signer.createKey();
    await service()
      .container.get(UnitOfWork)
      .run(async (stores) => {
        const signing = ZoneSigning.request(domainIdOf(zone), 'nsec', new Date());
        await stores.zoneSignings.add(signing);
        await signer.start(stores, domainIdOf(zone), { denial: 'nsec', key });
        const serial = (await stores.zones.lock(domainIdOf(zone)))?.serial ?? 0;
        signing.recordSigned({ keyId: key.id, serial, cachedSeconds: 0 }, new Date());
        await stores.zoneSignings.save(signing);
      });
  };
  const keyTags = async ({ id }: Body): Promise<readonly number[]> =>
    ((await client.get(`/api/zones/${id}/dnssec`).expect(200)).body.keys as { key_tag: number }[]).map(
      ({ key_tag: tag }) => tag,
    );
  /** From another registrar, which approves it. The zone is served all the time. */
  const transferIn = async (zone: Body): Promise<void> => {
    const { name } = zone;
    const { body: held } = await client.post('/api/sandbox/other-registrar/domains', { name }).expect(200);
    const order = { name, auth_code: held.auth_code, registrant: REGISTRANT };
    const { body } = await client.post('/api/transfers', order).expect(201);
    const state = async () => (await client.get(`/api/transfers/${body.id}`).expect(200)).body.state;
    const reached = async (wanted: string): Promise<void> => {
      while ((await state()) !== wanted) {
        expect(await published(zone)).toMatchObject({ zoneName: name });
        await sleep(5);
      }
    };
    await reached('pending');
    await client.post('/api/sandbox/other-registrar/decisions', { name, decision: 'approve' }).expect(200);
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
    await reached('completed');
  };
  /** As an import of the account does. */
  const imported = (name: string) => service().container.get(FixDifference).adopt(DomainName.parse(name), account);

  const waitForStatus = async (id: string, status: string | undefined): Promise<void> => {
    while ((await client.get(`/api/domains/${id}`)).body.status !== status) await sleep(5);
  };
  const keep = { keep_zone: true };
  const active = async (): Promise<Body> => {
    const { body } = await register(aName());
    await waitForStatus(body.id, 'active');
    const zone = (await client.get(`/api/zones/by-name/${body.name}`).expect(200)).body as Body;
    await client.post(`/api/zones/${zone.id}/dns/records`, { type: 'A', name: '@', content: '192.0.2.1' });
    return zone;
  };
  /** Another registrar has requested its transfer. */
  const leaving = async (): Promise<Body> => {
    const zone = await active();
    const path = `/api/domains/${domainIdOf(zone)}`;
    const { body } = await client.post(`${path}/auth-code`).expect(200);
    await client.put(`${path}/transfer-lock`, { transfer_locked: false }).expect(200);
    await client.post('/api/sandbox/transfer-out', { name: zone.name, auth_code: body.auth_code }).expect(200);
    await client.post('/api/sandbox/advance', { days: 1 }).expect(200);
    return zone;
  };
  const expectHosted = async (zone: Body): Promise<void> => {
    expect(await readZone(zone)).toMatchObject({ kind: 'hosted', domain_id: null, status: 'active', records: 1 });
    expect(await published(zone)).toMatchObject({ domainId: domainIdOf(zone) });
    await client.get(`/api/domains/${domainIdOf(zone)}`).expect(404);
  };

  it('that an account hosts becomes the domain that the account registers, and is served all the time', async () => {
    const zone = await host(aName());
    await client.put(`/api/domains/${domainIdOf(zone)}/tags`, { tags: ['shop'] });
    const [record] = await records(zone);

    expect((await register(zone.name)).body).toMatchObject({ id: domainIdOf(zone), status: 'pending' });
    await served(zone, 'active', 'registered');

    expect(await readZone(zone)).toMatchObject({ kind: 'registered', domain_id: domainIdOf(zone), records: 1 });
    expect(await records(zone)).toEqual([record]);
    expect(await versions(zone)).toEqual([2, 1]);
    const { body } = await client.get(`/api/domains/${domainIdOf(zone)}`).expect(200);
    expect(body).toMatchObject({ created_at: zone['created_at'], keep_zone: true });
    expect((await client.get(`/api/domains?name=${zone.name}`).expect(200)).body).toHaveLength(1);
  });

  it('turns back to a hosted one if the registry refuses the registration', async () => {
    const zone = await host(aName());
    const before = await readZone(zone);
    await refuse(zone.name).expect(200);
    const nameservers = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];

    const order = { name: zone.name, contacts: { registrant: REGISTRANT }, nameservers };
    await client.post('/api/domains', order).expect(201);
    await served(zone, 'none', 'hosted');

    const after = await readZone(zone);
    expect(after).toEqual({ ...before, version: after['version'], updated_at: after['updated_at'] });
    expect(await records(zone)).toHaveLength(1);
    expect((await client.get('/api/domains').expect(200)).body).not.toContainEqual(
      expect.objectContaining({ name: zone.name }),
    );
    await client.delete(`/api/zones/${zone.id}`).expect(200);
  });

  it('that an account hosts becomes the domain that the account imports', async () => {
    const zone = await host(aName());
    await registerAtRegistry(service(), zone.name);
    const [record] = await records(zone);

    expect(await imported(zone.name)).toBe(true);

    const { body } = await client.get(`/api/domains/${domainIdOf(zone)}`).expect(200);
    expect(body).toMatchObject({ status: 'active', nameservers: HOSTS_ELSEWHERE, keep_zone: true });
    expect(await records(zone)).toEqual([record]);
    expect(await versions(zone)).toEqual([3, 2, 1]);
    expect(await published(zone)).toMatchObject({ nameservers: HOSTS_ELSEWHERE });
  });

  it('that an account hosts becomes the domain that the account transfers in, signed with the same key', async () => {
    const [zone, taken] = [await host(aName()), await host(aName(), other)];
    await client.put(`/api/domains/${domainIdOf(zone)}/tags`, { tags: ['shop'] });
    await sign(zone);
    const [[record], key] = [await records(zone), await keyTags(zone)];
    const before = (await published(zone))?.serial ?? 0;

    await transferIn(taken);
    await transferIn(zone);

    const { body } = await client.get(`/api/domains/${domainIdOf(zone)}`).expect(200);
    expect(body).toMatchObject({ status: 'active', tags: ['shop'], created_at: zone['created_at'], keep_zone: true });
    expect(await readZone(zone)).toMatchObject({ kind: 'registered', domain_id: domainIdOf(zone), records: 1 });
    expect(await records(zone)).toEqual([record]);
    expect(await versions(zone)).toEqual([3, 2, 1]);
    expect(await keyTags(zone)).toEqual(key);
    expect((await published(zone))?.serial).toBeGreaterThan(before);
    expect(await readZone(taken, other)).toMatchObject({ status: 'unverified', records: 1 });
  });

  it('of another account is served until the registry has confirmed the registration, and then no longer', async () => {
    const [zone, refused] = [await host(aName(), other), await host(aName(), other)];
    await refuse(refused.name).expect(200);

    const { body: ours } = await register(zone.name);
    const { body: none } = await register(refused.name);
    await waitForStatus(ours.id, 'active');
    await waitForStatus(none.id, undefined);

    expect(await readZone(zone, other)).toMatchObject({ status: 'unverified', records: 1 });
    expect(await records(zone, other)).toHaveLength(1);
    expect(await published(zone)).toMatchObject({ domainId: ours.id });
    expect(await readZone(refused, other)).toMatchObject({ status: 'active' });
    expect(await published(refused)).toMatchObject({ domainId: domainIdOf(refused) });
  });

  it('of another account is no longer served after an import', async () => {
    const zone = await host(aName(), other);
    await registerAtRegistry(service(), zone.name);

    expect(await imported(zone.name)).toBe(true);

    expect(await readZone(zone, other)).toMatchObject({ status: 'unverified' });
    const { body } = await client.get(`/api/domains/by-name/${zone.name}`).expect(200);
    expect(await published(zone)).toMatchObject({ domainId: body.id });
  });

  it('is registered by one account at a time, even if one of them hosts it', async () => {
    const zone = await host(aName(), other);
    const orders = await Promise.all(
      [client, other, client].map((by) =>
        by.post('/api/domains', { name: zone.name, contacts: { registrant: REGISTRANT } }),
      ),
    );

    expect(orders.map(({ status }) => status).toSorted((one, next) => one - next)).toEqual([201, 409, 409]);
  });

  describe('with keep_zone', () => {
    it('stays as a hosted one when the domain is deleted', async () => {
      const zone = await active();

      const { body } = await client.delete(`/api/domains/${domainIdOf(zone)}?keep_zone=true`).expect(200);

      expect(body).toEqual({ id: domainIdOf(zone), name: zone.name, deleted: true });
      await expectHosted(zone);
    });

    it('stays as a hosted one when a transfer is approved, with its history', async () => {
      const zone = await leaving();
      const before = await versions(zone);

      const { body } = await client.post(`/api/domains/${domainIdOf(zone)}/transfer-out/approve`, keep).expect(200);

      expect(body).toMatchObject({ status: 'transferred_out' });
      await expectHosted(zone);
      // A check that was chosen before the approval reads its end at the registry.
      await service()
        .container.get(DomainSync)
        .sync({ id: domainIdOf(zone), name: zone.name });
      await expectHosted(zone);
      expect(await versions(zone)).toEqual(before);
      const [record] = await records(zone);
      await client.post(`/api/zones/${zone.id}/dns/records`, { type: 'A', name: 'b', content: '192.0.2.2' });
      expect(await records(zone)).toContainEqual(record);
    });

    it('stays as a hosted one when a transfer completes without a decision', async () => {
      const zone = await leaving();
      const { body } = await client.put(`/api/domains/${domainIdOf(zone)}/keep-zone`, keep).expect(200);
      expect(body).toMatchObject({ id: domainIdOf(zone), keep_zone: true });

      await client.post('/api/sandbox/advance', { days: 6 }).expect(200);
      while ((await readZone(zone))['kind'] !== 'hosted') await sleep(5);

      await expectHosted(zone);
    });

    it('ends with the domain if it is switched off', async () => {
      const zone = await host(aName());
      await register(zone.name);
      await waitForStatus(domainIdOf(zone), 'active');

      await client.delete(`/api/domains/${domainIdOf(zone)}?keep_zone=false`).expect(200);

      await client.get(`/api/zones/${zone.id}`).expect(404);
      expect(await published(zone)).toBeUndefined();
    });

    it('is hosted, imported, hosted, registered and hosted under one id, and its serial only rises', async () => {
      const zone = await host(aName());
      const serials = [(await published(zone))?.serial ?? 0];
      for (let time = 0; time < 2; time += 1) {
        if (time === 0) {
          await registerAtRegistry(service(), zone.name);
          expect(await imported(zone.name)).toBe(true);
        } else {
          expect((await register(zone.name)).body.id).toBe(domainIdOf(zone));
          await waitForStatus(domainIdOf(zone), 'active');
        }
        serials.push((await published(zone))?.serial ?? 0);
        await client.delete(`/api/domains/${domainIdOf(zone)}`).expect(200);
        await expectHosted(zone);
        serials.push((await published(zone))?.serial ?? 0);
      }

      expect(serials).toEqual(serials.toSorted((one, next) => one - next));
      const all = await versions(zone);
      expect(all).toEqual(Array.from({ length: all.length }, (_, index) => all.length - index));
    });
  });
});
