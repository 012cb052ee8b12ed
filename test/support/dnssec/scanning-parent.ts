import { execFile } from 'node:child_process';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decode, encode } from 'dns-packet';
import { genericText } from '../../../src/domain/dns/records/types/rdata/generic-rdata';
import { wireRdata } from '../../../src/domain/dns/records/types/record-types';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { forwardPort53 } from '../acme/port-53';
import { freePort } from '../free-port';
import { missing, Nameserver, program } from '../nameservers/nameserver';

const run = promisify(execFile);
/** RFC 9859, section 4. */
const NOTIFY = 4;

export const PARENT_MISSING = missing(
  'knotd',
  'named',
  'unbound',
  'kdig',
  'nsupdate',
  'dnssec-cds',
  'dnssec-dsfromkey',
);

interface ParentPlan {
  readonly software: 'knot' | 'bind';
  readonly zone: string;
  readonly endpoint: Endpoint;
  /** Of a child, and the host names of its nameservers. */
  readonly child: string;
  readonly nameservers: readonly string[];
  /** Where the DSYNC record is: `*._dsync`, or `_dsync` itself. */
  readonly dsyncAt: '*._dsync' | '_dsync';
  /** A nameserver that serves the child. */
  readonly childAt: Endpoint;
}

/**
 * A parent zone at Knot or BIND that has a DSYNC record, and beside it a receiver of NOTIFY(CDS), which no release of them in Debian has:
 * it reads the child's records, and has `dnssec-cds` of BIND decide on the DS records. Without any, it trusts the present keys.
 */
export class ScanningParent {
  /** What `dnssec-cds` said of the records after each notification. */
  readonly verdicts: string[] = [];
  private scanning: Promise<void> = Promise.resolve();

  private constructor(
    private readonly plan: ParentPlan,
    private readonly server: Nameserver,
    private readonly receiver: Socket,
    private readonly stopForwarding: () => void,
  ) {}

  static async start(plan: ParentPlan): Promise<ScanningParent> {
    const folder = Nameserver.createFolder();
    const { software, zone, endpoint } = plan;
    const receiver = createSocket('udp4').bind(0, endpoint.address);
    await once(receiver, 'listening');
    writeFileSync(join(folder, 'parent.zone'), zoneFile(plan, receiver.address().port));
    const file = join(folder, `${software}.conf`);
    // BIND listens at the addresses of interfaces only.
    const at = { address: '127.0.0.1', port: await freePort() };
    writeFileSync(file, software === 'knot' ? knotConf(folder, at, zone) : bindConf(folder, at, zone));
    const command: [string, ...string[]] =
      software === 'knot'
        ? [program('knotd') ?? 'knotd', '-c', file]
        : [program('named') ?? 'named', '-g', '-n', '1', '-c', file];
    const server = new Nameserver({ name: software, folder, ...at }, command);
    await server.start();
    const stopForwarding = await forwardPort53(endpoint.address, at.port);
    const parent = new ScanningParent(plan, server, receiver, stopForwarding);
    receiver.on('message', (bytes, from) => parent.receive(bytes, from));
    return parent;
  }

  /** The DS records of the child at the parent. */
  async dsRecords(): Promise<readonly string[]> {
    return this.dig(this.plan.endpoint, 'DS');
  }

  async stop(): Promise<void> {
    this.receiver.close();
    this.stopForwarding();
    await this.scanning;
    await this.server.stop();
  }

  private receive(bytes: Buffer, { port, address }: RemoteInfo): void {
    const { id = 0, flags = 0, questions = [] } = decode(bytes);
    const [question] = questions;
    const isOurs = ((flags >> 11) & 15) === NOTIFY && question?.type === 'CDS' && question.name === this.plan.child;
    const response = encode({ type: 'response', id, flags: (NOTIFY << 11) | (isOurs ? 0 : 5), questions });
    this.receiver.send(response, port, address);
    if (isOurs) this.scanning = this.scanning.then(() => this.scan());
  }

  private async scan(): Promise<void> {
    const { child, childAt, zone } = this.plan;
    const { folder, port } = this.server.plan;
    const [records, dsset] = [join(folder, 'child.records'), join(folder, `dsset-${child}.`)];
    const texts = await Promise.all(
      ['DNSKEY', 'CDS', 'CDNSKEY'].map((type) => this.dig(childAt, type, '+dnssec', '+answer')),
    );
    writeFileSync(records, `${texts.flat().join('\n')}\n`);
    const present = await this.dsRecords();
    const [dsFromKeys, dnssecCds, nsupdate] = ['dnssec-dsfromkey', 'dnssec-cds', 'nsupdate'].map(
      (name) => program(name) ?? name,
    ) as [string, string, string];
    const trusted = present.length > 0 ? present : [(await run(dsFromKeys, ['-2', '-f', records, child])).stdout];
    writeFileSync(dsset, `${trusted.join('\n')}\n`);
    try {
      // Of RFC 8078, section 4, dnssec-cds knows nothing: it makes a DS record of the key `0 3 0 AA==`.
      const isDelete = texts.flat().some((line) => /\sCDS\s+0 0 0 00$/.test(line));
      const decide = [dnssecCds, '-u', '-T', '60', '-s', '-86400', '-f', records, '-d', dsset, child] as const;
      const decision = isDelete ? `update delete ${child}. DS` : (await run(decide[0], decide.slice(1))).stdout;
      // That the first ones are to be added, dnssec-cds cannot know.
      const first = trusted.flatMap((text) => text.trim().split('\n')).map((line) => `update add ${toUpdate(line)}`);
      const changes = present.length > 0 ? [decision] : first;
      writeFileSync(
        join(folder, 'update'),
        [`server 127.0.0.1 ${port}`, `zone ${zone}.`, ...changes, 'send', ''].join('\n'),
      );
      await run(nsupdate, [join(folder, 'update')]);
      this.verdicts.push(isDelete ? 'deleted' : 'accepted');
    } catch (error) {
      this.verdicts.push(error instanceof Error ? error.message : String(error));
    }
  }

  private async dig({ address, port }: Endpoint, type: string, ...options: readonly string[]) {
    const query = [`@${address}`, '-p', String(port), '+noall', '+answer', ...options, this.plan.child, type];
    const { stdout } = await run(program('kdig') ?? 'kdig', query);
    return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  }
}

/** A DS record with a TTL. */
function toUpdate(line: string): string {
  return line.replace(/^(\S+)\s+(?:\d+\s+)?IN\s+DS/, '$1 60 IN DS');
}

/** An unbound that finds these parent zones, and does not validate: they have no chain from the root. */
export async function startResolver(
  port: number,
  zones: readonly { readonly zone: string; readonly endpoint: Endpoint }[],
): Promise<Nameserver> {
  const folder = Nameserver.createFolder();
  const file = join(folder, 'unbound.conf');
  const stubs = zones.map(
    ({ zone, endpoint }) => `stub-zone:\n  name: "${zone}"\n  stub-addr: ${endpoint.address}@${endpoint.port}\n`,
  );
  writeFileSync(
    file,
    `server:
  interface: 127.0.0.1@${port}
  directory: "${folder}"
  pidfile: ""
  username: ""
  chroot: ""
  use-syslog: no
  do-ip6: no
  do-daemonize: no
  do-not-query-localhost: no
  module-config: "iterator"
remote-control:
  control-enable: no
${stubs.join('')}`,
  );
  const unbound = new Nameserver({ name: 'unbound', port, folder }, [program('unbound') ?? 'unbound', '-c', file]);
  await unbound.start();
  return unbound;
}

function zoneFile({ zone, endpoint, child, nameservers, dsyncAt }: ParentPlan, receiverPort: number): string {
  const dsync = genericText(wireRdata('DSYNC', `CDS NOTIFY ${receiverPort} scanner.${zone}.`));
  return [
    `${zone}. 60 IN SOA ns.${zone}. hostmaster.${zone}. 1 3600 600 86400 1`,
    `${zone}. 60 IN NS ns.${zone}.`,
    `ns.${zone}. 60 IN A ${endpoint.address}`,
    `scanner.${zone}. 60 IN A ${endpoint.address}`,
    `${dsyncAt}.${zone}. 60 IN TYPE66 ${dsync}`,
    ...nameservers.map((host) => `${child}. 60 IN NS ${host}.`),
    '',
  ].join('\n');
}

function knotConf(folder: string, { address, port }: Endpoint, zone: string): string {
  return `server:
    rundir: "${folder}"
    listen: ${address}@${port}
database:
    storage: "${folder}"
log:
  - target: stderr
    any: warning
acl:
  - id: local
    address: 127.0.0.0/8
    action: update
zone:
  - domain: "${zone}."
    storage: "${folder}"
    file: "parent.zone"
    acl: local
`;
}

function bindConf(folder: string, { address, port }: Endpoint, zone: string): string {
  return `controls { };
options {
  directory "${folder}"; pid-file none; session-keyfile "${folder}/session.key";
  listen-on port ${port} { ${address}; }; listen-on-v6 { none; }; recursion no; dnssec-validation no; notify no;
};
zone "${zone}" { type primary; file "parent.zone"; allow-update { 127.0.0.0/8; }; };
`;
}
