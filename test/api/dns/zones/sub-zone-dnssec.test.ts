import { setTimeout as sleep } from 'node:timers/promises';
import { AddSecondary } from '../../../../src/application/dns/publishing/add-secondary';
import { CreateTsigKey } from '../../../../src/application/dns/publishing/create-tsig-key';
import { SigningRunner } from '../../../../src/application/dnssec/steps/signing-runner';
import { SigningReader } from '../../../../src/application/ports/dns/signing-repository';
import { UnitOfWork } from '../../../../src/application/ports/storage/unit-of-work';
import { ZoneSigning } from '../../../../src/domain/dns/dnssec/zone-signing';
import { domainIdOfZone } from '../../../../src/domain/dns/zone-id';
import { onBothDatabases } from '../../../support/databases/databases';
import { StubNameserver } from '../../../support/nameservers/stub-nameserver';
import { api, type Api } from '../../../support/service/service';

const FAR_SERIAL = 100_000;
/** RFC 1035, section 3.2.2. */
const PTR = 12;

interface Shown {
  readonly state: string;
  readonly parent: { readonly ds: readonly object[] } | null;
  readonly ds: readonly object[];
}

onBothDatabases('DNSSEC of a zone below another one of the account', (service) => {
  let client: Api;
  let secondary: StubNameserver;
  let above: string;
  let zone: string;
  let count = 0;

  beforeAll(async () => {
    client = api(service(), await service().key(await service().account()));
    await service().container.get(CreateTsigKey).execute({ name: 'k', algorithm: 'hmac-sha256' });
    secondary = await StubNameserver.start();
    const address = `127.0.0.1:${secondary.port}`;
    await service().container.get(AddSecondary).execute({ name: 'stub', address, key: 'k', signs: false });
  });

  beforeEach(async () => {
    const name = `above-${(count += 1)}.example`;
    [above, zone] = [await create(name), await create(`k8s.${name}`)];
  });

  afterAll(() => secondary.stop());

  async function create(name: string): Promise<string> {
    secondary.serials.set(name, FAR_SERIAL);
    return (await client.post('/api/zones', { name }).expect(201)).body.id;
  }

  async function createReverse(network: string): Promise<string> {
    const { body } = await client.post('/api/zones', { network }).expect(201);
    secondary.serials.set(body.name, FAR_SERIAL);
    return body.id;
  }

  /** Polls, and lets every wait for caches end at once. */
  async function until(state: string, waitsFor?: string): Promise<Shown> {
    for (;;) {
      const { body } = await client.get(`/api/zones/${zone}/dnssec`).expect(200);
      if (body.state === state && (waitsFor ?? body.waits_for) === body.waits_for) return body as Shown;
      await endWait();
      await sleep(20);
    }
  }

  async function endWait(): Promise<void> {
    const id = domainIdOfZone(zone);
    const past = new Date(0);
    await service()
      .container.get(UnitOfWork)
      .run(async ({ zoneSignings }) => {
        const signing = await zoneSignings.lock(id);
        if (!signing || signing.step === 'check') return;
        const { until: end } = signing.toState();
        await zoneSignings.save(ZoneSigning.fromState({ ...signing.toState(), until: end && past, dueAt: past }));
      });
    service().container.get(SigningRunner).wake(id);
  }

  async function endRollover(): Promise<void> {
    while ((await client.get(`/api/zones/${zone}/dnssec`).expect(200)).body.rollover === true)
      await endWait().then(() => sleep(20));
  }

  const dsAbove = async () => {
    const { body } = await client.get(`/api/zones/${above}/dns/records`).expect(200);
    return (body as { name: string; type: string }[]).filter(({ type }) => type === 'DS');
  };

  it('sets the DS records in the zone above, replaces them with the key, whose rollover a proposal shows, and removes them first when it is switched off', async () => {
    await client.put(`/api/zones/${zone}/dnssec`, { enabled: true }).expect(200);
    await until('active');
    const [ds, ...others] = await dsAbove();

    expect(others).toEqual([]);
    expect(ds).toMatchObject({ name: 'k8s', managed_by: zone });
    const roll = { method: 'POST', path: `/api/zones/${zone}/dnssec/roll`, reason: 'The key is old' };
    const { body: proposal } = await client.post('/api/proposals', roll).expect(201);
    expect(proposal.plan.changes).toMatchObject([
      { action: 'domain.dnssec_changed', before: { rollover: 'none' }, after: { rollover: 'started' } },
    ]);
    await client.post(`/api/zones/${zone}/dnssec/roll`).expect(200);
    await endRollover();
    expect(await dsAbove()).toEqual([expect.objectContaining({ managed_by: zone })]);
    expect(await dsAbove()).not.toEqual([ds]);
    await client.put(`/api/zones/${zone}/dnssec`, { enabled: false }).expect(200);
    await until('off');
    expect(await dsAbove()).toEqual([]);
  });

  it('shows DS records to copy only when the zone waits for them at the parent', async () => {
    const name = (await client.get(`/api/zones/${zone}`).expect(200)).body.name as string;
    const shown = async () => (await client.get(`/api/zones/${zone}`).expect(200)).body.dnssec;
    secondary.serials.set(name, 0);

    await client.put(`/api/zones/${zone}/dnssec`, { enabled: true }).expect(200);
    await until('publishing', 'secondaries');
    expect(await shown()).toEqual({ state: 'publishing', ds: [] });
    secondary.serials.set(name, FAR_SERIAL);
    const { parent } = await until('active');
    expect(await shown()).toEqual({ state: 'active', ds: parent?.ds });
    expect(parent?.ds).toHaveLength(2);
  });

  it('waits while a secondary of the zone above may serve former DS records', async () => {
    const name = (await client.get(`/api/zones/${above}`).expect(200)).body.name as string;
    secondary.serials.set(name, 0);
    await client.put(`/api/zones/${zone}/dnssec`, { enabled: true }).expect(200);
    await until('waiting_for_ds');
    while ((await dsAbove()).length === 0) await endWait().then(() => sleep(20));
    for (let polls = 0; polls < 10; polls += 1) await endWait().then(() => sleep(20));

    expect((await client.get(`/api/zones/${zone}/dnssec`).expect(200)).body.state).toBe('waiting_for_ds');
    secondary.serials.set(name, FAR_SERIAL);
    await until('active');
  });

  it('signs the PTR records that a record of another zone keeps there', async () => {
    const address = `10.${count}.1.9`;
    [above, zone] = [await createReverse(`10.${count}.0.0/16`), await createReverse(`10.${count}.1.0/24`)];
    await client.put(`/api/zones/${zone}/dnssec`, { enabled: true }).expect(200);
    await until('active');
    const forward = await create(`forward-${count}.example`);
    const draft = { type: 'A', name: 'www', content: address, ptr: true };

    await client.post(`/api/zones/${forward}/dns/records`, draft).expect(201);

    const { body: kept } = await client.get(`/api/zones/${zone}/dns/records`).expect(200);
    expect(kept).toMatchObject([{ name: '9', type: 'PTR', content: `www.forward-${count}.example.` }]);
    const derived = await service().container.get(SigningReader).derivedAt(domainIdOfZone(zone), ['9']);
    expect(derived.map(({ type }) => type)).toContain(PTR);
  });
});
