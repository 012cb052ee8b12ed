// A private Knot as a secondary of the measured service, configured by the operator's commands.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NameserverProbe } from './nameserver-probe.mjs';
import { freePort } from './processes.mjs';

const KNOTD = ['/usr/sbin/knotd', '/usr/local/sbin/knotd'].find((path) => existsSync(path));

export const KNOT_MISSING = KNOTD ? undefined : 'no knotd is installed';

/** Starts Knot. Returns `{ probe, stop() }`. */
export async function startKnot({ folder, start }, admin, name) {
  const port = await freePort();
  const home = join(folder, name);
  mkdirSync(home);
  admin('dns', 'tsig', 'create', name);
  admin('dns', 'secondary', 'add', name, `127.0.0.1:${port}`, '--key', name);
  const file = join(home, 'knot.conf');
  writeFileSync(file, admin('dns', 'knot-config', '--secondary', name, '--dir', home));
  const probe = await NameserverProbe.open(port);
  const { stop } = await start({ command: KNOTD, args: ['-c', file], isReady: () => probe.isReachable() });
  return { probe, stop: async () => (probe.close(), stop()) };
}
