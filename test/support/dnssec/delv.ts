import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Endpoint } from '../../../src/domain/dns/secondaries/secondary';
import { program } from '../nameservers/nameserver';
import type { FakeTime } from './fake-time';

interface DelvPlan {
  readonly root: { readonly dnskey: string };
  readonly time: FakeTime;
  /** Of a resolver, which passes on what it got: delv validates itself. */
  readonly endpoint: Endpoint;
}

const FULLY_VALIDATED = '; fully validated';

/** BIND's validator, from a test's root and at its time. */
export class Delv {
  private readonly args: readonly string[];

  constructor(
    folder: string,
    private readonly plan: DelvPlan,
  ) {
    const { root, endpoint } = plan;
    const [, flags, protocol, algorithm, key] = /\sDNSKEY\s+(\d+) (\d+) (\d+) (\S+)/.exec(root.dnskey) ?? [];
    const file = join(folder, 'delv.keys');
    writeFileSync(file, `trust-anchors { "." static-key ${flags} ${protocol} ${algorithm} "${key}"; };\n`);
    this.args = [`@${endpoint.address}`, '-p', String(endpoint.port), '-a', file, '+root', '+cd'];
  }

  /** What delv prints, unless the answer has a chain of trust. */
  async objection(name: string, type: string): Promise<string | undefined> {
    const { LD_PRELOAD = '', ...environment } = this.plan.time.environment;
    // delv is linked with jemalloc, which asks for the time while it starts: libfaketime then allocates memory, and both wait
    // for each other. With malloc of the C library, which has to come after libfaketime, they do not meet.
    const env = { ...process.env, ...environment, LD_PRELOAD: `${LD_PRELOAD} libc.so.6` };
    const { stdout, stderr } = await promisify(execFile)(program('delv') ?? 'delv', [...this.args, name, type], {
      encoding: 'utf8',
      env,
      timeout: 120_000,
    }).catch((error: { stdout?: string; stderr?: string; message: string }) => ({
      stdout: error.stdout ?? '',
      stderr: `${error.message} ${error.stderr ?? ''}`,
    }));
    return stdout.includes(FULLY_VALIDATED) ? undefined : `${stdout} ${stderr}`;
  }
}
