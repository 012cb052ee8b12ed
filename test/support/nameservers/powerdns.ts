import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { freePort } from '../free-port';
import type { KnotOptions } from './knot';
import { missing, Nameserver, program } from './nameserver';
import type { Admin } from './primary';

export const POWERDNS_SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';

export const POWERDNS_MISSING =
  missing('pdns_server', 'pdnsutil', 'sqlite3', 'kdig') ??
  (existsSync(POWERDNS_SCHEMA) ? undefined : 'pdns-backend-sqlite3 not installed');

/** Starts a private PowerDNS with the script from `admin dns pdns-config`, and adds it as a secondary. */
export async function startPowerdns(
  admin: Admin,
  name: string,
  {
    primaries = [],
    endpoint,
    options = [],
  }: Pick<KnotOptions, 'primaries' | 'endpoint'> & { readonly options?: readonly string[] } = {},
): Promise<Nameserver> {
  const { address, port } = endpoint ?? { address: '127.0.0.1', port: await freePort() };
  const plan = { name, address, port, folder: Nameserver.createFolder() };
  await admin('tsig', 'create', name);
  await admin('secondary', 'add', name, `${address}:${port}`, '--key', name);
  execFileSync('sh', ['-s'], {
    input: await admin(
      'pdns-config',
      '--secondary',
      name,
      '--dir',
      plan.folder,
      ...primaries.flatMap((primary) => ['--primary', primary]),
    ),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const powerdns = new Nameserver(plan, [
    program('pdns_server') ?? 'pdns_server',
    `--config-dir=${plan.folder}`,
    ...options,
  ]);
  await powerdns.start();
  return powerdns;
}
