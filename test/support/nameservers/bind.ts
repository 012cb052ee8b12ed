import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { freePort } from '../free-port';
import { missing, Nameserver, program } from './nameserver';
import type { Admin } from './primary';

export const BIND_MISSING = missing('named', 'kdig');

/** How BIND tells in its log whether a transfer was incremental. */
const LOGGING =
  'logging { channel xfr { stderr; severity debug 3; }; category xfer-in { xfr; }; category default { null; }; };';

/**
 * Starts a private BIND with the configuration of docs/nameservers.md, and adds it as a secondary.
 * @param options with `isTested`, it logs transfers in detail and can be transferred from
 */
export async function startBind(
  admin: Admin,
  name: string,
  primary: Endpoint,
  { isTested = false }: { readonly isTested?: boolean } = {},
): Promise<Nameserver> {
  const plan = { name, port: await freePort(), folder: Nameserver.createFolder() };
  const [, , secret = ''] = (await admin('tsig', 'create', name)).trim().split(':');
  await admin('secondary', 'add', name, `127.0.0.1:${plan.port}`, '--key', name);
  const guide = readFileSync('docs/nameservers.md', 'utf8');
  const configuration = (/## BIND[\s\S]*?```\n([\s\S]*?)```/.exec(guide)?.[1] ?? '')
    .replaceAll('"ns1"', `"${name}"`)
    .replace('secret "…"', `secret "${secret}"`)
    .replaceAll(/10\.0\.0\.5(?! *;)/g, `${primary.address} port ${primary.port}`)
    .replaceAll('10.0.0.5', primary.address)
    .replace('allow-transfer { none; }', 'allow-transfer { 127.0.0.1; }')
    .replace('"/var/cache/bind";', `"${plan.folder}"; ${local(plan.port, plan.folder)}`);
  const file = join(plan.folder, 'named.conf');
  const open = configuration.replace('allow-transfer { none; }', 'allow-transfer { 127.0.0.1; }');
  writeFileSync(file, `controls { };\n${isTested ? `${LOGGING}\n${open}` : configuration}`);
  const bind = new Nameserver(plan, [
    program('named') ?? 'named',
    '-g',
    '-n',
    '1',
    ...(isTested ? ['-d', '3'] : []),
    '-c',
    file,
  ]);
  await bind.start();
  return bind;
}

/** What a second BIND on a machine needs. Transfers from it are for the tests. */
function local(port: number, folder: string): string {
  const listen = `listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };`;
  return `${listen} pid-file none; session-keyfile "${folder}/session.key";`;
}
