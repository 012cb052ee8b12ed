import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { freePort } from '../free-port';
import { missing, Nameserver, program } from '../nameservers/nameserver';

const run = promisify(execFile);
const SOCKET = 'knot.sock';
const POLL_INTERVAL_MS = 100;

export const SIGNING_CHILD_MISSING = missing('knotd', 'knotc', 'kdig');

/** A Knot that signs one zone and publishes CDS and CDNSKEY records, at two addresses: the two nameservers of a domain. */
export class SigningChild {
  private constructor(
    private readonly knot: Nameserver,
    readonly zoneName: string,
    readonly endpoints: readonly [Endpoint, Endpoint],
  ) {}

  static async start(zoneName: string): Promise<SigningChild> {
    const folder = Nameserver.createFolder();
    const [one, other] = [await freePort(), await freePort()];
    const endpoints = [
      { address: '127.0.0.1', port: one },
      { address: '127.0.0.2', port: other },
    ] as const;
    writeFileSync(join(folder, 'child.zone'), zoneFile(zoneName));
    const file = join(folder, 'knot.conf');
    writeFileSync(file, configuration(folder, zoneName, endpoints));
    const plan = { name: 'signing-child', folder, ...endpoints[0] };
    const knot = new Nameserver(plan, [program('knotd') ?? 'knotd', '-c', file]);
    await knot.start();
    return new SigningChild(knot, zoneName, endpoints);
  }

  /** The CDS records, once they are others than `former`. */
  async cdsAfter(former: readonly string[] = []): Promise<readonly string[]> {
    for (;;) {
      const [endpoint] = this.endpoints;
      const { stdout } = await run(program('kdig') ?? 'kdig', [
        `@${endpoint.address}`,
        '-p',
        String(endpoint.port),
        '+short',
        this.zoneName,
        'CDS',
      ]);
      const found = stdout
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .toSorted();
      if (found.length > 0 && found.join() !== former.join()) return found;
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Replaces the key: the CDS records change once resolvers know the new one. */
  async rollKey(): Promise<void> {
    await this.control('zone-key-rollover', `${this.zoneName}.`, 'ksk');
  }

  /** Asks the parent to remove the DS records. */
  async leaveDnssec(): Promise<void> {
    const file = join(this.knot.plan.folder, 'knot.conf');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('cds-cdnskey-publish: always', 'cds-cdnskey-publish: delete-dnssec'));
    await this.control('reload');
    await this.control('zone-sign', `${this.zoneName}.`);
  }

  async stop(): Promise<void> {
    await this.knot.stop();
  }

  private async control(...command: readonly string[]): Promise<void> {
    await run(program('knotc') ?? 'knotc', ['-s', join(this.knot.plan.folder, SOCKET), '-b', ...command]);
  }
}

function zoneFile(zoneName: string): string {
  return `${zoneName}. 1 SOA ns1.elsewhere.test. hostmaster.elsewhere.test. 1 3600 600 86400 1
${zoneName}. 1 NS ns1.elsewhere.test.
${zoneName}. 1 NS ns2.elsewhere.test.
`;
}

function configuration(folder: string, zoneName: string, endpoints: readonly Endpoint[]): string {
  return `server:
    rundir: "${folder}"
    listen: [${endpoints.map(({ address, port }) => `${address}@${port}`).join(', ')}]
control:
    listen: "${join(folder, SOCKET)}"
database:
    storage: "${folder}"
log:
  - target: stderr
    any: warning
policy:
  - id: child
    algorithm: ecdsap256sha256
    single-type-signing: on
    cds-cdnskey-publish: always
    dnskey-ttl: 1
    zone-max-ttl: 1
    propagation-delay: 0
zone:
  - domain: "${zoneName}."
    storage: "${folder}"
    file: "child.zone"
    zonefile-sync: -1
    zonefile-load: difference-no-serial
    journal-content: all
    dnssec-signing: on
    dnssec-policy: child
`;
}
