import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { loadConfig } from '../../../src/config';
import { RegistryCheck } from '../../../src/infrastructure/registry/doctor/registry-check';
import type { RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import { prepareRegistries } from '../../../src/infrastructure/registry/routing/prepare-registries';
import { createRegistryContext } from '../../../src/testing/create-registry-context';
import { freshName } from '../../../src/testing/registry-fixtures';
import { startExternalEppRegistry, type ExternalEppRegistry } from '../../support/epp/external-epp-registry';
import { RecordingLog } from '../../support/fakes/recording-log';
import { MovableClock } from '../../support/fakes/movable-clock';
import { build, startProcess } from '../../support/service/service-process';

const CURRENT = 'first-password';
const NEXT = 'the next password, which needs RFC 8807';

let external: ExternalEppRegistry;
let running: RunningRegistry;
let log: RecordingLog;
let file: string;
/** Called when the registry has received a login with `newPW`, before it processes it. */
let onNewPassword: () => void;
/** Called with each response of the registry. */
let onResponse: () => void;

const config = () =>
  loadConfig({ DATABASE_URL: `sqlite:${join(dirname(file), 'operator.db')}`, REGISTRIES_FILE: file });
const check = () => new RegistryCheck(config(), {}, new MovableClock(new Date()));
const writePasswords = (...passwords: string[]) =>
  writeFileSync(join(dirname(file), 'password'), `${passwords.join('\n')}\n`);

beforeAll(build);
beforeEach(async () => {
  onNewPassword = () => undefined;
  onResponse = () => undefined;
  external = await startExternalEppRegistry({
    watch: (direction, document) => {
      if (direction === 'received' && document.includes('<newPW>')) onNewPassword();
      if (direction === 'sent') onResponse();
    },
  });
  file = external.settings['REGISTRIES_FILE'] ?? '';
  log = new RecordingLog();
  const [prepared] = (await prepareRegistries(config(), {})).registries;
  if (!prepared) throw new Error('the registry is not configured');
  running = await prepared.factory({ ...createRegistryContext(), ...prepared, log });
});
afterEach(async () => {
  await running.close();
  await external.stop();
});

/** Ends the session of the running process, which then has to log in again. */
async function query(): Promise<unknown> {
  await external.registry.server.faults.inject({ kind: 'idle_close', times: 1 });
  await running.port.check([freshName('com')]).catch(() => undefined);
  return running.port.check([freshName('com')]);
}

const command = () =>
  startProcess({ DATABASE_URL: `sqlite:${join(dirname(file), 'operator.db')}`, REGISTRIES_FILE: file }, [
    process.execPath,
    'dist/cli.js',
    'registry',
    'password',
    'sandbox',
  ]);

describe('registry password', () => {
  it('changes the password, and running processes use it without a restart', async () => {
    await query();
    writePasswords(NEXT, CURRENT);
    await expect(query()).resolves.toHaveLength(1);

    expect(await check().changePassword('sandbox')).toBe('changed');
    await expect(query()).resolves.toHaveLength(1);
    expect(await check().changePassword('sandbox')).toBe('already_changed');

    writePasswords(NEXT);
    await expect(query()).resolves.toHaveLength(1);
    await expect(check().changePassword('sandbox')).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });
    expect(JSON.stringify(log.entries)).not.toContain(NEXT);
  });

  it('ends with the new password if the connection is cut before the response', async () => {
    const proxy = await startProxy(external.registry.port);
    onNewPassword = () => {
      onNewPassword = () => undefined;
      proxy.cut();
    };
    writeFileSync(file, readFileSync(file, 'utf8').replace(/port: \d+/, `port: ${proxy.port}`));
    writePasswords(NEXT, CURRENT);

    expect(await check().changePassword('sandbox')).toBe('changed');
    await expect(query()).resolves.toHaveLength(1);
    expect(await check().changePassword('sandbox')).toBe('already_changed');
    proxy.close();
  });

  it('can be killed at any moment and repeated, while the service keeps its registry', async () => {
    writePasswords(NEXT, CURRENT);
    const killed = command();
    const processed = new Promise<void>((resolve) => {
      onNewPassword = () => {
        onNewPassword = () => undefined;
        onResponse = resolve;
        killed.signal('SIGKILL');
      };
    });

    expect((await killed.ended).code).toBeNull();
    // Else the registry may change the password between two logins of the next query.
    await processed;
    await expect(query()).resolves.toHaveLength(1);
    const { code, stdout, stderr } = await command().ended;

    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^sandbox (has|already had) the new password/),
      stderr: '',
    });
    writePasswords(NEXT);
    await expect(query()).resolves.toHaveLength(1);
  });

  it('refuses a wrong current password, and keeps it', async () => {
    writePasswords(NEXT, 'not-the-password');

    await expect(check().changePassword('sandbox')).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
      details: 'The password was not changed: the registry refused the login with result code 2200',
    });
    writePasswords(CURRENT);
    await expect(query()).resolves.toHaveLength(1);
  });
});

describe('a running process', () => {
  it('logs in again after its password was refused, once the file has another one', async () => {
    writePasswords('not-the-password');
    await expect(running.port.check([freshName('com')])).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    writePasswords(CURRENT);

    await expect(untilReachable()).resolves.toHaveLength(1);
  });
});

/** The back-off after a refused login is at most a second. */
async function untilReachable(): Promise<unknown> {
  for (;;) {
    const result = await running.port.check([freshName('com')]).catch(() => undefined);
    if (result) return result;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

async function startProxy(port: number): Promise<{ readonly port: number; cut(): void; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: () => {
      cut();
      server.close();
    },
  };
}
