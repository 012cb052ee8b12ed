import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSandboxRegistry } from '../../support/registries/open-sandbox-registry';
import { api, registered } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';
import { waitForOperation } from '../../support/service/wait-for-operation';

const DOMAINS = 12;
const KILLS = 2;

describe('a bulk renewal whose service is killed', () => {
  let folder: string;
  let file: string;
  let service: ServiceProcess;
  let key: string;

  const start = () =>
    startProcess({
      PORT: '0',
      DATABASE_URL: `sqlite:${file}`,
      RATE_LIMIT_PER_MINUTE: '0',
      OPERATION_LEASE_MS: '600000',
    });
  const client = async () => api({ server: await addressOf(service) }, key);

  beforeAll(build);
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'namewright-bulk-'));
    file = join(folder, 'namewright.db');
    service = start();
    key = await firstKeyOf(service);
  });
  afterEach(async () => {
    service.signal('SIGKILL');
    await service.ended;
    rmSync(folder, { recursive: true });
  });

  it('goes on at the next start, and charges every domain once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < DOMAINS; index += 1) ids.push(await registered(await client(), `bulk${index}.com`));
    for (const id of ids) await waitForOperation(await client(), id, 'succeeded');
    const registry = await openSandboxRegistry(file);
    // Renewals that reach the registry and whose responses the service never sees.
    for (const index of [0, 3, 6])
      await registry.sandbox.injectFault({ kind: 'lose_answer', target: `bulk${index}.com`, times: 1 });
    for (const index of [1, 4, 7])
      await registry.sandbox.injectFault({ kind: 'latency', target: `bulk${index}.com`, milliseconds: 400, times: 1 });
    const { body: job } = await (
      await client()
    )
      .post('/api/bulk', { action: 'renewal', years: 1, domains: ids })
      .expect(202);
    const report = async () => (await (await client()).get(`/api/bulk/${job.id}`).expect(200)).body;

    for (let kill = 0; kill < KILLS; kill += 1) {
      while ((await report()).waiting > DOMAINS - 2 * (kill + 1)) await sleep(20);
      service.signal('SIGKILL');
      await service.ended;
      service = start();
    }
    while ((await report()).finished_at === null) await sleep(100);

    expect(await report()).toMatchObject({ total: DOMAINS, done: DOMAINS, failed: 0, failures: [] });
    const renewals = (await registry.sandbox.ledger()).filter(({ kind }) => kind === 'renew');
    expect(renewals.map(({ name }) => name.value).toSorted((one, other) => one.localeCompare(other))).toEqual(
      ids.map((_id, index) => `bulk${index}.com`).toSorted((one, other) => one.localeCompare(other)),
    );
    await registry.close();
  });
});
