import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { waitForOperation } from '../../support/service/wait-for-operation';
import { openSandboxRegistry } from '../../support/registries/open-sandbox-registry';
import { api, registered, REGISTRANT, type Api } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

const WRITERS = 8;

interface SentRecord {
  readonly name: string;
  readonly content: string;
}

/** Writes records until the service is dead; kills it after the given number of responses. */
async function writeUntilKilled(
  client: Api,
  domainId: string,
  service: ServiceProcess,
  answers: number,
  round: number,
): Promise<{ sent: SentRecord[]; answered: SentRecord[] }> {
  const sent: SentRecord[] = [];
  const answered: SentRecord[] = [];
  const write = async (): Promise<void> => {
    const record = { name: `h${round}-${sent.length}`, content: `written in round ${round} as number ${sent.length}` };
    sent.push(record);
    await client.post(`/api/domains/${domainId}/dns/records`, { type: 'TXT', ...record }).expect(201);
    answered.push(record);
    if (answered.length === answers) service.signal('SIGKILL');
    await write();
  };
  await Promise.allSettled(Array.from({ length: WRITERS }, write));
  await service.ended;
  return { sent, answered };
}

let folder: string;
let file: string;
let service: ServiceProcess;
let key: string;

/** With leases that no test can outlast. */
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
  folder = mkdtempSync(join(tmpdir(), 'namewright-crash-'));
  file = join(folder, 'namewright.db');
  service = start();
  key = await firstKeyOf(service);
});
afterEach(async () => {
  service.signal('SIGKILL');
  await service.ended;
  rmSync(folder, { recursive: true });
});

describe('a killed service', () => {
  it('has stored every acknowledged record, and no record in part', async () => {
    const id = await registered(await client(), 'crash.com');
    const versionOf = async () =>
      Number(
        (await (await client()).get(`/api/domains/${id}/dns/records?limit=1`).expect(200)).headers['zone-version'],
      );
    const initialVersion = await versionOf();
    const sent: SentRecord[] = [];
    const answered: SentRecord[] = [];

    for (const [round, answers] of [3, 17, 40].entries()) {
      const written = await writeUntilKilled(await client(), id, service, answers, round);
      sent.push(...written.sent);
      answered.push(...written.answered);
      service = start();
    }

    const { body: records } = await (await client()).get(`/api/domains/${id}/dns/records`).expect(200);
    const kept = (records as SentRecord[]).map(({ name, content }) => ({ name, content }));
    expect(kept).toEqual(expect.arrayContaining(answered));
    expect(sent).toEqual(expect.arrayContaining(kept));
    expect(await versionOf()).toBe(initialVersion + kept.length);
    const database = new Database(file, { readonly: true });
    expect(
      database
        .prepare("SELECT COUNT(*) FROM audit_log WHERE domain_id = ? AND action = 'records.added'")
        .pluck()
        .get(id),
    ).toBe(kept.length);
    expect(database.prepare('SELECT record_count FROM zones WHERE domain_id = ?').pluck().get(id)).toBe(kept.length);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    database.close();
  });

  it('resumes a command at the registry after the next start, without waiting for the lease', async () => {
    const id = await registered(await client(), 'resumed-command.com');
    const registry = await openSandboxRegistry(file);
    await registry.sandbox.injectFault({ kind: 'latency', target: 'resumed-command.com', milliseconds: 60_000 });
    const changing = (await client()).put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false }).then(
      () => undefined,
      () => undefined,
    );
    await waitForOperation(await client(), id, 'running');

    service.signal('SIGKILL');
    await Promise.all([service.ended, changing, registry.sandbox.clearFaults()]);
    await registry.close();
    service = start();

    await waitForOperation(await client(), id, 'succeeded');
    await (
      await client()
    )
      .get(`/api/domains/${id}`)
      .expect(200)
      .expect(({ body }) => expect(body).toMatchObject({ status: 'active', transfer_locked: false }));
  });

  it('finds its registration after a lost response, and is charged once', async () => {
    const registry = await openSandboxRegistry(file);
    await registry.sandbox.injectFault({ kind: 'lose_answer', target: 'lost-answer.com', times: 1 });
    const { body } = await (
      await client()
    )
      .post('/api/domains', { name: 'lost-answer.com', contacts: { registrant: REGISTRANT } })
      .expect(201);
    // It is checked again after half a second: a test that had no processor for so long finds it succeeded.
    await waitForOperation(await client(), body.id, 'uncertain', 'succeeded');

    service.signal('SIGKILL');
    await service.ended;
    service = start();

    await waitForOperation(await client(), body.id, 'succeeded');
    await (
      await client()
    )
      .get(`/api/domains/${body.id}`)
      .expect(200)
      .expect(({ body: domain }) => expect(domain.status).toBe('active'));
    expect((await registry.sandbox.ledger()).map(({ kind, name }) => `${kind} ${name.value}`)).toEqual([
      'register lost-answer.com',
    ]);
    await registry.close();
  });
});

const inOrder = (names: readonly string[]) => names.toSorted((one, other) => one.localeCompare(other));

describe('bulk orders whose service is killed', () => {
  const DOMAINS = 12;
  const KILLS = 2;

  const names = Array.from({ length: DOMAINS }, (_, index) => `bulk${index}.com`);

  it('go on at the next start, and charge every domain once', async () => {
    const registry = await openSandboxRegistry(file);
    const charged = async (charge: string) =>
      inOrder((await registry.sandbox.ledger()).flatMap(({ kind, name }) => (kind === charge ? [name.value] : [])));
    // Orders that reach the registry and whose responses the service never sees.
    const disturb = async () => {
      for (const index of [0, 3, 6])
        await registry.sandbox.injectFault({ kind: 'lose_answer', target: `bulk${index}.com`, times: 1 });
      for (const index of [1, 4, 7])
        await registry.sandbox.injectFault({
          kind: 'latency',
          target: `bulk${index}.com`,
          milliseconds: 400,
          times: 1,
        });
    };
    const runThroughKills = async (body: object) => {
      await disturb();
      const { body: job } = await (await client()).post('/api/bulk', body).expect(202);
      const report = async () => (await (await client()).get(`/api/bulk/${job.id}`).expect(200)).body;
      for (let kill = 0; kill < KILLS; kill += 1) {
        while ((await report()).waiting > DOMAINS - 2 * (kill + 1)) await sleep(20);
        service.signal('SIGKILL');
        await service.ended;
        service = start();
      }
      while ((await report()).finished_at === null) await sleep(100);
      expect(await report()).toMatchObject({ total: DOMAINS, done: DOMAINS, failed: 0, failures: [] });
    };

    const contacts = { registrant: REGISTRANT };
    await runThroughKills({ action: 'registration', contacts, registrations: names.map((name) => ({ name })) });
    expect(await charged('register')).toEqual(inOrder(names));

    const { body: domains } = await (await client()).get('/api/domains').expect(200);
    const ids = domains.map(({ id }: { id: string }) => id);
    await runThroughKills({ action: 'renewal', years: 1, domains: ids });
    expect(await charged('renew')).toEqual(inOrder(names));
    await registry.close();
  });
});

const fileOf = (index: number) =>
  Array.from({ length: 300 }, (_, host) => `host-${host} 300 IN A 192.0.2.${index}\n`).join('');

describe('imports of zone files whose service is killed', () => {
  const KILLS = 3;
  const names = Array.from({ length: 30 }, (_, index) => `zone-file-${index}.com`);

  it('go on at the next start, and change every zone once', async () => {
    const orders = names.map((name) => ({ name }));
    const job = { action: 'registration', contacts: { registrant: REGISTRANT }, registrations: orders };
    const { body: ordered } = await (await client()).post('/api/bulk', job).expect(202);
    const report = async (id: string) => (await (await client()).get(`/api/bulk/${id}`).expect(200)).body;
    while ((await report(ordered.id)).finished_at === null) await sleep(100);
    const { body: domains } = await (await client()).get('/api/domains?limit=100').expect(200);
    const files = names.map((name, index) => ({ name, text: fileOf(index) }));

    const { body: imports } = await (
      await client()
    )
      .post('/api/bulk', { action: 'zone_files', zone_files: files })
      .expect(202);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      while ((await report(imports.id)).waiting > names.length - 3 * kill) await sleep(5);
      service.signal('SIGKILL');
      await service.ended;
      service = start();
    }
    while ((await report(imports.id)).finished_at === null) await sleep(100);

    expect(await report(imports.id)).toMatchObject({ total: 30, done: 30, failed: 0, undoable: true });
    const database = new Database(file, { readonly: true });
    const changes = database
      .prepare("SELECT COUNT(*) FROM audit_log WHERE domain_id = ? AND action LIKE 'records.%'")
      .pluck();
    const counts = database.prepare('SELECT record_count FROM zones WHERE domain_id = ?').pluck();
    for (const { id } of domains) expect([id, changes.get(id), counts.get(id)]).toEqual([id, 1, 300]);
    expect(database.prepare('SELECT COUNT(*) FROM bulk_items WHERE own_action LIKE ?').pluck().get('%host-%')).toBe(0);
    database.close();
  });
});
