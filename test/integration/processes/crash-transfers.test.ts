import { DomainName } from '../../../src/domain/shared/domain-name';
import type { DatabaseLocation } from '../../../src/infrastructure/persistence/database/database-location';
import { withEachDatabase } from '../../support/databases/each-database';
import { openSandboxRegistry } from '../../support/registries/open-sandbox-registry';
import { api, REGISTRANT, type Api } from '../../support/service/service';
import { addressOf, build, firstKeyOf, startProcess, type ServiceProcess } from '../../support/service/service-process';

withEachDatabase('a service that is killed during a transfer', (databases) => {
  let location: DatabaseLocation;
  let service: ServiceProcess;
  let key: string;

  /**
   * On SQLite, a service ends the leases of its killed predecessor, so that no test outlasts one that it does not end. On MySQL
   * another process may hold a lease, which has to run out.
   */
  const start = () =>
    startProcess({
      PORT: '0',
      DATABASE_URL: location.kind === 'mysql' ? location.url : `sqlite:${location.file}`,
      RATE_LIMIT_PER_MINUTE: '0',
      OPERATION_LEASE_MS: location.kind === 'mysql' ? '3000' : '600000',
    });
  const client = async (): Promise<Api> => api({ server: await addressOf(service) }, key);

  beforeAll(build);
  beforeEach(async () => {
    location = await databases.create();
    service = start();
    key = await firstKeyOf(service);
  });
  afterEach(async () => {
    service.signal('SIGKILL');
    await service.ended;
  });

  const order = async (name: string): Promise<{ readonly id: string }> => {
    const caller = await client();
    const { body } = await caller.post('/api/sandbox/other-registrar/domains', { name }).expect(200);
    const command = { name, auth_code: body.auth_code, registrant: REGISTRANT };
    return (await caller.post('/api/transfers', command).expect(201)).body;
  };
  const until = async (id: string, isReached: (body: Record<string, unknown>) => boolean): Promise<void> => {
    const caller = await client();
    for (;;) {
      const { body } = await caller.get(`/api/transfers/${id}`).expect(200);
      if (isReached(body)) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const inState = (id: string, state: string) => until(id, (body) => body['state'] === state);
  const killAndRestart = async () => {
    service.signal('SIGKILL');
    await service.ended;
    service = start();
  };
  const complete = async (name: string, id: string): Promise<void> => {
    const caller = await client();
    await caller.post('/api/sandbox/other-registrar/decisions', { name, decision: 'approve' }).expect(200);
    await caller.post('/api/sandbox/advance', { days: 1 }).expect(200);
    await inState(id, 'completed');
    expect((await caller.get(`/api/domains/by-name/${name}`).expect(200)).body).toMatchObject({ status: 'active' });
    const { body: ledger } = await caller.get(`/api/sandbox/ledger?name=${name}`).expect(200);
    expect(ledger.map(({ kind }: { kind: string }) => kind)).toEqual(['transfer']);
  };

  it('sends the request after the next start if it had not reached the registry', async () => {
    const registry = await openSandboxRegistry(location);
    await registry.sandbox.injectFault({ kind: 'latency', target: 'com', milliseconds: 1_500 });
    const { id } = await order('before-the-request.com');

    await killAndRestart();
    await registry.sandbox.clearFaults();

    await inState(id, 'pending');
    await complete('before-the-request.com', id);
    await registry.close();
  });

  it('finds the request at the registry if that had accepted it, and is charged once', async () => {
    const registry = await openSandboxRegistry(location);
    await registry.sandbox.injectFault({ kind: 'lose_answer', target: 'after-the-request.com', times: 1 });
    const { id } = await order('after-the-request.com');
    await until(id, (body) => body['uncertain_since'] !== null || body['state'] === 'pending');

    await killAndRestart();

    await inState(id, 'pending');
    await complete('after-the-request.com', id);
    await registry.close();
  });

  it('has one domain after the next start if the transfer was completing', async () => {
    const { id } = await order('while-it-completes.com');
    await inState(id, 'pending');
    const registry = await openSandboxRegistry(location);
    await registry.sandbox.decideElsewhere(DomainName.parse('while-it-completes.com'), 'approve');
    await registry.sandbox.injectFault({ kind: 'latency', target: 'while-it-completes.com', milliseconds: 60_000 });
    const advancing = (await client()).post('/api/sandbox/advance', { days: 1 }).then(
      () => undefined,
      () => undefined,
    );

    await killAndRestart();
    await Promise.all([advancing, registry.sandbox.clearFaults()]);

    await (await client()).post('/api/sandbox/advance', { days: 1 }).expect(200);
    await inState(id, 'completed');
    const { body: domains } = await (await client()).get('/api/domains?name=while-it-completes').expect(200);
    expect(domains).toHaveLength(1);
    expect((await registry.sandbox.ledger()).map(({ kind }) => kind)).toEqual(['transfer']);
    await registry.close();
  });
});
