import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LaggingVendor } from '../../support/registries/lagging-vendor';
import { api, REGISTRANT, type Api } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import { waitForOperation } from '../../support/service/wait-for-operation';

const ADAPTER = resolve('test/crash/child/lagging-registry.mjs');

let folder: string;
let vendor: LaggingVendor;
let service: ServiceProcess;
let key: string;

const start = () =>
  startProcess({
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}`,
    RATE_LIMIT_PER_MINUTE: '0',
    REGISTRIES_FILE: join(folder, 'registries.json'),
  });
const client = async (): Promise<Api> => api({ server: await addressOf(service) }, key);
const latest = async (id: string) => (await (await client()).get(`/api/domains/${id}/operations`).expect(200)).body[0];
const nameOf = (name: string) => vendor.names.get(name);

async function startWith(settings: object): Promise<void> {
  const registry = { adapter: ADAPTER, settings: { url: await vendor.start(), ...settings }, tlds: ['com'] };
  writeFileSync(join(folder, 'registries.json'), JSON.stringify({ registries: { lagging: registry } }));
  service = start();
  key = await firstKeyOf(service);
}

async function register(name: string): Promise<string> {
  const order = { name, contacts: { registrant: REGISTRANT } };
  return String((await (await client()).post('/api/domains', order).expect(201)).body.id);
}

/** Kills the service once the vendor has got `command`, and starts it again. */
async function killAfter(command: string): Promise<void> {
  while (!vendor.received.get(command)) await sleep(10);
  service.signal('SIGKILL');
  await service.ended;
  service = start();
  await addressOf(service);
}

async function renewAndKill(id: string): Promise<void> {
  const renewing = (await client()).post(`/api/domains/${id}/renew`, { years: 1 }).then(
    () => undefined,
    () => undefined,
  );
  await killAfter('renew');
  await renewing;
}

beforeAll(build);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'namewright-lag-'));
  vendor = new LaggingVendor();
});
afterEach(async () => {
  service.signal('SIGKILL');
  await service.ended;
  await vendor.stop();
  rmSync(folder, { recursive: true });
});

describe('a service that is killed after a lost response of a vendor whose reads lag', () => {
  it.each([
    ['without idempotency keys, and declares no lag', { keys: false }, 1],
    ['with idempotency keys, and declares no lag', { keys: true }, 1],
    ['with idempotency keys, and wrongly declares that its reads never lag', { keys: true, read_lag_seconds: 0 }, 2],
  ])('is charged once for a renewal by a vendor %s', async (_vendor, settings, fewestRequests) => {
    await startWith(settings);
    const id = await register('renewed.com');
    await waitForOperation(await client(), id, 'succeeded');
    const before = new Date(nameOf('renewed.com')?.expiresAt ?? '');
    vendor.lagReads('renewed.com');
    vendor.loseNextResponse('renew');
    const reads = vendor.received.get('info') ?? 0;

    await renewAndKill(id);
    // The new process has read the name and decided at least twice, or sent the renewal again with its key.
    while ((vendor.received.get('info') ?? 0) < reads + 2) await sleep(20);
    while ((vendor.received.get('renew') ?? 0) < fewestRequests) await sleep(20);
    expect(await latest(id)).toMatchObject({ kind: 'renew', state: expect.stringMatching(/^(?:uncertain|running)$/) });
    vendor.catchUp();
    await waitForOperation(await client(), id, 'succeeded');

    expect(vendor.charges).toEqual(['register renewed.com', 'renew renewed.com']);
    const after = new Date(nameOf('renewed.com')?.expiresAt ?? '');
    expect(after.getUTCFullYear()).toBe(before.getUTCFullYear() + 1);
  });

  it('gives the customer, and not the default contact of the vendor, a name that was registered in part', async () => {
    await startWith({ keys: true });
    vendor.loseNextResponse('register');

    const ordering = register('owned.com').catch(() => undefined);
    await killAfter('register');
    await ordering;
    const { body } = await (await client()).get('/api/domains').expect(200);
    const id = String((Array.isArray(body) ? body : body.domains)[0].id);
    await waitForOperation(await client(), id, 'succeeded');

    expect(nameOf('owned.com')).toMatchObject({ registrant: { lastName: REGISTRANT.last_name } });
    expect(vendor.charges).toEqual(['register owned.com']);
  });

  it('keeps what the vendor charged for a renewal that it accepted and does not show yet', async () => {
    await startWith({ keys: false, read_lag_seconds: 1 });
    const id = await register('accepted.com');
    await waitForOperation(await client(), id, 'succeeded');
    vendor.lagReads('accepted.com');
    (await client()).post(`/api/domains/${id}/renew`, { years: 1 }).then(
      () => undefined,
      () => undefined,
    );
    await waitForOperation(await client(), id, 'uncertain');

    expect(await latest(id)).toMatchObject({
      state: 'uncertain',
      charged: expect.anything(),
      error: expect.anything(),
    });
    vendor.catchUp();
    await waitForOperation(await client(), id, 'succeeded');

    expect(await latest(id)).toMatchObject({ charged: expect.anything() });
    expect(vendor.charges).toEqual(['register accepted.com', 'renew accepted.com']);
  });
});
