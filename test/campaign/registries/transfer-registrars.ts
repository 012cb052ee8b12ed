import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { Nameservers } from '../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { startEpp } from '../../../src/infrastructure/registry/epp/start-epp';
import type { RegistryAdapter, RunningRegistry } from '../../../src/infrastructure/registry/registry-adapter';
import type { KilledRegistry } from './transfer-registry';

type PerlProcess = ChildProcessByStdio<Writable, Readable, null>;
export type Outcome = 'done' | 'refused' | 'unknown';
export type Decision = 'approve' | 'reject' | 'cancel';
export type TransferState = 'pending' | 'completed' | 'rejected' | 'cancelled';

/** One side of a transfer. Queries are repeated until the registry responds; commands are sent once. */
export interface Registrar {
  readonly id: string;
  /** Registers an unlocked name, and returns its auth code. */
  register(name: string): Promise<string>;
  request(name: string, authCode: string): Promise<Outcome>;
  decide(name: string, decision: Decision): Promise<Outcome>;
  status(name: string): Promise<TransferState | undefined>;
  sponsors(name: string): Promise<boolean>;
  /** Reads and acknowledges all messages: texts by message id. */
  drain(): Promise<ReadonlyMap<string, string>>;
  /** Kills the client in the middle of what it does, and starts another one. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Campaigns run in the folder of the repository. */
const PERL_PROGRAM = join(process.cwd(), 'test/support/epp/net-epp-registrar.pl');
const TIMEOUT_MS = 120_000;
const RETRY_MS = 50;
const REGISTRANT = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};
const HOSTS = Nameservers.of(['ns1.ours.example', 'ns2.ours.example']);
const ONE_YEAR = RegistrationTerm.ofYears(1);
const PRICE = { minor: 10_44, currency: 'USD' };
const PERL_STATES: Readonly<Record<string, TransferState>> = {
  pending: 'pending',
  clientApproved: 'completed',
  serverApproved: 'completed',
  clientRejected: 'rejected',
  clientCancelled: 'cancelled',
};

/** The EPP adapter. */
export class AdapterRegistrar implements Registrar {
  private serial = 0;

  private constructor(
    readonly id: string,
    private readonly start: () => Promise<RunningRegistry>,
    private running: RunningRegistry,
  ) {}

  static async open(registry: KilledRegistry, id: string): Promise<AdapterRegistrar> {
    const start = () =>
      startEpp({
        name: 'campaign',
        settings: {
          host: '127.0.0.1',
          port: registry.port,
          ca: registry.certificate,
          client_id: id,
          password: registry.password(id),
        },
        tlds: [{ suffix: 'com' }],
        clock: { now: () => new Date() },
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        currency: PRICE.currency,
        mainDatabase: { kind: 'sqlite', file: ':memory:' },
      });
    return new AdapterRegistrar(id, start, await start());
  }

  async register(text: string): Promise<string> {
    const name = DomainName.fromState(text);
    await repeat(async () => {
      if ((await this.port.info(name))?.sponsoredByUs) return;
      await this.port.register({
        name,
        term: ONE_YEAR,
        registrant: REGISTRANT,
        nameservers: HOSTS,
        price: PRICE,
        transactionId: this.transactionId(),
      });
    });
    await repeat(() => this.port.setTransferLock(name, false, this.transactionId()));
    return (await repeat(() => this.port.issueAuthCode(name, this.transactionId()))).code;
  }

  async request(name: string, authCode: string): Promise<Outcome> {
    return outcomeOf(() =>
      this.port.requestTransfer({
        name: DomainName.fromState(name),
        term: ONE_YEAR,
        registrant: REGISTRANT,
        authCode,
        price: PRICE,
        transactionId: this.transactionId(),
      }),
    );
  }

  async decide(text: string, decision: Decision): Promise<Outcome> {
    const name = DomainName.fromState(text);
    const id = this.transactionId();
    return outcomeOf(() =>
      decision === 'cancel'
        ? this.port.cancelTransfer(name, id)
        : decision === 'approve'
          ? this.port.approveTransfer(name, id)
          : this.port.rejectTransfer(name, id),
    );
  }

  async status(name: string): Promise<TransferState | undefined> {
    return (await repeat(() => this.port.transferStatus(DomainName.fromState(name))))?.status;
  }

  async sponsors(name: string): Promise<boolean> {
    return (await repeat(() => this.port.info(DomainName.fromState(name))))?.sponsoredByUs ?? false;
  }

  async drain(): Promise<ReadonlyMap<string, string>> {
    const messages = new Map<string, string>();
    for (;;) {
      const message = await repeat(() => this.port.poll());
      if (!message) return messages;
      messages.set(message.id, message.text);
      await repeat(() => this.port.acknowledge(message.id));
    }
  }

  async restart(): Promise<void> {
    void this.running.close();
    this.running = await this.start();
  }

  async close(): Promise<void> {
    await this.running.close();
  }

  private get port(): RegistryAdapter {
    return this.running.port;
  }

  private transactionId(): string {
    return `campaign-${(this.serial += 1)}`;
  }
}

/** Net::EPP::Simple in a Perl process. */
export class PerlRegistrar implements Registrar {
  private child: PerlProcess;
  /** Of the present child, which may have ended by itself. */
  private closed!: Promise<unknown>;
  private waiting: ((line: string) => void) | undefined;
  private previous: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly id: string,
    private readonly args: readonly string[],
  ) {
    this.child = this.spawnPerl();
  }

  static async open(registry: KilledRegistry, id: string): Promise<PerlRegistrar> {
    const args = ['127.0.0.1', String(registry.port), registry.certificateFile, id, registry.password(id)];
    const registrar = new PerlRegistrar(id, [PERL_PROGRAM, ...args]);
    await registrar.query('setup');
    return registrar;
  }

  async register(name: string): Promise<string> {
    const authCode = `Secret-${name}-1`;
    await repeat(async () => {
      const [outcome] = await this.send('create', name, authCode);
      if (outcome === 'lost') throw new Unreachable();
    });
    if (!(await this.sponsors(name))) throw new Error(`Net::EPP::Simple could not register ${name}`);
    return authCode;
  }

  async request(name: string, authCode: string): Promise<Outcome> {
    return this.command('request', name, authCode);
  }

  async decide(name: string, decision: Decision): Promise<Outcome> {
    return this.command(decision, name);
  }

  async status(name: string): Promise<TransferState | undefined> {
    const [outcome, state = ''] = await this.query('status', name);
    return outcome === 'ok' ? PERL_STATES[state] : undefined;
  }

  async sponsors(name: string): Promise<boolean> {
    const [outcome, sponsor] = await this.query('info', name);
    return outcome === 'ok' && sponsor === this.id;
  }

  async drain(): Promise<ReadonlyMap<string, string>> {
    const messages = new Map<string, string>();
    for (;;) {
      const [, id, text = ''] = await this.query('poll');
      if (id === undefined) return messages;
      messages.set(id, text);
      await this.query('ack', id);
    }
  }

  async restart(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
    this.child = this.spawnPerl();
  }

  async close(): Promise<void> {
    this.child.stdin.end();
    await this.closed;
  }

  private async command(...words: readonly string[]): Promise<Outcome> {
    const [outcome] = await this.send(...words);
    return outcome === 'ok' ? 'done' : outcome === 'no' ? 'refused' : 'unknown';
  }

  private async query(...words: readonly string[]): Promise<readonly string[]> {
    return repeat(async () => {
      const response = await this.send(...words);
      if (response[0] === 'lost') throw new Unreachable();
      return response;
    });
  }

  /** One command at a time. Lost if the process is killed meanwhile. */
  private async send(...words: readonly string[]): Promise<readonly string[]> {
    const response = this.previous.then(
      () =>
        new Promise<string>((resolve) => {
          if (this.child.exitCode !== null || this.child.signalCode !== null) this.child = this.spawnPerl();
          this.waiting = resolve;
          this.child.stdin.write(`${words.join('\t')}\n`, (error) => error && resolve('lost'));
        }),
    );
    this.previous = response;
    return (await response).split('\t');
  }

  private spawnPerl(): PerlProcess {
    const child = spawn('perl', [...this.args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.waiting?.(line));
    child.on('exit', () => this.waiting?.('lost'));
    this.closed = once(child, 'close');
    return child;
  }
}

class Unreachable extends Error {
  readonly code = 'REGISTRY_UNAVAILABLE';
}

async function outcomeOf(command: () => Promise<unknown>): Promise<Outcome> {
  try {
    await command();
    return 'done';
  } catch (error) {
    if (codeOf(error) === 'REGISTRY_REJECTED') return 'refused';
    if (codeOf(error) === 'REGISTRY_UNAVAILABLE') return 'unknown';
    throw error;
  }
}

/** Repeats until the registry responds. */
async function repeat<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== 'REGISTRY_UNAVAILABLE' || Date.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
