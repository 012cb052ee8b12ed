import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { freePort } from '../free-port';
import { missing, Nameserver, program } from './nameserver';
import type { Admin } from './primary';

export const KNOT_MISSING = missing('knotd', 'kdig', 'kzonecheck', 'named-checkzone');

export interface KnotOptions {
  readonly signs?: boolean;
  readonly primaries?: readonly string[];
  /** A free port of 127.0.0.1 if absent. */
  readonly endpoint?: Endpoint;
  /** In place of `warning`. */
  readonly logLevel?: string;
}

/** Starts a private Knot with the output of `admin dns knot-config`, and adds it as a secondary. `primaries`: all replicas. */
export async function startKnot(
  admin: Admin,
  name: string,
  { signs = false, primaries = [], endpoint, logLevel = 'warning' }: KnotOptions = {},
): Promise<Nameserver> {
  const { address, port } = endpoint ?? { address: '127.0.0.1', port: await freePort() };
  const plan = { name, address, port, folder: Nameserver.createFolder() };
  await admin('tsig', 'create', name);
  await admin('secondary', 'add', name, `${address}:${port}`, '--key', name, ...(signs ? ['--signs'] : []));
  const file = join(plan.folder, 'knot.conf');
  const config = await admin(
    'knot-config',
    '--secondary',
    name,
    '--dir',
    plan.folder,
    ...primaries.flatMap((primary) => ['--primary', primary]),
  );
  writeFileSync(file, config.replace('any: warning', `any: ${logLevel}`));
  const knot = new Nameserver(plan, [program('knotd') ?? 'knotd', '-c', file]);
  await knot.start();
  return knot;
}
