import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, build, CODE_CACHE, startProcess, type ServiceProcess } from '../../support/service/service-process';

const folder = mkdtempSync(join(tmpdir(), 'namewright-address-'));
const database = { DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}` };

/** The link of an invitation by `npm run admin`. */
function invite(email: string, env: Record<string, string> = {}): string {
  const admin = (...args: string[]) =>
    execFileSync(process.execPath, [...CODE_CACHE, 'dist/cli.js', ...args], {
      env: { PATH: process.env['PATH'], ...database, ...env },
      encoding: 'utf8',
    }).trim();
  const account = admin('account', 'create', '--name', 'Acme');
  return admin('user', 'create', '--account', account, '--email', email, '--role', 'owner');
}

async function stop(service: ServiceProcess): Promise<void> {
  service.signal('SIGTERM');
  await service.ended;
}

describe('the address of the service', () => {
  beforeAll(build);
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    [
      'the loopback address for one that means all addresses',
      { HOST: '0.0.0.0', PORT: '4000' },
      'http://127.0.0.1:4000/',
    ],
    ['an IPv6 address in brackets', { HOST: '::', PORT: '4000' }, 'http://[::1]:4000/'],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://names.example.com' }, 'https://names.example.com/'],
  ])('is %s in the links of admin', (_what, env, expected) => {
    expect(invite('ada@example.com', env)).toMatch(new RegExp(`^${expected.replaceAll(/[[\].]/g, '\\$&')}set-up`));
  });

  it('is in the links of admin that of the process that serves, whatever its port', async () => {
    const service = startProcess({ ...database, PORT: '0' });
    const address = await addressOf(service);

    expect(invite('grace@example.com').startsWith(`${address}/set-up?token=`)).toBe(true);

    await stop(service);
  });

  it.each([
    ['the service', ['dist/main.js'], 'Namewright could not start: ', 'set PORT to a free one'],
    [
      'the sandbox registry',
      ['dist/registry.js', '--folder', join(folder, 'registry')],
      '',
      'choose a free one with --port',
    ],
  ])('ends %s in one line that says so if it is taken', async (_what, command, prefix, cure) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const isService = command[0] === 'dist/main.js';

    const { code, stderr } = await startProcess({ ...database, PORT: String(port), DNS_LISTEN: 'off' }, [
      process.execPath,
      ...command,
      ...(isService ? [] : ['--port', String(port)]),
    ]).ended;

    expect([code, stderr]).toEqual([1, `${prefix}port ${port} of 127.0.0.1 is taken by another process; ${cure}\n`]);
    other.close();
  });
});
