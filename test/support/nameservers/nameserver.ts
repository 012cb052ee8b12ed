import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Only for a server that never answers: one on a busy machine may need half a minute. */
const START_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 50;

/** The path of a program in PATH, /usr/sbin or /sbin. */
export function program(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Why tests that need these programs are skipped; undefined if they can run. */
export function missing(...names: readonly string[]): string | undefined {
  const absent = names.filter((name) => program(name) === undefined);
  return absent.length === 0 ? undefined : `${absent.join(' and ')} not installed`;
}

interface NameserverPlan {
  readonly name: string;
  readonly port: number;
  /** 127.0.0.1 if absent. */
  readonly address?: string;
  /** A temporary folder, removed by `stop`. */
  readonly folder: string;
}

/** A real nameserver as a child process on the loopback, which can be killed and restarted. */
export class Nameserver {
  private child: ChildProcess | undefined;
  private output = '';

  constructor(
    readonly plan: NameserverPlan,
    private readonly command: readonly [string, ...string[]],
    private readonly environment: Readonly<Record<string, string>> = {},
  ) {}

  static createFolder(): string {
    return mkdtempSync(join(tmpdir(), 'namewright-ns-'));
  }

  /** Settles when the nameserver answers. */
  async start(): Promise<void> {
    const [path, ...args] = this.command;
    const child = spawn(path, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.environment },
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (this.output += String(text)));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await this.isAnswering())) {
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
        await this.kill();
        throw new Error(`${path} does not answer: ${this.output.slice(-2_000)}`);
      }
      await sleep(POLL_INTERVAL_MS);
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** What it has written to standard output and standard error. */
  get log(): string {
    return this.output;
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.plan.folder, { recursive: true, force: true });
  }

  /** Whether it answers at all; any RCODE counts. */
  private async isAnswering(): Promise<boolean> {
    const { stdout } = await run(KDIG, [...this.target, '+timeout=1', '+retry=0', 'unknown.invalid', 'SOA'], {
      encoding: 'utf8',
    }).catch(() => ({ stdout: '' }));
    return stdout.includes('status:');
  }

  private get target(): string[] {
    return [`@${this.plan.address ?? '127.0.0.1'}`, '-p', String(this.plan.port)];
  }

  /** Queries many RRsets. Returns the sorted data of each by `name TYPE`, as kdig prints it, from any section. */
  async queryRrsets(
    questions: readonly { readonly name: string; readonly type: string }[],
    ...options: readonly string[]
  ): Promise<Map<string, string[]>> {
    const sets = new Map<string, string[]>();
    for (let at = 0; at < questions.length; at += QUESTIONS_PER_CALL) {
      const some = questions.slice(at, at + QUESTIONS_PER_CALL).flatMap(({ name, type }) => [name, type]);
      const { stdout } = await run(
        KDIG,
        [...this.target, '+noidn', '+noall', '+answer', '+authority', ...PATIENT, ...options, ...some],
        { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      );
      for (const line of stdout.split('\n')) addTo(sets, line);
    }
    return sets;
  }

  /** All records by AXFR, sorted, as kdig prints them. @param key as `dns tsig create` prints it */
  async transfer(zoneName: string, key?: string): Promise<readonly string[]> {
    return transferFrom(this.plan.port, zoneName, key);
  }

  /** The SOA serial; undefined if the nameserver does not serve the zone. */
  async querySerial(zoneName: string): Promise<number | undefined> {
    const { stdout } = await run(KDIG, [...this.target, '+short', ...PATIENT, zoneName, 'SOA'], {
      encoding: 'utf8',
    });
    const serial = /^\S+ \S+ (\d+) /.exec(stdout)?.[1];
    return serial === undefined ? undefined : Number(serial);
  }
}

/** As `Nameserver.transfer`, from any nameserver on the loopback. */
export async function transferFrom(port: number, zoneName: string, key?: string): Promise<readonly string[]> {
  const { stdout } = await run(
    KDIG,
    [
      '@127.0.0.1',
      '-p',
      String(port),
      '+noidn',
      '+nocomments',
      '+nocrypto',
      '+timeout=60',
      ...(key ? ['-y', key] : []),
      zoneName,
      'AXFR',
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';') && !/\sANY\s+TSIG\s/.test(line));
  return [...new Set(lines.map((line) => line.replaceAll(/\s+/g, ' ').toLowerCase()))].toSorted();
}

const KDIG = program('kdig') ?? 'kdig';
/** A server that has no processor for seconds is no server without an answer. */
const PATIENT = ['+timeout=5', '+retry=11'];
const QUESTIONS_PER_CALL = 100;
const RECORD = /^(\S+?)\.?\s+\d+\s+(?:IN|CLASS1)\s+(\S+)\s+(.+?)\s*$/;

function addTo(sets: Map<string, string[]>, line: string): void {
  const [, name = '', type = '', data = ''] = RECORD.exec(line) ?? [];
  if (name === '') return;
  const key = `${name.toLowerCase()} ${type}`;
  const set = new Set([...(sets.get(key) ?? []), type === 'AAAA' ? normalizeIpv6(data) : data]);
  sets.set(key, [...set].toSorted());
}

/** kdig prints some addresses with an IPv4 tail. */
function normalizeIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
