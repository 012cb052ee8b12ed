import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WireFaults } from '../../../src/infrastructure/registry/sandbox/epp-server/wire-faults';
import type { Charge } from '../../../src/infrastructure/registry/sandbox/simulated/registration';
import { SimulatedRegistry } from '../../../src/infrastructure/registry/sandbox/simulated/simulated-registry';
import { SqlRegistryStore } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';
import { freePort } from '../../support/free-port';
import { CODE_CACHE } from '../../support/service/service-process';

const PROGRAM = join(__dirname, '../../../src/registry.js');

/** The sandbox EPP server in a process that is killed and restarted, and its database for faults, clock and charges. */
export class KilledRegistry {
  kills = 0;
  readonly faults: WireFaults;
  private readonly store: SqlRegistryStore;
  private readonly controls: SimulatedRegistry;
  private restarted: Promise<void> = Promise.resolve();
  private child: ChildProcess | undefined;
  private passwords: ReadonlyMap<string, string> = new Map();

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {
    this.store = new SqlRegistryStore({ kind: 'sqlite', file: join(folder, 'registry.db') });
    this.faults = new WireFaults(this.store);
    this.controls = new SimulatedRegistry({ store: this.store, clock: new SystemClock(), currency: 'USD' });
  }

  static async open(): Promise<KilledRegistry> {
    const registry = new KilledRegistry(mkdtempSync(join(tmpdir(), 'namewright-transfers-')), await freePort());
    await registry.start();
    await registry.controls.open();
    return registry;
  }

  get certificateFile(): string {
    return join(this.folder, 'certificate.pem');
  }

  get certificate(): string {
    return readFileSync(this.certificateFile, 'utf8');
  }

  password(registrar: string): string {
    const password = this.passwords.get(registrar);
    if (password === undefined) throw new Error(`the registry has printed no password of ${registrar}`);
    return password;
  }

  /** Simultaneous kills follow each other: two registries cannot listen at one port. */
  kill(): Promise<void> {
    this.kills += 1;
    this.restarted = this.restarted.then(() => this.end()).then(() => this.start());
    return this.restarted;
  }

  async advance(days: number): Promise<void> {
    await this.controls.sandbox.advance(days);
  }

  async charges(registrar: string): Promise<readonly Charge[]> {
    return this.store.read((records) => records.charges(registrar));
  }

  async close(): Promise<void> {
    await this.end();
    await this.controls.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async end(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  private async start(): Promise<void> {
    const args = [...CODE_CACHE, PROGRAM, '--folder', this.folder, '--port', String(this.port)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    const isFirst = this.passwords.size === 0;
    const passwords = new Map<string, string>();
    let isListening = false;
    for await (const line of createInterface({ input: child.stdout })) {
      const [, registrar, password] = /^ {2}(\S+) +(\S{16})$/.exec(line) ?? [];
      if (registrar !== undefined && password !== undefined) passwords.set(registrar, password);
      isListening = isFirst ? passwords.size === 2 : line.includes('"listening"');
      if (isListening) break;
    }
    if (!isListening) throw new Error('the registry ended before it was listening');
    if (isFirst) this.passwords = passwords;
    child.stdout.resume();
  }
}
