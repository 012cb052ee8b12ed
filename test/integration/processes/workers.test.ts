import { randomBytes } from 'node:crypto';
import { OperationClaims } from '../../../src/application/operations/operation-claims';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import { BackgroundWorker } from '../../../src/application/worker/background-worker';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../../support/databases/mariadb';
import { sandboxOf } from '../../support/registries/sandbox';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';
import { describeOrSkip } from '../../support/describe-or-skip';

/** Much longer than a stopping worker waits for its running operations (two seconds), and another one needs to take over. */
const LONGER_THAN_STOP_MS = 30_000;

const idOf = (headers: Record<string, string>) => headers['operation-location']?.split('/').at(-1) ?? '';

const poll = async <T>(read: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describeOrSkip(MYSQL_MISSING)('processes that share a MySQL database', () => {
  let mysql: MysqlServer;
  let shared: Record<string, string>;
  let web: TestService;
  let client: Api;
  const workers: TestService[] = [];
  let serial = 0;

  const startWorker = async (settings: Record<string, string> = {}) => {
    const worker = await startService({ ...shared, ...settings });
    workers.push(worker);
    return worker;
  };
  const find = (operationId: string) =>
    web.container.get(UnitOfWork).run(({ operations }) => operations.find(operationId));
  const unfinished = (domainId: string) =>
    web.container.get(UnitOfWork).run(({ operations }) => operations.unfinished(domainId));
  const waitForStatus = (operationId: string, status: string) =>
    poll(async () => {
      const state = (await find(operationId))?.toState();
      return state?.status === status ? state : undefined;
    });

  beforeAll(async () => {
    mysql = await startMysql();
    shared = {
      DATABASE_URL: await mysql.createDatabase(),
      SECRET_KEY: randomBytes(32).toString('base64'),
      OPERATION_LEASE_MS: '1000',
      OPERATION_WAIT_MS: '60000',
    };
    web = await startService({ ...shared, WORKER: 'off' });
    client = api(web, await web.key(await web.account()));
  });
  afterEach(async () => {
    await sandboxOf(web).clearFaults();
    for (const worker of workers.splice(0)) await worker.stop();
  });
  afterAll(async () => {
    await web.stop();
    await mysql.stop();
  });

  it('run the operations of a process with WORKER=off, which returns their outcome', async () => {
    await startWorker();
    const id = await registered(client, `shared-${(serial += 1)}.com`);

    const { body } = await client
      .put(`/api/domains/${id}/nameservers`, { nameservers: ['ns1.example.com', 'ns2.example.com'] })
      .expect(200);

    expect(body.nameservers).toEqual(['ns1.example.com', 'ns2.example.com']);
  });

  it('pass an auth code encrypted between processes, and erase it after delivery', async () => {
    await startWorker();
    const id = await registered(client, `shared-${(serial += 1)}.com`);
    await sandboxOf(web).injectFault({ kind: 'latency', milliseconds: 100 });

    const { body, headers } = await client.post(`/api/domains/${id}/auth-code`).expect(200);

    expect(body.auth_code).toMatch(/^[0-9a-f]{32}$/);
    expect(headers['cache-control']).toBe('no-store');
    expect((await find(idOf(headers)))?.toState()).toMatchObject({ status: 'succeeded', handover: null });
  });

  it('run each operation once', async () => {
    const first = await startWorker();
    const names = Array.from({ length: 12 }, () => `shared-${(serial += 1)}.com`);
    const ids = await Promise.all(names.map((name) => registered(client, name)));
    await first.container.get(BackgroundWorker).stop();

    // All are queued before one runs: a renewal is refused while the outcome of another one is unknown.
    const renewals = Promise.all(
      ids.flatMap((id) => [
        client.post(`/api/domains/${id}/renew`).expect(200),
        client.post(`/api/domains/${id}/renew`).expect(200),
      ]),
    );
    for (const id of ids) await poll(async () => ((await unfinished(id)).length === 2 ? true : undefined));
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    await renewals;

    const charged = (await sandboxOf(web).ledger())
      .filter(({ name }) => names.includes(name.value))
      .map(({ kind, name }) => `${kind} ${name.value}`);
    expect(charged.toSorted()).toEqual(
      names.flatMap((name) => [`register ${name}`, `renew ${name}`, `renew ${name}`]).toSorted(),
    );
  });

  it('take over the operations of a stopped worker when its lease ends', async () => {
    const first = await startWorker();
    const name = `shared-${(serial += 1)}.com`;
    const id = await registered(client, name);
    await sandboxOf(web).injectFault({ kind: 'latency', target: name, milliseconds: LONGER_THAN_STOP_MS, times: 1 });
    const operationId = client
      .put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false })
      .expect(200)
      .then(({ headers }) => idOf(headers));
    const operation = await poll(async () =>
      (await unfinished(id)).find((each) => each.toState().status === 'running'),
    );

    await first.container.get(BackgroundWorker).stop();

    expect((await find(operation.id))?.toState()).toMatchObject({ status: 'running', attempts: 1 });
    await startWorker();
    expect(await operationId).toBe(operation.id);
    expect(await waitForStatus(operation.id, 'succeeded')).toMatchObject({ attempts: 2 });
  });

  it('take over operations with an expired lease, and the former holder commits nothing', async () => {
    const first = await startWorker();
    const id = await registered(client, `shared-${(serial += 1)}.com`);
    await first.container.get(BackgroundWorker).stop();
    const killed = (await startWorker({ WORKER: 'off' })).container.get(OperationClaims);
    const operationId = client
      .put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false })
      .expect(200)
      .then(({ headers }) => idOf(headers));
    const claimed = await poll(async () => (await killed.claim(id)).claim);

    await startWorker();
    const operation = await waitForStatus(await operationId, 'succeeded');

    expect(operation).toMatchObject({ id: claimed.operation.id, attempts: 2, error: null });
    expect(await killed.commit(claimed.operation, () => expect('the former holder').toBe('not asked'))).toBeUndefined();
  });

  it('run each renewal once when a process with WORKER=off advances the sandbox clock', async () => {
    await Promise.all([startWorker(), startWorker()]);
    const id = await registered(client, 'years-of-many-processes.com');

    await client.post('/api/sandbox/advance', { days: 800 }).expect(200);

    const { body: lines } = await client.get('/api/sandbox/ledger?name=years-of-many-processes.com').expect(200);
    expect(lines.map(({ kind }: { kind: string }) => kind)).toEqual(['register', 'renew', 'renew']);
    expect((await client.get(`/api/domains/${id}`).expect(200)).body.status).toBe('active');
  });
});
