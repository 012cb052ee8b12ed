import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { missing, Nameserver, program } from './nameserver';
import type { Admin } from './primary';

export const KNOT_MISSING = missing('knotd', 'kdig', 'kzonecheck', 'named-checkzone');

/** A private Knot, configured as `admin dns knot-config` prints it, and made known as a secondary. `primaries`: the replicas that it pulls from, if not the one of `admin`. */
export async function startKnot(
  admin: Admin,
  name: string,
  { signs = false, primaries = [] }: { readonly signs?: boolean; readonly primaries?: readonly string[] } = {},
): Promise<Nameserver> {
  const plan = { name, port: await freePort(), folder: Nameserver.folder() };
  await admin('tsig', 'create', name);
  await admin('secondary', 'add', name, `127.0.0.1:${plan.port}`, '--key', name, ...(signs ? ['--signs'] : []));
  const file = join(plan.folder, 'knot.conf');
  writeFileSync(
    file,
    await admin(
      'knot-config',
      '--secondary',
      name,
      '--dir',
      plan.folder,
      ...primaries.flatMap((primary) => ['--primary', primary]),
    ),
  );
  const knot = new Nameserver(plan, [program('knotd') ?? 'knotd', '-c', file]);
  await knot.start();
  return knot;
}
