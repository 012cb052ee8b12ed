import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { RegistryNotContacted, RegistryUnavailable } from '../../../src/application/ports/registry/registry-errors';
import type { RegistryPort } from '../../../src/application/ports/registry/registry-port';
import { Nameservers } from '../../../src/domain/registration/nameservers';
import { RegistryGuard } from '../../../src/infrastructure/registry/routing/registry-guard';
import { DEFAULT_LIMITS } from '../../../src/infrastructure/registry/routing/registry-limits';
import { startEpp } from '../../../src/infrastructure/registry/epp/start-epp';
import type { RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import { createRegistryContext } from '../../../src/testing/create-registry-context';
import { freshId, freshName, register, years } from '../../../src/testing/registry-fixtures';
import { startExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { startSandboxRegistry, type SandboxRegistry } from '../../support/epp/sandbox-registry';
import { RecordingLog } from '../../support/fakes/recording-log';
import { aCertificate } from '../../support/epp/scripted-epp-server';
import { freePort } from '../../support/free-port';
import type { ExternalRegistry } from '../../support/registries/external-registry';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Above the number of failures in a test, because an open circuit breaker would queue operations, too. */
function neverLeftAlone({ REGISTRIES_FILE: file = '' }: Readonly<Record<string, string>>): Record<string, string> {
  const {
    registries: { sandbox },
  } = parse(readFileSync(file, 'utf8')) as { registries: { sandbox: object } };
  const patient = join(dirname(file), 'patient.yaml');
  writeFileSync(patient, stringify({ registries: { sandbox: { ...sandbox, failures: 1_000 } } }));
  return { REGISTRIES_FILE: patient };
}

describe('a call over EPP throws RegistryNotContacted', () => {
  let sandbox: SandboxRegistry;
  const started: RunningRegistry[] = [];

  beforeAll(async () => {
    sandbox = await startSandboxRegistry();
  });
  afterEach(async () => {
    await sandbox.server.faults.clear();
    await Promise.all(started.splice(0).map((each) => each.close()));
  });
  afterAll(async () => {
    const faults = await sandbox.faults();
    await sandbox.stop();
    expect(faults).toEqual([]);
  });

  async function adapter(overrides: Readonly<Record<string, unknown>> = {}): Promise<RegistryPort> {
    const { id, password } = sandbox.registrars.first;
    const settings = {
      host: sandbox.host,
      port: sandbox.port,
      ca: sandbox.certificate.certificate,
      client_id: id,
      password,
      sessions: 1,
      ...overrides,
    };
    const running = await startEpp(createRegistryContext({ settings }));
    started.push(running);
    return running.port;
  }

  it.each([
    ['if no server listens', async () => ({ port: await freePort() })],
    ['where the certificate is not to be trusted', async () => ({ ca: (await aCertificate()).cert })],
    ['where the login is refused', async () => ({ password: 'another-one' })],
  ])('%s', async (_where, overrides) => {
    const registry = await adapter(await overrides());
    const name = freshName();

    expect(await failureOf(register(registry, name))).toBeInstanceOf(RegistryNotContacted);
    expect(await failureOf(registry.renew(name, new Date(), years(1), freshId()))).toBeInstanceOf(RegistryNotContacted);
    expect(await failureOf(registry.issueAuthCode(name, freshId()))).toBeInstanceOf(RegistryNotContacted);
  });

  it.each(['drop_before', 'failure', 'malformed', 'session_limit'] as const)(
    'if the login meets the fault %s',
    async (kind) => {
      const registry = await adapter();
      sandbox.exempt((document) => !document.endsWith('</epp>'));
      await sandbox.server.faults.inject({ kind, target: 'login' });

      expect(await failureOf(register(registry, freshName()))).toBeInstanceOf(RegistryNotContacted);
    },
  );

  it('if the responses to the query before the command are lost', async () => {
    const registry = await adapter();
    const name = freshName();
    await register(registry, name);
    await sandbox.server.faults.inject({ kind: 'drop_before', target: 'domain:info' });

    expect(await failureOf(registry.setTransferLock(name, false, freshId()))).toBeInstanceOf(RegistryNotContacted);
  });

  it('if its time limit ends before the command, which is not sent after a later change', async () => {
    const registry = await adapter({ sessions: 2 });
    const name = freshName();
    await register(registry, name);
    await sandbox.server.faults.inject({ kind: 'delay', target: 'domain:info', times: 1, milliseconds: 1_500 });
    const guard = new RegistryGuard('sandbox', { ...DEFAULT_LIMITS, commandMs: 300 }, new RecordingLog());
    const change = (...hosts: string[]) => registry.setNameservers(name, Nameservers.of(hosts), [], freshId());
    let late: Promise<unknown> = Promise.resolve();
    const first = ['ns1.first.example', 'ns2.first.example'];

    await failureOf(guard.command(() => (late = change(...first))));
    await change(...first);
    const { nameservers } = await change('ns1.later.example', 'ns2.later.example');

    const failure = await failureOf(late);
    expect((await registry.info(name))?.nameservers).toEqual(nameservers);
    expect(failure).toBeInstanceOf(RegistryNotContacted);
  });

  it.each(['drop_before', 'drop_after'] as const)(
    'only if no command was sent: the outcome is open when the connection breaks over it by %s',
    async (kind) => {
      const registry = await adapter();
      const name = freshName();
      await register(registry, name);
      await sandbox.server.faults.inject({ kind, target: 'domain:update', times: 1 });

      const error = await failureOf(registry.issueAuthCode(name, freshId()));

      expect(error).toBeInstanceOf(RegistryUnavailable);
      expect(error).not.toBeInstanceOf(RegistryNotContacted);
    },
  );

  it('only if no command was executed: the outcome is open when its result cannot be read back', async () => {
    const registry = await adapter();
    const name = freshName();
    const { expiresAt } = await register(registry, name);
    await sandbox.server.faults.inject({ kind: 'idle_close', target: 'domain:renew', times: 1 });
    await sandbox.server.faults.inject({ kind: 'failure', target: 'login' });

    const error = await failureOf(registry.renew(name, expiresAt, years(1), freshId()));

    expect(error).toBeInstanceOf(RegistryUnavailable);
    expect(error).not.toBeInstanceOf(RegistryNotContacted);
    expect(
      (await sandbox.server.charges(sandbox.registrars.first.id))
        .filter((charge) => charge.name === name.value)
        .map(({ kind }) => kind),
    ).toEqual(['register', 'renew']);
  });
});

describe('an operation for an EPP registry without a successful login', () => {
  let outside: ExternalRegistry;
  let service: TestService;
  let client: Api;

  beforeAll(async () => {
    outside = await startExternalEppRegistry();
    service = await startService({ ...neverLeftAlone(outside.settings), OPERATION_WAIT_MS: '60000' });
    client = api(service, await service.key(await service.account()));
  });
  afterAll(async () => {
    await service.stop();
    await outside.stop();
  });

  it('stays queued, and is sent after a login succeeds', async () => {
    const id = await registered(client, freshName().value);
    await outside.sandbox.injectFault({ kind: 'outage' });
    const operation = async () => (await client.get(`/api/domains/${id}/operations`).expect(200)).body[0];

    const locked = client
      .put(`/api/domains/${id}/transfer-lock`, { transfer_locked: false })
      .then(({ status }) => status);
    let meanwhile = await operation();
    while (meanwhile.kind !== 'set_transfer_lock' || meanwhile.error === null) meanwhile = await operation();
    await outside.sandbox.clearFaults();

    expect(meanwhile).toMatchObject({
      uncertain_since: null,
      error: { code: 'REGISTRY_UNAVAILABLE', message: 'The command was not sent yet' },
    });
    expect(['queued', 'running']).toContain(meanwhile.state);
    expect(await locked).toBe(200);
  });
});
