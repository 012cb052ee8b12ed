import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AUTHENTIC_DATA, decode, RECURSION_DESIRED, type Answer, type RecordType } from 'dns-packet';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { rcodeOf, requestFor, sendUdp } from '../nameservers/primary-client';
import { Nameserver, program } from '../nameservers/nameserver';
import type { FakeTime } from './fake-time';

const run = promisify(execFile);
const POLL_INTERVAL_MS = 20;
const RCODES: Readonly<Record<number, string>> = { 0: 'NOERROR', 2: 'SERVFAIL', 3: 'NXDOMAIN', 5: 'REFUSED' };

/** What a validating resolver says: AD for a chain of trust, SERVFAIL for a broken one. */
export interface Resolution {
  readonly rcode: string;
  readonly ad: boolean;
  readonly answers: readonly Answer[];
}

interface ResolverPlan {
  readonly endpoint: Endpoint;
  readonly root: { readonly address: string; readonly dnskey: string };
  readonly time: FakeTime;
  /** Whether it keeps negative answers; it does if absent. */
  readonly keepsDenials?: boolean;
}

/** An unbound that starts from a test's root, trusts its key, and follows a clock. */
export class Resolver {
  private constructor(
    private readonly unbound: Nameserver,
    private readonly endpoint: Endpoint,
  ) {}

  static async start({ endpoint, root, time, keepsDenials = true }: ResolverPlan): Promise<Resolver> {
    const folder = Nameserver.createFolder();
    const file = join(folder, 'unbound.conf');
    writeFileSync(join(folder, 'root.key'), `${root.dnskey}\n`);
    writeFileSync(
      join(folder, 'root.hints'),
      `. 3600 IN NS a.root-servers.\na.root-servers. 3600 IN A ${root.address}\n`,
    );
    writeFileSync(file, `${unboundConf(folder, endpoint)}${keepsDenials ? '' : WITHOUT_DENIALS}`);
    const plan = { name: 'unbound', folder, ...endpoint };
    const unbound = new Nameserver(plan, [program('unbound') ?? 'unbound', '-c', file], time.environment);
    await unbound.start();
    return new Resolver(unbound, endpoint);
  }

  async resolve(name: string, type: RecordType = 'A'): Promise<Resolution> {
    const request = requestFor({ name, type }, { flags: RECURSION_DESIRED | AUTHENTIC_DATA });
    const bytes = await sendUdp(this.endpoint, request);
    if (!bytes) return { rcode: 'no response', ad: false, answers: [] };
    const response = decode(bytes);
    const rcode = rcodeOf(response);
    return { rcode: RCODES[rcode] ?? String(rcode), ad: response.flag_ad, answers: response.answers ?? [] };
  }

  /** Resolves without caches until the result is as expected. */
  async resolveUntil(name: string, isExpected: (resolution: Resolution) => boolean): Promise<Resolution> {
    for (;;) {
      await this.flush();
      const resolution = await this.resolve(name);
      if (isExpected(resolution)) return resolution;
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Resolves all the time, from the caches too. */
  watch(name: string): ResolutionWatch {
    return new ResolutionWatch(() => this.resolve(name));
  }

  /** Empties all caches. */
  async flush(): Promise<void> {
    const { folder } = this.unbound.plan;
    await run(program('unbound-control') ?? 'unbound-control', ['-c', join(folder, 'unbound.conf'), 'reload']);
  }

  async stop(): Promise<void> {
    await this.unbound.stop();
  }
}

const WITHOUT_DENIALS = 'server:\n  cache-max-negative-ttl: 0\n  aggressive-nsec: no\n';

function unboundConf(folder: string, { address, port }: Endpoint): string {
  return `server:
  interface: ${address}@${port}
  port: ${port}
  directory: "${folder}"
  username: ""
  chroot: ""
  pidfile: ""
  use-syslog: no
  do-daemonize: no
  do-ip6: no
  do-not-query-localhost: no
  module-config: "validator iterator"
  root-hints: "root.hints"
  trust-anchor-file: "root.key"
  val-log-level: 2
  infra-host-ttl: 1
remote-control:
  control-enable: yes
  control-interface: "${join(folder, 'control.sock')}"
  control-use-cert: no
`;
}

/** Records each change of a resolution, as in `NOERROR`, `NOERROR AD`. */
class ResolutionWatch {
  private readonly changes: string[] = [];
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>;

  constructor(resolve: () => Promise<Resolution>) {
    this.watching = this.run(resolve);
  }

  /** Stops when the latest result is `last`. Returns all changes. */
  async stopAt(last: string): Promise<readonly string[]> {
    while (this.changes.at(-1) !== last) await sleep(POLL_INTERVAL_MS);
    this.stopping.abort();
    await this.watching;
    return this.changes;
  }

  private async run(resolve: () => Promise<Resolution>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const { rcode, ad, answers } = await resolve();
      const result = `${rcode}${answers.length === 0 ? ' without answer' : ''}${ad ? ' AD' : ''}`;
      if (result !== this.changes.at(-1)) this.changes.push(result);
      await sleep(POLL_INTERVAL_MS);
    }
  }
}
