import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { program, type Nameserver } from '../nameservers/nameserver';
import { StaticKnot } from './static-knot';

const run = promisify(execFile);
const PLAIN = ['+noall', '+answer', '+noidn', '+timeout=60'];
const MAX_OCTETS = 64 * 1_024 * 1_024;

/** Serves a zone as `tamper` changes its lines, at the addresses of the secondaries, which are killed. Returns a function that restarts them. */
export async function replaceByTampered(
  zoneName: string,
  { primary, secondaries }: { readonly primary: Endpoint; readonly secondaries: readonly Nameserver[] },
  tamper: (line: string) => string,
): Promise<() => Promise<void>> {
  const lines = (await transfer(zoneName, primary, secondaries[0])).map(tamper);
  await Promise.all(secondaries.map((secondary) => secondary.kill()));
  const servers = await Promise.all(
    secondaries.map(({ plan }) =>
      StaticKnot.start([zoneName], { address: plan.address ?? '127.0.0.1', port: plan.port }),
    ),
  );
  for (const server of servers) {
    writeFileSync(server.fileOf(zoneName), `${lines.join('\n')}\n`);
    await server.reload([zoneName]);
  }
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(secondaries.map((secondary) => secondary.start()));
  };
}

/** The zone in presentation format. @param knot a Knot secondary whose key the server knows; without, the request is unsigned */
export async function transfer(
  zoneName: string,
  { address, port }: Endpoint,
  knot?: Nameserver,
): Promise<readonly string[]> {
  const query = [`@${address}`, '-p', String(port), ...(knot ? ['-y', keyOf(knot)] : [])];
  const { stdout } = await run(program('kdig') ?? 'kdig', [...query, ...PLAIN, zoneName, 'AXFR'], {
    encoding: 'utf8',
    maxBuffer: MAX_OCTETS,
  });
  // The SOA is the first and the last record.
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  return lines.slice(0, -1);
}

function keyOf({ plan: { folder, name } }: Nameserver): string {
  const secret = /^ +secret: (\S+)/m.exec(readFileSync(join(folder, 'knot.conf'), 'utf8'))?.[1] ?? '';
  return `hmac-sha256:${name}:${secret}`;
}
