import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from 'dns-packet';
import { freshName } from '../../../src/testing/registry-fixtures';
import { freePort } from '../../support/free-port';
import { requestFor, sendUdp } from '../../support/nameservers/primary-client';
import { api, registered, startService, type Api, type TestService } from '../../support/service/service';
import { build, CODE_CACHE, startProcess, type ServiceProcess } from '../../support/service/service-process';

const folder = mkdtempSync(join(tmpdir(), 'namewright-registry-'));
const registryFolder = join(folder, 'registry');

function start(port: string): ServiceProcess {
  return startProcess({}, [
    process.execPath,
    'dist/registry.js',
    '--folder',
    registryFolder,
    '--port',
    port,
    '--dns',
    '127.0.0.1:0',
  ]);
}

async function stop(registry: ServiceProcess) {
  registry.signal('SIGTERM');
  return registry.ended;
}

const command = (...args: string[]) =>
  execFileSync(process.execPath, [...CODE_CACHE, 'dist/registry.js', '--folder', registryFolder, ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
const portOf = async (registry: ServiceProcess) =>
  (await registry.waitForOutput(/"address":"127\.0\.0\.1:(\d+)"/))[1] ?? '';

describe('the sandbox registry process', () => {
  let registry: ServiceProcess;
  let password: string;
  let service: TestService | undefined;
  let client: Api;

  beforeAll(() => build());
  afterAll(async () => {
    delete process.env['EPP_PASSWORD'];
    await service?.stop();
    await stop(registry);
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints the passwords of its first registrars, and stores only their hashes', async () => {
    registry = start(String(await freePort()));

    password = (await registry.waitForOutput(/namewright\s+(\S{16})\n/))[1] ?? '';

    expect(statSync(join(registryFolder, 'key.pem')).mode & 0o077).toBe(0);
    for (const file of readdirSync(registryFolder))
      expect(readFileSync(join(registryFolder, file)).includes(password)).toBe(false);
  });

  it('prints the lines with which the service registers names there', async () => {
    const written = (await registry.waitForOutput(/( {2}registries:\n[\s\S]*?tlds: .*)\n/))[1] ?? '';
    const file = join(folder, 'registries.yaml');
    writeFileSync(file, written);
    process.env['EPP_PASSWORD'] = password;
    service = await startService({ REGISTRIES_FILE: file });
    client = api(service, await service.key(await service.account()));

    const id = await registered(client, freshName().value);

    expect((await client.get(`/api/domains/${id}`).expect(200)).body).toMatchObject({
      status: 'active',
      transfer_locked: true,
    });
  });

  it('serves the delegation of the name by DNS', async () => {
    const [, port] = await registry.waitForOutput(/"address":"127\.0\.0\.1:(\d+)","msg":"listening for DNS requests"/);
    const name = freshName('org').value;
    const endpoint = { address: '127.0.0.1', port: Number(port) };
    await registered(client, name);

    let referral;
    do referral = decode((await sendUdp(endpoint, requestFor({ name, type: 'A' }))) ?? Buffer.alloc(0));
    while (referral.authorities?.[0]?.type !== 'NS');

    expect(referral.authorities[0]).toMatchObject({ name, type: 'NS' });
  });

  it('keeps its data over a restart, and prints no password again', async () => {
    const name = freshName('net').value;
    await registered(client, name);
    const port = await portOf(registry);
    expect((await stop(registry)).code).toBe(0);

    registry = start(port);
    await portOf(registry);

    let found;
    while (!found)
      found = (await client.post('/api/domains/search', { query: name.split('.')[0], tlds: ['net'] })).body.results[0];
    expect(found).toMatchObject({ name, available: false });
    expect(registry.stdout()).not.toContain('shown only now');
  });

  it('accepts CLI commands while it runs', async () => {
    const before = Date.now();

    const now = /[\dT:.-]+Z/.exec(command('advance', '400'))?.[0] ?? '';

    expect(new Date(now).getTime()).toBeGreaterThan(before + 399 * 86_400_000);
    expect(command('registrar', 'set', 'third')).toMatch(/^\S{16}$/);
    expect(command('registrar', 'list').split('\n')).toEqual(['another', 'namewright', 'third']);
    expect(command('fault', 'delay', '--times', '1')).toBe('Fault injected: delay');
    expect(command('fault', 'clear')).toBe('All faults cleared');
  });

  it('says what is wrong with a command line, and the correct form', () => {
    expect(() => command('sell')).toThrow(/Unknown command: sell[\s\S]*Usage:/);
  });
});
