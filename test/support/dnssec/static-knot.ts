import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { Nameserver, program } from '../nameservers/nameserver';

const run = promisify(execFile);

/** A Knot that serves zone files as they are. */
export class StaticKnot {
  private constructor(private readonly knot: Nameserver) {}

  /** @param names of the zones, without trailing dot; empty for the root */
  static async start(names: readonly string[], endpoint: Endpoint): Promise<StaticKnot> {
    const folder = Nameserver.createFolder();
    const file = join(folder, 'knot.conf');
    writeFileSync(file, configuration(folder, endpoint, names));
    const plan = { name: 'static-knot', folder, ...endpoint };
    const knot = new Nameserver(plan, [program('knotd') ?? 'knotd', '-c', file]);
    await knot.start();
    return new StaticKnot(knot);
  }

  get folder(): string {
    return this.knot.plan.folder;
  }

  /** The path of the zone file. */
  fileOf(name: string): string {
    return join(this.folder, zoneFile(name));
  }

  /** Serves the present zone files when it settles. Their serials must have risen. */
  async reload(names: readonly string[]): Promise<void> {
    const zones = names.map((name) => `${name}.`);
    await run(program('knotc') ?? 'knotc', ['-s', join(this.folder, SOCKET), '-b', 'zone-reload', ...zones]);
  }

  async stop(): Promise<void> {
    await this.knot.stop();
  }
}

const SOCKET = 'knot.sock';

function configuration(folder: string, { address, port }: Endpoint, names: readonly string[]): string {
  const zones = names.map((name) => `  - domain: "${name}."\n    file: "${zoneFile(name)}"\n`);
  return `server:
    rundir: "${folder}"
    listen: ${address}@${port}
control:
    listen: "${join(folder, SOCKET)}"
database:
    storage: "${folder}"
log:
  - target: stderr
    any: warning
template:
  - id: default
    storage: "${folder}"
    zonefile-load: whole
    zonefile-sync: -1
    journal-content: none
zone:
${zones.join('')}`;
}

function zoneFile(name: string): string {
  return `${name === '' ? 'root' : name}.zone`;
}
