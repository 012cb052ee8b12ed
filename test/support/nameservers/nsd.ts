import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { freePort } from '../free-port';
import { missing, Nameserver, program } from './nameserver';
import type { Admin } from './primary';

export const NSD_MISSING = missing('nsd', 'kdig');

/** Starts a private NSD for one zone, because NSD 4.6 reads no catalog zones, and adds it as a secondary. */
export async function startNsd(
  admin: Admin,
  name: string,
  { primary, zone }: { readonly primary: Endpoint; readonly zone: string },
): Promise<Nameserver> {
  const plan = { name, port: await freePort(), folder: Nameserver.createFolder() };
  const [algorithm, , secret] = (await admin('tsig', 'create', name)).trim().split(':');
  await admin('secondary', 'add', name, `127.0.0.1:${plan.port}`, '--key', name);
  const file = join(plan.folder, 'nsd.conf');
  writeFileSync(
    file,
    `server:
  ip-address: 127.0.0.1@${plan.port}
  username: ""
  chroot: ""
  pidfile: ""
  zonesdir: "${plan.folder}"
  database: ""
  zonelistfile: "${plan.folder}/zone.list"
  xfrdfile: "${plan.folder}/xfrd.state"
  xfrdir: "${plan.folder}"
remote-control:
  control-enable: no
key:
  name: "${name}"
  algorithm: ${algorithm}
  secret: "${secret}"
zone:
  name: "${zone}"
  zonefile: "${zone}.zone"
  request-xfr: AXFR ${primary.address}@${primary.port} ${name}
  allow-notify: 127.0.0.1 ${name}
  provide-xfr: 127.0.0.1 NOKEY
`,
  );
  const nsd = new Nameserver(plan, [program('nsd') ?? 'nsd', '-d', '-c', file]);
  await nsd.start();
  return nsd;
}
