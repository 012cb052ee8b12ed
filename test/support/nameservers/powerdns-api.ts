import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port';
import { Nameserver, program } from './nameserver';
import { POWERDNS_SCHEMA } from './powerdns';

const KEY = 'test';

export interface PowerDnsServer {
  readonly nameserver: Nameserver;
  /** Sends a request to a zone; without a body, a GET. */
  zone(name: string, body?: object): Promise<Response>;
}

/** Starts a private PowerDNS with its HTTP API and an empty zone. */
export async function startPowerDnsApi(zoneName: string): Promise<PowerDnsServer> {
  const folder = Nameserver.createFolder();
  const database = join(folder, 'pdns.sqlite3');
  const [port, apiPort] = [await freePort(), await freePort()];
  execFileSync('sqlite3', [database], { input: readFileSync(POWERDNS_SCHEMA) });
  const settings = {
    launch: 'gsqlite3',
    'gsqlite3-database': database,
    'local-address': '127.0.0.1',
    'local-port': port,
    'socket-dir': folder,
    api: 'yes',
    'api-key': KEY,
    webserver: 'yes',
    'webserver-address': '127.0.0.1',
    'webserver-port': apiPort,
    'webserver-loglevel': 'none',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, 'pdns.conf'), lines.join(''));
  const nameserver = new Nameserver({ name: 'powerdns', port, folder }, [
    program('pdns_server') ?? 'pdns_server',
    `--config-dir=${folder}`,
  ]);
  await nameserver.start();
  const zones = `http://127.0.0.1:${apiPort}/api/v1/servers/localhost/zones`;
  const send = (url: string, method: string, body?: object) =>
    fetch(url, { method, headers: { 'X-API-Key': KEY }, ...(body && { body: JSON.stringify(body) }) });
  const created = await send(zones, 'POST', {
    name: `${zoneName}.`,
    kind: 'Native',
    nameservers: ['ns1.example.net.'],
  });
  if (created.status !== 201) throw new Error(`PowerDNS does not create the zone: ${await created.text()}`);
  return { nameserver, zone: (name, body) => send(`${zones}/${name}.`, body ? 'PATCH' : 'GET', body) };
}
